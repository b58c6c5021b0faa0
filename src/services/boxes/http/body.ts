import type { IncomingMessage } from 'node:http'
import { readRequestBody } from '../../../kernel/request-body.ts'
import { BodyAborted, BodyTooLarge } from '../contract.ts'

const KIB = 1024

/** The bytes of the body, whatever its content type; undefined if it is empty. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number
): Promise<Buffer | undefined> {
  const bytes = await readRequestBody(request, maxBytes, {
    tooLarge: () => new BodyTooLarge(Math.ceil(maxBytes / KIB)),
    aborted: () => new BodyAborted()
  })
  return bytes.length === 0 ? undefined : bytes
}
