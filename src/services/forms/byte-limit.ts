const FIRST_BYTES = 1024

/** Reads until the stream ends or exceeds `limit`; the result is then longer than `limit`. */
export async function readAtMost(
  stream: ReadableStream<Uint8Array> | null,
  limit: number
): Promise<Uint8Array<ArrayBuffer>> {
  // One growing array: keeping the chunks would take far more memory if they are short.
  let bytes = new Uint8Array(0)
  let size = 0
  if (stream === null) return bytes
  const reader = stream.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const end = size + part.value.length
    if (end > bytes.length) bytes = grow(bytes, size, Math.max(end, 2 * size, FIRST_BYTES))
    bytes.set(part.value, size)
    size = end
    if (size > limit) {
      await reader.cancel()
      break
    }
  }
  return bytes.subarray(0, size)
}

function grow(bytes: Uint8Array, used: number, length: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(length)
  longer.set(bytes.subarray(0, used))
  return longer
}
