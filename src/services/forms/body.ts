import type { IncomingMessage } from 'node:http'
import { readRequestBody } from '../../kernel/request-body.ts'
import { failures } from './contract.ts'

/** The body whatever the method; one longer than `maxBytes` comes back cut, but longer still. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  timeoutMs: number
): Promise<Uint8Array> {
  const errors = {
    aborted: failures.bodyAborted,
    timedOut: () => failures.bodyTimedOut(timeoutMs)
  }
  return readRequestBody(request, maxBytes, errors, { timeoutMs })
}
