import type { IncomingMessage } from 'node:http'
import { readRequestBody } from '../../../kernel/request-body.ts'
import { BodyAborted, BodyTooLarge } from '../contract.ts'

const KIB = 1024

/** The bytes, whatever the content type says; undefined when there are none. */
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
