/** Tables in the order of their creation, so that references lead to earlier ones. */
const TABLES = `select c.oid, c.relname as name from pg_class c
  where c.relnamespace = $1::regnamespace and c.relkind = 'r' order by c.oid`
/** Generated columns are computed again. */
const COLUMNS = `select attname as name, format_type(atttypid, atttypmod) as type
  from pg_attribute
  where attrelid = $1 and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`
const SEQUENCES = 'select sequencename as name from pg_sequences where schemaname = $1 order by 1'
const MIGRATIONS_TABLE = 'nonet_steps'

/** Everything that a schema consists of, without names that PostgreSQL chooses. */
const CATALOG = {
  columns: `select table_name, column_name, data_type, collation_name, is_nullable, column_default,
    is_identity, generation_expression from information_schema.columns where table_schema = $1
    order by table_name, ordinal_position`,
  indexes: 'select indexdef from pg_indexes where schemaname = $1 order by indexdef',
  constraints: `select conrelid::regclass::text as name, pg_get_constraintdef(oid) as rule
    from pg_constraint where connamespace = $1::regnamespace order by 1, 2`,
  functions: `select proname, prosrc from pg_proc where pronamespace = $1::regnamespace order by 1`,
  triggers: `select tgname, pg_get_triggerdef(t.oid) as rule from pg_trigger t
    join pg_class c on c.oid = tgrelid where c.relnamespace = $1::regnamespace
    and not tgisinternal order by 1`
}

/**
 * SQL that creates the schemas of the services with their own migrations and inserts all rows.
 * There is no pg_dump among the programs of the tests; `describeDatabase` tells whether a loaded
 * dump equals its source.
 */
export async function dumpDatabase(client, services) {
  const parts = []
  for (const { name, migrations } of services) {
    const schema = `nonet_${name}`
    const { rows } = await client.query('select to_regnamespace($1) as found', [schema])
    if (rows[0].found === null) continue
    await client.query(`set search_path to "${schema}"`)
    parts.push(
      `create schema "${schema}"`,
      `set search_path to "${schema}"`,
      `create table ${MIGRATIONS_TABLE} (step integer primary key, applied text not null)`,
      ...migrations.map((one) => (typeof one === 'string' ? one : one.postgres)),
      ...(await insertsOf(client, schema)),
      ...(await sequencesOf(client, schema))
    )
  }
  return `${parts.map((part) => part.trim().replace(/;$/, '')).join(';\n')};\n`
}

async function insertsOf(client, schema) {
  const { rows: tables } = await client.query(TABLES, [schema])
  const inserts = []
  for (const { oid, name } of tables) {
    const { rows: columns } = await client.query(COLUMNS, [oid])
    const names = columns.map((column) => `"${column.name}"`).join(', ')
    const values = columns.map((column) => `quote_nullable("${column.name}"::text)`)
    const sql = `select concat_ws(', ', ${values.join(', ')}) as row from "${name}" order by 1`
    const { rows } = await client.query(sql)
    if (rows.length === 0) continue
    inserts.push(
      `insert into "${name}" (${names}) values\n(${rows.map(({ row }) => row).join('),\n(')})`
    )
  }
  return inserts
}

/** `pg_sequences` does not tell the number of a sequence that was set but not used. */
async function sequencesOf(client, schema) {
  const { rows: sequences } = await client.query(SEQUENCES, [schema])
  const statements = []
  for (const { name } of sequences) {
    const { rows } = await client.query(`select last_value, is_called from "${name}"`)
    const [{ last_value: last, is_called: isCalled }] = rows
    statements.push(`select setval('"${name}"', ${last}, ${isCalled})`)
  }
  return statements
}

/** Catalog and rows of the schemas, to compare two databases. */
export async function describeDatabase(client, services) {
  const described = {}
  for (const { name } of services) {
    const schema = `nonet_${name}`
    const { rows: found } = await client.query('select to_regnamespace($1) as found', [schema])
    if (found[0].found === null) continue
    await client.query(`set search_path to "${schema}"`)
    for (const [kind, sql] of Object.entries(CATALOG)) {
      described[`${name} ${kind}`] = (await client.query(sql, [schema])).rows
    }
    described[`${name} rows`] = await insertsOf(client, schema)
    described[`${name} sequences`] = await sequencesOf(client, schema)
  }
  return described
}
