import { describeReason, type Reason, totalOf } from '../../../kernel/exchange/reasons.ts'

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

/** The report as lines for the terminal. */
export function describeReport(report: ImportReport): string {
  const { account, dryRun, added, updated, unchanged, skipped, hidden, media } = report
  const verb = dryRun ? 'An import would store' : 'Imported'
  const left = totalOf(skipped)
  const names = (report.accounts ?? [account]).map((name) => `@${name}`)
  const counts = `${added} added, ${updated} updated, ${unchanged} unchanged, ${left} skipped`
  const files = `${media.uploaded} uploaded, ${media.stored} stored already, ${totalOf(media.missing)} missing`
  const lines = [
    `${verb} posts of ${names.join(', ')}: ${counts}`,
    ...(media.uploaded + media.stored + totalOf(media.missing) > 0 ? [`Media: ${files}`] : []),
    ...skipped.map((one) => `Skipped: ${describeReason(one)}`),
    ...hidden.map((one) => `Hidden: ${describeReason(one)}`),
    ...media.missing.map((one) => `Media missing: ${describeReason(one)}`),
    ...report.warnings.map((warning) => `Warning: ${warning}`)
  ]
  return lines.join('\n  ')
}
