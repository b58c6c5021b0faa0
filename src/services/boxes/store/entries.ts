import type { Engine } from '../../../kernel/database/database.ts'
import { groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'
import { entriesOf, FLAVOURS, type Flavour } from '../query/index-key.ts'
import { parseQueryCopy } from '../text/query-copy.ts'
import type { BoxIndex } from './rules.ts'

/** Numbers that each index uses in `entries.path`. */
export const FLAVOURS_PER_INDEX = 4

export function pathNumber(index: number, flavour: Flavour): number {
  return index * FLAVOURS_PER_INDEX + FLAVOURS[flavour]
}

interface EntryRow {
  readonly path: number
  readonly key: Uint8Array
  readonly rec: number
}

/** The columns of a record that indexes need. */
export interface Indexed {
  readonly pk: number
  readonly raw: string
}

function rowsOf({ pk, raw }: Indexed, indexes: readonly BoxIndex[]): EntryRow[] {
  const doc = parseQueryCopy(raw)
  return indexes.flatMap(({ number, path }) =>
    entriesOf(doc, path).map(({ flavour, key }) => {
      return { path: pathNumber(number, flavour), key, rec: pk }
    })
  )
}

/** Rows per statement; on PostgreSQL each statement is a round trip. */
const GROUP_SIZES: Readonly<Record<Engine, readonly number[]>> = {
  sqlite: [1],
  postgres: [100, 10, 1]
}
const CASTS: Readonly<Record<Engine, string>> = {
  sqlite: '(?, ?, ?, ?)',
  postgres: '(?::bigint, ?::bigint, ?::bytea, ?::bigint)'
}

function* inGroups(
  box: number,
  rows: readonly EntryRow[],
  engine: Engine,
  statement: (values: string) => string
): Transaction<void> {
  for (const some of groupsOf(rows, GROUP_SIZES[engine])) {
    const args = some.flatMap(({ path, key, rec }): SqlValue[] => [box, path, key, rec])
    yield* query(statement(placeholders(some.length, CASTS[engine])), ...args)
  }
}

/** An entry may exist already, because records are written while an index is built. */
const ADD = (values: string) =>
  `insert into entries (box, path, key, rec) values ${values} on conflict do nothing`
const REMOVE = (values: string) =>
  `delete from entries where (box, path, key, rec) in (values ${values})`

type WriteEntries = (
  box: number,
  indexes: readonly BoxIndex[] | undefined,
  records: readonly Indexed[],
  engine: Engine
) => Transaction<void>

function entryWriter(statement: (values: string) => string): WriteEntries {
  return function* writeEntries(box, indexes = [], records, engine) {
    if (indexes.length === 0) return
    const rows = records.flatMap((record) => rowsOf(record, indexes))
    yield* inGroups(box, rows, engine, statement)
  }
}

export const addEntries = entryWriter(ADD)
export const removeEntries = entryWriter(REMOVE)

/** Writes only the entries that differ. */
export function* changeEntries(
  box: number,
  indexes: readonly BoxIndex[] = [],
  { pk, raw }: Indexed,
  newRaw: string,
  engine: Engine
): Transaction<void> {
  if (indexes.length === 0) return
  const nameOf = ({ path, key }: EntryRow) => `${path} ${Buffer.from(key).toString('latin1')}`
  const old = new Map(rowsOf({ pk, raw }, indexes).map((row) => [nameOf(row), row]))
  const fresh = new Map(rowsOf({ pk, raw: newRaw }, indexes).map((row) => [nameOf(row), row]))
  const gone = [...old].filter(([name]) => !fresh.has(name)).map(([, row]) => row)
  const added = [...fresh].filter(([name]) => !old.has(name)).map(([, row]) => row)
  yield* inGroups(box, gone, engine, REMOVE)
  yield* inGroups(box, added, engine, ADD)
}
