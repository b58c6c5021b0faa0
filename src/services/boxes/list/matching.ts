import { matches } from '../query/evaluate.ts'
import type { Candidate, Filter } from '../query/filter.ts'
import type { RecordScan, Row } from '../store/scan.ts'
import { parseQueryCopy } from '../text/query-copy.ts'
import type { ScanBudget } from './scan-budget.ts'

/** A row in the form that the evaluator and the sort order need. */
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

/** Reads long records one at a time; a record that was deleted meanwhile does not match. */
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
