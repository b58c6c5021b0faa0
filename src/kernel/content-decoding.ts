/** Rejects if the bytes are not valid, or if the result is longer than `maxOutputLength`. */
export type DecodeContent = (
  bytes: Uint8Array,
  options: { maxOutputLength: number }
) => Promise<Buffer>

let decoders: Promise<ReadonlyMap<string, DecodeContent>> | undefined

/** Called for the first encoded body, because most runs receive none. */
async function loadDecoders(): Promise<ReadonlyMap<string, DecodeContent>> {
  const { promisify } = await import('node:util')
  const { brotliDecompress, gunzip, inflate, zstdDecompress } = await import('node:zlib')
  return new Map<string, DecodeContent>([
    ['br', promisify(brotliDecompress)],
    ['deflate', promisify(inflate)],
    ['gzip', promisify(gunzip)],
    ['x-gzip', promisify(gunzip)],
    ['zstd', promisify(zstdDecompress)]
  ])
}

/** The decoder for a `Content-Encoding`; undefined if it is unknown or `identity`. */
export async function findDecoder(contentEncoding: string): Promise<DecodeContent | undefined> {
  decoders ??= loadDecoders()
  return (await decoders).get(contentEncoding.trim().toLowerCase())
}
