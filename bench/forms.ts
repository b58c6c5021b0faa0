import { startContender, startNonet } from './contender.ts'
import { compete } from './load.ts'
import { type Outcome, ratio, roundsTable } from './table.ts'

const LOAD = {
  path: '/',
  connections: 16,
  seconds: 3,
  body: '{"email":"ada@example.org","fullName":"Ada Lovelace"}',
  headers: { 'content-type': 'application/json' }
}
const ROUNDS = 5

/** A form that is forwarded: nonet, a raw forwarder without checks, and the webhook called directly. */
export async function benchForms(ports: readonly number[]): Promise<Outcome> {
  const [own = 0, rawPort = 0, hookPort = 0] = ports
  const hook = await startContender({
    name: 'webhook called directly',
    script: 'servers/webhook.mjs',
    args: [String(hookPort)],
    url: `http://127.0.0.1:${hookPort}`,
    readyText: 'ready'
  })
  const raw = await startContender({
    name: 'raw forwarder',
    script: 'servers/raw-forwarder.mjs',
    args: [String(rawPort), `${hook.url}/`],
    url: `http://127.0.0.1:${rawPort}`,
    readyText: 'ready'
  })
  const nonet = await startNonet('forms', own, ['--no-console', '--forms-webhook', `${hook.url}/`])
  const rounds = await compete(
    [nonet, raw, hook].map((contender) => ({ contender, load: LOAD })),
    ROUNDS
  )
  await Promise.all([nonet, raw, hook].map((contender) => contender.stop()))
  const through = rounds.get('nonet')?.p50 ?? Number.NaN
  const direct = rounds.get(hook.name)?.p50 ?? Number.NaN
  return {
    title: 'forms',
    text: `One valid form per request, ${LOAD.connections} kept connections, ${ROUNDS} rounds of ${LOAD.seconds} s each.

${roundsTable(rounds, 'nonet')}

CPU is that of the named process alone. Overhead over the bare webhook round trip: p50 ${through} ms against ${direct} ms.`,
    bars: [
      {
        what: 'raw forwarder ÷ nonet',
        value: ratio(rounds, 'raw forwarder', 'nonet'),
        atLeast: 0.5
      }
    ]
  }
}
