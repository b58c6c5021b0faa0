/** Numbers of up to 32 bits take 1 to 5 bytes: seven bits each, the lowest first. */
export class BytesWriter {
  readonly #bytes: Buffer
  #length = 0

  /** Of at most so many bytes. */
  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(capacity)
  }

  number(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  bytes(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}

/** Throws a RangeError at the end of the bytes. */
export class BytesReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  number(): number {
    let value = 0
    for (let scale = 1; scale <= 0x1000_0000; scale *= 0x80) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) break
      value += (byte & 0x7f) * scale
      if (byte <= 0x7f) return value
    }
    throw new RangeError('The bytes of an index end early')
  }

  bytes(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RangeError('The bytes of an index end early')
    const bytes = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return bytes
  }

  text(length: number): string {
    return this.bytes(length).toString()
  }
}
