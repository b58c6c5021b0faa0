/** Rejects if the bytes are not of this coding, or are more than `maxOutputLength` decoded. */
export type DecodeContent = (
  bytes: Uint8Array,
  options: { maxOutputLength: number }
) => Promise<Buffer>

let decoders: Promise<ReadonlyMap<string, DecodeContent>> | undefined

/** Loaded with the first coded body: most runs have none. */
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

/** By the value of `Content-Encoding`; undefined for one that is not known, `identity` included. */
export async function findDecoder(contentEncoding: string): Promise<DecodeContent | undefined> {
  decoders ??= loadDecoders()
  return (await decoders).get(contentEncoding.trim().toLowerCase())
}
