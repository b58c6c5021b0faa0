import { describeReason, type Reason, totalOf } from '../../../../kernel/exchange/reasons.ts'

export interface Counts {
  added: number
  updated: number
  unchanged: number
}

export interface ImportReport {
  board: { id: string; name: string; slug: string; result: string }
  dryRun: boolean
  lists: Counts
  labels: Counts
  fields: Counts
  cards: Counts
  actions: Counts
  files: { uploaded: number; downloaded: number; stored: number; missing: readonly Reason[] }
  /** Objects that are left out. */
  skipped: readonly Reason[]
  /** Objects that are not stored exactly as in the file. */
  adjusted: readonly Reason[]
  notes: readonly string[]
}

export function noCounts(): Counts {
  return { added: 0, updated: 0, unchanged: 0 }
}

/** The report as lines for the terminal. */
export function describeReport(report: ImportReport): string {
  const { board, dryRun, cards, files, skipped, adjusted, notes } = report
  const verb = dryRun ? 'An import would store' : 'Imported'
  const parts = (['lists', 'labels', 'fields', 'actions'] as const).flatMap((name) => {
    const counts = report[name]
    const total = counts.added + counts.updated + counts.unchanged
    return total === 0 ? [] : [`${capital(name)}: ${describe(counts)}`]
  })
  const hasFiles = files.uploaded + files.downloaded + files.stored + totalOf(files.missing) > 0
  const lines = [
    `${verb} the board ${board.name} (${board.slug}): cards ${describe(cards)}, ${totalOf(skipped)} objects skipped`,
    ...parts,
    ...(hasFiles
      ? [
          `Files: ${files.uploaded} uploaded, ${files.downloaded} downloaded, ${files.stored} stored already, ${totalOf(files.missing)} missing`
        ]
      : []),
    ...skipped.map((one) => `Skipped: ${describeReason(one)}`),
    ...adjusted.map((one) => `Changed: ${describeReason(one)}`),
    ...files.missing.map((one) => `File missing: ${describeReason(one)}`),
    ...notes.map((note) => `Note: ${note}`)
  ]
  return lines.join('\n  ')
}

function describe({ added, updated, unchanged }: Counts): string {
  return `${added} added, ${updated} updated, ${unchanged} unchanged`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
