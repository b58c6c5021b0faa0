/** Posts with the same reason. */
export interface Reason {
  reason: string
  count: number
  /** Ids or names of the first of them. */
  examples: readonly string[]
}

export interface ImportReport {
  account: string
  /** If there are several; the first one is `account`. */
  accounts?: readonly string[]
  dryRun: boolean
  added: number
  updated: number
  unchanged: number
  skipped: readonly Reason[]
  hidden: readonly Reason[]
  media: { uploaded: number; stored: number; missing: readonly Reason[] }
  warnings: readonly string[]
}

const EXAMPLES = 3
/** Reasons come from the archive in part, such as names of damaged files. */
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

/** The report as lines for the terminal. */
export function describeReport(report: ImportReport): string {
  const { account, dryRun, added, updated, unchanged, skipped, hidden, media } = report
  const verb = dryRun ? 'An import would store' : 'Imported'
  const left = total(skipped)
  const names = (report.accounts ?? [account]).map((name) => `@${name}`)
  const counts = `${added} added, ${updated} updated, ${unchanged} unchanged, ${left} skipped`
  const files = `${media.uploaded} uploaded, ${media.stored} stored already, ${total(media.missing)} missing`
  const lines = [
    `${verb} posts of ${names.join(', ')}: ${counts}`,
    ...(media.uploaded + media.stored + total(media.missing) > 0 ? [`Media: ${files}`] : []),
    ...skipped.map((one) => `Skipped: ${describeReason(one)}`),
    ...hidden.map((one) => `Hidden: ${describeReason(one)}`),
    ...media.missing.map((one) => `Media missing: ${describeReason(one)}`),
    ...report.warnings.map((warning) => `Warning: ${warning}`)
  ]
  return lines.join('\n  ')
}

function total(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, { count }) => sum + count, 0)
}

function describeReason({ reason, count, examples }: Reason): string {
  const more = count > examples.length ? ', …' : ''
  return `${count} ${reason} (${examples.join(', ')}${more})`
}
