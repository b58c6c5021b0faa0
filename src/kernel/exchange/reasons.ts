/** Objects of an import that have the same reason. */
export interface Reason {
  reason: string
  count: number
  /** Ids or names of the first of them. */
  examples: readonly string[]
}

const EXAMPLES = 3
/** Reasons come from the imported files in part, such as names of damaged files. */
const MAX_REASONS = 100

/** Counts by reason. */
export class Reasons {
  readonly #byReason = new Map<string, { count: number; examples: string[] }>()

  add(reason: string, example: string): void {
    const isFull = this.#byReason.size >= MAX_REASONS && !this.#byReason.has(reason)
    const key = isFull ? 'other reasons' : reason
    const known = this.#byReason.get(key) ?? { count: 0, examples: [] }
    known.count++
    if (known.examples.length < EXAMPLES) known.examples.push(example)
    this.#byReason.set(key, known)
  }

  get list(): Reason[] {
    return [...this.#byReason].map(([reason, { count, examples }]) => ({ reason, count, examples }))
  }
}

export function totalOf(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, { count }) => sum + count, 0)
}

export function describeReason({ reason, count, examples }: Reason): string {
  const more = count > examples.length ? ', …' : ''
  return `${count} ${reason} (${examples.join(', ')}${more})`
}
