import type { ClientBase } from 'pg'
import { UserError } from '../errors.ts'

const OLDEST_VERSION = 12

/** What the server says about itself and about the user of the connection. */
export interface ServerFacts {
  /** `150004` for 15.4. */
  version: number
  encoding: string
  user: string
  database: string
  /** Whether the user may create schemas. */
  createsSchemas: boolean
  /** A standby, or a database that is set to read-only. */
  readOnly: boolean
}

const FACTS = `select current_setting('server_version_num')::int as version,
  current_setting('server_encoding') as encoding, current_user::text as "user",
  current_database()::text as database,
  has_database_privilege(current_database(), 'CREATE') as creates,
  current_setting('transaction_read_only') = 'on' as "readOnly"`

export async function serverFacts(client: ClientBase): Promise<ServerFacts> {
  const { rows } = await client.query(FACTS)
  const { creates, readOnly, ...facts } = rows[0] ?? {}
  return { ...facts, createsSchemas: creates === 1, readOnly: readOnly === 1 }
}

/** Throws if nonet cannot store its data in the database. */
export async function requireSuitable(client: ClientBase): Promise<ServerFacts> {
  const facts = await serverFacts(client)
  const problem = unsuitable(facts)
  if (problem === undefined) return facts
  throw new UserError(`Cannot use the database "${facts.database}": ${problem}`)
}

function unsuitable({ encoding, version, readOnly }: ServerFacts): string | undefined {
  if (encoding !== 'UTF8') {
    return (
      `its encoding ${encoding} cannot store all text; create another one with ` +
      'createdb -E UTF8 -T template0 <name> and use that (nonet copy moves existing data)'
    )
  }
  const major = Math.floor(version / 10_000)
  if (major < OLDEST_VERSION) {
    return `PostgreSQL ${major} is too old; use version ${OLDEST_VERSION} or newer`
  }
  if (readOnly) {
    return 'it is read-only; use the primary server, or set default_transaction_read_only to off'
  }
  return undefined
}

/** How a user without the right to create schemas gets one. */
export function schemaAdvice(schema: string, { user, database }: ServerFacts): string {
  return (
    `create it for that user (create schema ${schema} authorization "${user}"), ` +
    `or let the user create schemas (grant create on database "${database}" to "${user}")`
  )
}
