/**
 * A map that forgets what was not asked for lately: callers' filters become statements, so
 * nothing kept per text may grow without end. Two generations cost less than exact order.
 */
export class Recent<Value> {
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  get(key: string, create: (key: string) => Value): Value {
    const found = this.#young.get(key)
    if (found !== undefined) return found
    const value = this.#old.get(key) ?? create(key)
    if (this.#young.size >= this.#size) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
    return value
  }
}
