import type { IncomingMessage } from 'node:http'
import { readRequestBody } from '../../kernel/request-body.ts'
import { errors } from './contract.ts'

/** The body whatever the method; one longer than `maxBytes` comes back cut, but longer still. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  timeoutMs: number
): Promise<Uint8Array> {
  const bodyErrors = {
    aborted: errors.bodyAborted,
    timedOut: () => errors.bodyTimedOut(timeoutMs)
  }
  return readRequestBody(request, maxBytes, bodyErrors, { timeoutMs })
}
