import { findDecoder } from '../../../kernel/content-decoding.ts'

/** The bytes before they were compressed; undefined if that cannot be known. */
export async function decode(
  bytes: Buffer,
  encoding: string,
  maxBytes: number
): Promise<Buffer | undefined> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return bytes
  const decoder = await findDecoder(name)
  // What does not unpack reaches the client as it came, unjudged.
  return decoder?.(bytes, { maxOutputLength: maxBytes }).catch(() => undefined)
}
