import type { ClientBase } from 'pg'
import { UserError } from '../errors.ts'
import { MIGRATIONS_TABLE, requireKnownVersion, type Schema } from './migrate.ts'
import { type ServerFacts, schemaAdvice } from './postgres-requirements.ts'

interface SchemaRights {
  uses: number
  creates: number
}

interface TableRights {
  name: string
  writes: number
  owns: number
}

const SCHEMA_RIGHTS = `select has_schema_privilege(oid, 'USAGE') as uses,
  has_schema_privilege(oid, 'CREATE') as creates from pg_namespace where nspname = $1`
const TABLE_RIGHTS = `select c.relname::text as name, pg_has_role(c.relowner, 'USAGE') as owns,
  has_table_privilege(c.oid, 'SELECT') and (c.relname = '${MIGRATIONS_TABLE}'
  or has_table_privilege(c.oid, 'INSERT') and has_table_privilege(c.oid, 'UPDATE')
  and has_table_privilege(c.oid, 'DELETE')) as writes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p') order by c.relname`

/** Returns the version of the tables, 0 if there are none; throws if nonet cannot use them. */
export async function inspectSchema(
  client: ClientBase,
  facts: ServerFacts,
  name: string,
  schema: Schema
): Promise<number> {
  const rights = await schemaRights(client, name)
  if (rights === undefined) {
    if (facts.createsSchemas) return 0
    throw new UserError(
      `user "${facts.user}" may not create the schema ${name}; ${schemaAdvice(name, facts)}`
    )
  }
  const tables = await requireTableRights(client, facts, name, rights)
  const version = await versionOf(client, name, tables)
  requireKnownVersion(schema, version, `the schema ${name}`)
  if (version < schema.migrations.length) requireMigrationRights(facts, name, rights, tables)
  return version
}

/** For a start, which would succeed and then fail for each request; a missing schema is created. */
export async function requireSchemaRights(
  client: ClientBase,
  facts: ServerFacts,
  name: string
): Promise<void> {
  const rights = await schemaRights(client, name)
  if (rights === undefined) return
  await requireTableRights(client, facts, name, rights).catch((cause: Error) => {
    if (!(cause instanceof UserError)) throw cause
    throw new UserError(`Cannot use the database "${facts.database}": ${cause.message}`, { cause })
  })
}

async function schemaRights(client: ClientBase, name: string): Promise<SchemaRights | undefined> {
  return (await client.query<SchemaRights>(SCHEMA_RIGHTS, [name])).rows[0]
}

async function requireTableRights(
  client: ClientBase,
  facts: ServerFacts,
  name: string,
  rights: SchemaRights
): Promise<readonly TableRights[]> {
  if (rights.uses === 0) throw missing(facts, `use the schema ${name}`, `usage on schema ${name}`)
  const tables = (await client.query<TableRights>(TABLE_RIGHTS, [name])).rows
  const locked = tables.find(({ writes }) => writes === 0)
  if (locked === undefined) return tables
  const grant = `select, insert, update, delete on all tables in schema ${name}`
  throw missing(facts, `read and write the table ${name}.${locked.name}`, grant)
}

async function versionOf(
  client: ClientBase,
  name: string,
  tables: readonly TableRights[]
): Promise<number> {
  if (!tables.some((table) => table.name === MIGRATIONS_TABLE)) return 0
  const { rows } = await client.query(`select max(step) as step from "${name}".${MIGRATIONS_TABLE}`)
  return Number(rows[0]?.step ?? 0)
}

function requireMigrationRights(
  facts: ServerFacts,
  name: string,
  { creates }: SchemaRights,
  tables: readonly TableRights[]
): void {
  if (creates === 0) {
    throw missing(facts, `create tables in the schema ${name}`, `create on schema ${name}`)
  }
  const other = tables.find(({ owns }) => owns === 0)
  if (other === undefined) return
  throw new UserError(
    `user "${facts.user}" may not change the table ${name}.${other.name}, which this version ` +
      `of nonet migrates; make it the owner (alter table ${name}.${other.name} owner to "${facts.user}")`
  )
}

function missing({ user }: ServerFacts, what: string, grant: string): UserError {
  return new UserError(
    `user "${user}" may not ${what}; grant the right (grant ${grant} to "${user}")`
  )
}
