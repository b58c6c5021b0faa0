import { matches } from '../query/evaluate.ts'
import type { Candidate, Filter } from '../query/filter.ts'
import type { RecordScan, Row } from '../store/scan.ts'
import { parseQueryCopy } from '../text/query-copy.ts'
import type { ScanBudget } from './scan-budget.ts'

/** A row as the evaluator and the order see it. */
export function toCandidate(row: Row, raw: string): Candidate {
  const { pk, id, collection, created, updated } = row
  return {
    pk,
    id,
    collection,
    createdMs: created,
    updatedMs: updated,
    doc: parseQueryCopy(raw)
  }
}

/** Long texts come one at a time; a record that has gone meanwhile matches nothing. */
export async function keepMatches(
  scan: RecordScan,
  rows: readonly Row[],
  filter: Filter,
  budget: ScanBudget
): Promise<Row[]> {
  const kept: Row[] = []
  for (const row of rows) {
    if (row.raw === null) await budget.yieldToEventLoop()
    const raw = row.raw ?? (await scan.readText(row.pk))
    if (raw !== undefined && matches(filter, toCandidate(row, raw))) kept.push(row)
  }
  return kept
}
