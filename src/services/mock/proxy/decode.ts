import { decodeBody } from '../request/decode-body.ts'

/**
 * The decompressed bytes; undefined if they cannot be decompressed. Such a body is passed on
 * unchanged and is not validated.
 */
export async function decode(
  bytes: Buffer,
  encoding: string,
  maxBytes: number
): Promise<Buffer | undefined> {
  const decoded = await decodeBody(bytes, encoding, maxBytes)
  return typeof decoded === 'string' ? undefined : decoded
}
