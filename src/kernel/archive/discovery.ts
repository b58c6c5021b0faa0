import type { DatabaseSync } from 'node:sqlite'
import type { ClientBase } from 'pg'
import { MIGRATIONS_TABLE } from '../database/migrate.ts'
import { FOLDER_TABLE } from '../files/table.ts'
import type { ServiceBackup } from './portable.ts'

/** Name and columns of a table in the schema. */
export interface TableColumns {
  table: string
  columns: readonly string[]
}

interface Column {
  table: string
  column: string
}

interface Reference {
  table: string
  parent: string
}

/** Tables about this database and its data folder, not about the data. */
const OWN_TABLES = `('${MIGRATIONS_TABLE}', '${FOLDER_TABLE}')`

// Excludes generated columns (hidden = 2, 3) and virtual tables, which can be rebuilt.
const SQLITE_COLUMNS = `
  select list.name as "table", info.name as "column"
  from pragma_table_list as list, pragma_table_xinfo(list.name) as info
  where list.schema = 'main' and list.type = 'table' and info.hidden = 0
    and list.name not like 'sqlite\\_%' escape '\\' and list.name not in ${OWN_TABLES}
  order by list.name, info.cid`
const SQLITE_REFERENCES = `
  select list.name as "table", keys."table" as parent
  from pragma_table_list as list, pragma_foreign_key_list(list.name) as keys
  where list.schema = 'main'`

const POSTGRES_COLUMNS = `
  select c.relname as "table", a.attname as "column"
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not in ${OWN_TABLES} and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  order by c.relname, a.attnum`
const POSTGRES_REFERENCES = `
  select t.relname as "table", p.relname as parent
  from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class p on p.oid = k.confrelid
  where k.contype = 'f' and k.connamespace = to_regnamespace(quote_ident($1))`

/** All tables and columns of the schema, except columns that the service recomputes. */
export function discoverSqlite(raw: DatabaseSync, stored: ServiceBackup): TableColumns[] {
  const columns = raw.prepare(SQLITE_COLUMNS).all()
  const references = raw.prepare(SQLITE_REFERENCES).all()
  return arrange(stored, columns as unknown[] as Column[], references as unknown[] as Reference[])
}

export async function discoverPostgres(
  client: ClientBase,
  schema: string,
  stored: ServiceBackup
): Promise<TableColumns[]> {
  const columns = await client.query<Column>(POSTGRES_COLUMNS, [schema])
  const references = await client.query<Reference>(POSTGRES_REFERENCES, [schema])
  return arrange(stored, columns.rows, references.rows)
}

function arrange(
  { derived = {} }: ServiceBackup,
  columns: readonly Column[],
  references: readonly Reference[]
): TableColumns[] {
  const shapes = new Map<string, string[]>()
  for (const { table, column } of columns) {
    if (!shapes.has(table)) shapes.set(table, [])
    if (!derived[table]?.columns.includes(column)) shapes.get(table)?.push(column)
  }
  return parentsFirst([...shapes.keys()], references).map((table) => ({
    table,
    // Sorted by name, because migrations may have added them in another order per engine.
    columns: (shapes.get(table) ?? []).sort()
  }))
}

/** Orders tables so that referenced rows are inserted before the rows that refer to them. */
function parentsFirst(tables: readonly string[], references: readonly Reference[]): string[] {
  const ordered = new Set<string>()
  const added = new Set<string>()
  function addWithReferences(table: string): void {
    if (added.has(table)) return
    added.add(table)
    for (const reference of references)
      if (reference.table === table) addWithReferences(reference.parent)
    ordered.add(table)
  }
  for (const table of tables) addWithReferences(table)
  return [...ordered]
}
