import type { IncomingMessage } from 'node:http'
import { readRequestBody } from '../../kernel/request-body.ts'
import { BodyAborted, BodyTooLarge } from './contract.ts'

export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  return readRequestBody(request, maxBytes, {
    tooLarge: () => new BodyTooLarge(maxBytes),
    aborted: () => new BodyAborted()
  })
}
