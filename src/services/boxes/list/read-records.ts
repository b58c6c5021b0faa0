import type { StoredRecord } from '../store/record.ts'
import { type RecordScan, type RecordScope, ROWS_AT_ONCE, type Row } from '../store/scan.ts'

/** Lists from this size on are sent while their records are read. */
export const STREAMED_BYTES = 256 * 1024
const GROUP_BYTES = 32 * 1024

export function sizeOf(rows: readonly Row[]): number {
  return rows.reduce((bytes, { size }) => bytes + size, 0)
}

/** A copy takes a fifth of the memory of a row of the driver, even without the text of either. */
export function withoutText({ pk, id, collection, created, updated, rev, size }: Row): Row {
  return { pk, id, collection, created, updated, rev, size, raw: null }
}

/** Frees the memory of texts, which a client that does not read would keep in use. */
export function dropTexts(rows: readonly Row[], kept?: ReadonlySet<Row>): void {
  for (const row of rows) if (!kept?.has(row)) row.raw = null
}

/** What is needed to read a record: a list of a thousand takes 100 KB less than with whole rows. */
export type RowReference = Pick<Row, 'pk' | 'size'> & { readonly raw: null }

/**
 * The references of rows without texts. The rows are removed from the array, because the caller, which
 * waits for the end of the response, keeps it in use.
 */
export function takeReferences(rows: Row[]): RowReference[] {
  const references = rows.map(({ pk, size }) => ({ pk, size, raw: null }))
  rows.length = 0
  return references
}

/**
 * Passes the records of rows to `render`, in their order; texts that the rows do not have are read a
 * few at a time. A record that was deleted since it was listed is left out. Only what `render`
 * returns is in memory while a client does not read.
 */
export async function* readRecords<Part>(
  scan: RecordScan,
  scope: RecordScope,
  rows: readonly (Row | RowReference)[],
  render: (records: readonly StoredRecord[]) => Part
): AsyncGenerator<Part> {
  for (let from = 0; from < rows.length; ) {
    const group = groupAt(rows, from)
    from += group.length
    yield render(await readGroup(scan, scope, group))
  }
}

/** At least one row; a long record is alone. */
function groupAt<T extends Row | RowReference>(rows: readonly T[], from: number): readonly T[] {
  let to = from
  let bytes = 0
  while (to < rows.length && to - from < ROWS_AT_ONCE) {
    bytes += rows[to]?.size ?? 0
    if (to > from && bytes > GROUP_BYTES) break
    to += 1
  }
  return rows.slice(from, to)
}

async function readGroup(
  scan: RecordScan,
  scope: RecordScope,
  group: readonly (Row | RowReference)[]
): Promise<StoredRecord[]> {
  const pks = group.filter(({ raw }) => raw === null).map(({ pk }) => pk)
  const read = pks.length === 0 ? [] : await scan.readRows(scope, pks)
  const found = new Map(read.map((row) => [row.pk, row]))
  const records: StoredRecord[] = []
  for (const row of group) {
    const current = 'id' in row && row.raw !== null ? row : found.get(row.pk)
    const raw = current && (current.raw ?? (await scan.readText(current.pk)))
    if (current !== undefined && raw !== undefined) records.push({ ...current, raw })
  }
  return records
}
