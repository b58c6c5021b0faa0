const FIRST_SIZE = 1024

/** Ids of posts in eight bytes each, to find those that occur twice. */
export class PostIds {
  #ids = new BigUint64Array(FIRST_SIZE)
  #count = 0

  add(id: string): void {
    if (this.#count === this.#ids.length) {
      const larger = new BigUint64Array(2 * this.#count)
      larger.set(this.#ids)
      this.#ids = larger
    }
    this.#ids[this.#count++] = BigInt(id)
  }

  get count(): number {
    return this.#count
  }

  /** Undefined if all are different. */
  findRepeated(): string | undefined {
    const sorted = this.#ids.subarray(0, this.#count).sort()
    const position = sorted.findIndex((id, index) => index > 0 && id === sorted[index - 1])
    return position === -1 ? undefined : String(sorted[position])
  }
}
