/**
 * Key of the advisory lock on a schema. Every connection that serves requests holds it shared from
 * before its first transaction until it is closed; a restore takes it exclusively.
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
 * SQL: a number such that no running or later transaction on the tables of the current schema is
 * below it. `txid_snapshot_xmin` counts transactions of all databases of the server; here a
 * transaction is ignored if its connection is known and holds no lock on the schema. The locks are
 * read after the snapshot, so a transaction that ends in between is in neither. Therefore only a
 * later statement sees everything that the transactions below the number have written.
 */
export const OLDEST_WRITER =
  `(with held as materialized (${HELD}) ` +
  'select coalesce(min(running), txid_snapshot_xmax(txid_current_snapshot())) ' +
  'from txid_snapshot_xip(txid_current_snapshot()) as running where not exists (' +
  "select 1 from held where held.locktype = 'transactionid' and held.mode = 'ExclusiveLock' " +
  // Locks contain the lower 32 bits of the number.
  'and held.transactionid::text::bigint = running % 4294967296 ' +
  `and not exists (select 1 from held own where own.pid = held.pid and ${IS_PRESENT})))`
