import { fingerprintOf, idempotencyKey } from '../../../kernel/idempotency.ts'
import { credentialOf } from '../api/auth/bearer.ts'
import { digest } from '../api/auth/secrets.ts'
import { IdempotencyKeyBusy, IdempotencyKeyInvalid, IdempotencyKeyReused } from '../contract.ts'
import { type ApiResponse, DROPPED, type ResponseOrDrop } from '../http/response.ts'
import type { RequestContext } from './request-context.ts'

const KEPT_MS = 24 * 3_600_000
/** After this time, a request is considered dead together with its process. */
const RUNNING_MS = 60_000

/** Runs a write once for each `Idempotency-Key`; later requests get the first one's response. */
export async function replayOnce(
  call: RequestContext,
  run: () => Promise<ResponseOrDrop>
): Promise<ResponseOrDrop> {
  const { store } = call.context
  const key = idempotencyKey(call.request.headers, () => new IdempotencyKeyInvalid())
  if (key === undefined) return run()
  const name = nameOf(call, key)
  const fingerprint = fingerprintOf(contentOf(call, (await call.body()).text))
  const time = call.now()
  const found = await store.claimKey(call.workspaceId, name, {
    fingerprint,
    time,
    until: time + RUNNING_MS
  })
  if (found !== undefined) {
    if (found.fingerprint !== fingerprint) throw new IdempotencyKeyReused()
    if (found.status === null) throw new IdempotencyKeyBusy()
    return {
      status: found.status,
      headers: { ...JSON.parse(found.headers ?? '{}'), 'idempotent-replayed': 'true' },
      ...(found.body === null || found.body === '' ? {} : { body: found.body })
    }
  }
  const outcome = await run().catch(async (error) => {
    await store.forgetKey(call.workspaceId, name)
    throw error
  })
  if (outcome === DROPPED || outcome.status >= 500) await store.forgetKey(call.workspaceId, name)
  else await store.finishKey(call.workspaceId, name, { ...kept(outcome), until: time + KEPT_MS })
  return outcome
}

/** A key is valid for the credential that was sent with it, and without a workspace for the client. */
function nameOf({ context, request, workspace }: RequestContext, key: string): string {
  const credential = credentialOf(request)
  // A header contains no line feed, so a key without a credential is never equal to one with it.
  const own = credential === undefined ? key : `${digest(credential).toString('base64url')}\n${key}`
  return workspace === undefined ? `${context.kernel.clientIp(request)} ${own}` : own
}

function kept({ status, headers, body }: ApiResponse) {
  return { status, headers: JSON.stringify(headers), body: body === undefined ? '' : String(body) }
}

function contentOf({ method, target }: RequestContext, body: string): string {
  return `${method} ${target.segments.join('/')}\n${body}`
}
