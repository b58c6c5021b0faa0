import { findDecoder } from '../../../kernel/content-decoding.ts'

/** The decompressed bytes; undefined if they cannot be decompressed. */
export async function decode(
  bytes: Buffer,
  encoding: string,
  maxBytes: number
): Promise<Buffer | undefined> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return bytes
  const decoder = await findDecoder(name)
  // A body that cannot be decompressed is passed on unchanged and is not validated.
  return decoder?.(bytes, { maxOutputLength: maxBytes }).catch(() => undefined)
}
