/**
 * Key of the advisory lock on a schema. Every connection that serves requests takes it shared
 * before its first transaction and keeps it until it ends; a restore takes it alone.
 */
export function inUseLockKey(schema: string): string {
  return `hashtext('${schema} in use')`
}

const HELD =
  'select locktype, mode, pid, transactionid, database, classid, objid, objsubid from pg_locks ' +
  "where granted and locktype in ('transactionid', 'advisory')"
const IS_PRESENT =
  "own.locktype = 'advisory' and own.objsubid = 1 and " +
  'own.database = (select oid from pg_database where datname = current_database()) and ' +
  "(own.classid::bigint << 32 | own.objid::bigint) = hashtext(current_schema() || ' in use')"

/**
 * SQL: a number that no running transaction on the tables of the current schema is below, and none
 * that begins later. `txid_snapshot_xmin` counts transactions of all databases of the server; here
 * a transaction counts unless the server names its connection and that one holds no lock on the
 * schema. The locks are read later than the snapshot, so that what has ended in between counts in
 * neither: only a later statement sees all that the transactions below the number have written.
 */
export const OLDEST_WRITER =
  `(with held as materialized (${HELD}) ` +
  'select coalesce(min(running), txid_snapshot_xmax(txid_current_snapshot())) ' +
  'from txid_snapshot_xip(txid_current_snapshot()) as running where not exists (' +
  "select 1 from held where held.locktype = 'transactionid' and held.mode = 'ExclusiveLock' " +
  // Locks are named by the lower half of the number.
  'and held.transactionid::text::bigint = running % 4294967296 ' +
  `and not exists (select 1 from held own where own.pid = held.pid and ${IS_PRESENT})))`
