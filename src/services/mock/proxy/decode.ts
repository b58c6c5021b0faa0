import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>

const DECODERS: Readonly<Record<string, Decoder>> = {
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  zstd: promisify(zstdDecompress)
}

/** The bytes as they were before they were compressed; nothing when that cannot be known. */
export async function decode(
  bytes: Buffer,
  encoding: string,
  maxBytes: number
): Promise<Buffer | undefined> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return bytes
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined
  if (decoder === undefined) return undefined
  try {
    return await decoder(bytes, { maxOutputLength: maxBytes })
  } catch {
    // What does not unpack reaches the client as it came, unjudged.
    return undefined
  }
}
