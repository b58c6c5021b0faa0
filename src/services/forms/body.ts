import type { IncomingMessage } from 'node:http'
import { isAnnouncedOver, readRequestBody } from '../../kernel/request-body.ts'
import { errors } from './contract.ts'

/** Reads the body of any method. A longer body is returned cut, but longer than `maxBytes`. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  timeoutMs: number
): Promise<Uint8Array> {
  // A body that is announced too long is not read; the form rejects it by its length.
  if (isAnnouncedOver(request, maxBytes)) return Promise.resolve(new Uint8Array(maxBytes + 1))
  const bodyErrors = {
    aborted: errors.bodyAborted,
    timedOut: () => errors.bodyTimedOut(timeoutMs)
  }
  return readRequestBody(request, maxBytes, bodyErrors, { timeoutMs })
}
