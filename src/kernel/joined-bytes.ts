/** Shorter pieces are copied: a Buffer of its own takes about 400 bytes, however short it is. */
const MIN_OWN_BYTES = 4096
const MIN_BLOCK_BYTES = 8 * 1024
const MAX_BLOCK_BYTES = 64 * 1024

/** Collects the pieces of a body in about as much memory as their bytes take. */
export class JoinedBytes {
  size = 0
  #parts: Buffer<ArrayBuffer>[] = []
  /** Short pieces are copied into this block; bytes before `#start` are already in `#parts`. */
  #block: Buffer<ArrayBuffer> | undefined
  #start = 0
  #end = 0

  add(piece: Uint8Array): void {
    const isFirst = this.size === 0
    this.size += piece.length
    // A piece of a larger buffer would keep all of it in memory.
    const isOwn = piece.length >= MIN_OWN_BYTES && piece.buffer.byteLength <= 2 * piece.length
    if (isFirst || isOwn) {
      this.#closePart()
      this.#parts.push(toBuffer(piece))
    } else this.#copy(piece)
  }

  /** All bytes in one Buffer; the pieces are forgotten. */
  take(): Buffer<ArrayBuffer> {
    this.#closePart()
    const [only] = this.#parts
    const isOne = this.#parts.length === 1 && only !== undefined
    const bytes = isOne ? only : Buffer.concat(this.#parts, this.size)
    this.clear()
    return bytes
  }

  clear(): void {
    this.size = 0
    this.#parts = []
    this.#block = undefined
    this.#start = 0
    this.#end = 0
  }

  #copy(piece: Uint8Array): void {
    if (this.#block === undefined || this.#block.length - this.#end < piece.length) {
      this.#closePart()
      const wanted = Math.min(Math.max(this.size, MIN_BLOCK_BYTES), MAX_BLOCK_BYTES)
      this.#block = Buffer.allocUnsafeSlow(Math.max(wanted, piece.length))
      this.#start = 0
      this.#end = 0
    }
    this.#block.set(piece, this.#end)
    this.#end += piece.length
  }

  #closePart(): void {
    if (this.#block === undefined || this.#end === this.#start) return
    this.#parts.push(this.#block.subarray(this.#start, this.#end))
    this.#start = this.#end
  }
}

/** Bodies are never in shared memory. */
function toBuffer(piece: Uint8Array): Buffer<ArrayBuffer> {
  if (Buffer.isBuffer(piece)) return piece as Buffer<ArrayBuffer>
  return Buffer.from(piece.buffer as ArrayBuffer, piece.byteOffset, piece.length)
}
