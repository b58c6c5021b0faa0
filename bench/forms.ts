import type { Cases } from './cases.ts'
import { type Contender, OWN_CHECKOUT, startContender, startService } from './contender.ts'
import { compete, type Load } from './load.ts'
import { type Outcome, ratio, roundsTable } from './table.ts'

const LOAD: Load = {
  path: '/',
  connections: 16,
  seconds: 3,
  body: '{"email":"ada@example.org","fullName":"Ada Lovelace"}',
  headers: { 'content-type': 'application/json' }
}
const ROUNDS = 5

export const formsCases: Cases = {
  servers: [
    {
      variant: '',
      async start({ checkout }) {
        const hook = await startWebhook()
        const nonet = await startForms(checkout, hook)
        const stop = async () => {
          await nonet.stop()
          await hook.stop()
        }
        return { ...nonet, stop }
      },
      rows: [{ name: 'one valid form', load: LOAD }]
    }
  ]
}

function startForms(checkout: string, hook: Contender): Promise<Contender> {
  return startService(checkout, 'forms', ['--ephemeral', '--forms-webhook', `${hook.url}/`])
}

function startWebhook(): Promise<Contender> {
  return startContender({
    name: 'webhook called directly',
    script: 'servers/webhook.mjs',
    args: (port) => [String(port)],
    readyText: 'ready'
  })
}

/** Compares a form sent through nonet, through a raw forwarder, and directly to the webhook. */
export async function benchForms(): Promise<Outcome> {
  const hook = await startWebhook()
  const raw = await startContender({
    name: 'raw forwarder',
    script: 'servers/raw-forwarder.mjs',
    args: (port) => [String(port), `${hook.url}/`],
    readyText: 'ready'
  })
  const nonet = await startForms(OWN_CHECKOUT, hook)
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
