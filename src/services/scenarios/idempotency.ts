import { createHash } from 'node:crypto'
import { type Answer, CUT, type Outcome } from './answer.ts'
import type { Call } from './call.ts'
import { KeyBusy, KeyInvalid, KeyReused } from './contract.ts'

const KEPT_MS = 24 * 3_600_000
/** Whoever takes longer has died with its process. */
const RUNNING_MS = 60_000
const MAX_KEY_LENGTH = 255

/** Runs a write once for each `Idempotency-Key`; later requests get the first one's answer. */
export async function replayOnce(call: Call, run: () => Promise<Outcome>): Promise<Outcome> {
  const { store } = call.room
  const key = String(call.request.headers['idempotency-key'])
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) throw new KeyInvalid()
  const name =
    call.workspace === undefined ? `${call.room.kernel.clientAddress(call.request)} ${key}` : key
  const fingerprint = fingerprintOf(call, (await call.body()).text)
  const time = call.now()
  const found = await store.claimKey(call.ws, name, { fingerprint, time, until: time + RUNNING_MS })
  if (found !== undefined) {
    if (found.fingerprint !== fingerprint) throw new KeyReused()
    if (found.status === null) throw new KeyBusy()
    return {
      status: found.status,
      headers: { ...JSON.parse(found.headers ?? '{}'), 'idempotent-replayed': 'true' },
      ...(found.body === null || found.body === '' ? {} : { body: found.body })
    }
  }
  const outcome = await run().catch(async (error) => {
    await store.forgetKey(call.ws, name)
    throw error
  })
  if (outcome === CUT || outcome.status >= 500) await store.forgetKey(call.ws, name)
  else await store.finishKey(call.ws, name, { ...kept(outcome), until: time + KEPT_MS })
  return outcome
}

function kept({ status, headers, body }: Answer) {
  return { status, headers: JSON.stringify(headers), body: body === undefined ? '' : String(body) }
}

function fingerprintOf({ method, visit }: Call, body: string): string {
  const path = visit.segments.join('/')
  return createHash('sha256').update(`${method} ${path}\n${body}`).digest('base64url')
}
