import { findDecoder } from '../../../kernel/content-decoding.ts'

/** Content codings of request bodies, for messages and `Accept-Encoding`. */
export const CODINGS = 'gzip, deflate, br, zstd'

/** Several codings may be applied one after the other; more than these are a mistake or an attack. */
const MAX_CODINGS = 4

/** The decoded bytes, or why there are none. */
export type Decoded = Buffer | 'unsupported' | 'malformed' | 'tooLarge'

/** Decodes a body by its `Content-Encoding`, the coding that was applied last first. */
export async function decodeBody(
  bytes: Buffer,
  encoding: string,
  maxBytes: number
): Promise<Decoded> {
  const codings = codingsOf(encoding)
  if (codings.length > MAX_CODINGS) return 'unsupported'
  let decoded = bytes
  for (const coding of codings.reverse()) {
    const decode = await findDecoder(coding)
    if (decode === undefined) return 'unsupported'
    try {
      decoded = await decode(decoded, { maxOutputLength: maxBytes })
    } catch (error) {
      return isTooLarge(error) ? 'tooLarge' : 'malformed'
    }
  }
  return decoded
}

/** The codings of the header in the order in which they were applied. */
export function codingsOf(encoding: string): string[] {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity')
}

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
}
