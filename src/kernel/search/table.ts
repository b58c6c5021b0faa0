import type { Migration } from '../database/database.ts'
import { chunkSize, multiRowSql } from '../database/insert-batching.ts'
import { query, type Transaction } from '../database/transaction.ts'
import { indexText, type SearchDocument } from './document.ts'
import { extendMonths } from './months.ts'

const SORT_KEY = /^\d{19}$/
export const LAST_SORT_KEY = '9223372036854775807'

/**
 * Tables of documents to search. Both engines have the same table, which backups contain; the
 * index follows it by triggers on SQLite and as a generated column on PostgreSQL. The row number
 * in the index of SQLite is the sort key, so that matches are read in their order.
 */
export function searchMigration(table: string): Migration {
  return { sqlite: sqliteTables(table), postgres: postgresTables(table) }
}

function sqliteTables(table: string): string {
  const add = `insert into ${table}_index (rowid, words) values (cast(new.sort_key as integer), new.words)`
  const remove = `delete from ${table}_index where rowid = cast(old.sort_key as integer)`
  return `
    create table ${table} (sort_key text primary key, time integer not null, words text not null) without rowid;
    create table ${table}_months (month integer primary key, first_key text not null, last_key text not null);
    create virtual table ${table}_index using fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii');
    create trigger ${table}_inserted after insert on ${table} begin ${add}; end;
    create trigger ${table}_updated after update on ${table} begin ${remove}; ${add}; end;
    create trigger ${table}_deleted after delete on ${table} begin ${remove}; end`
}

/** New entries of the index wait in a list that each search reads, so the list is kept short. */
function postgresTables(table: string): string {
  return `
    create table ${table} (
      sort_key text collate "C" primary key, time bigint not null, words text not null,
      vector tsvector generated always as (to_tsvector('pg_catalog.simple'::regconfig, words)) stored);
    create table ${table}_months (
      month bigint primary key, first_key text collate "C" not null, last_key text collate "C" not null);
    create index ${table}_vector on ${table} using gin (vector) with (gin_pending_list_limit = 64)`
}

/** Adds the document or replaces it; an equal document is not written again. */
export function writeDocument(table: string, document: SearchDocument): Transaction<void> {
  return writeDocuments(table, [document])
}

/** Takes fewer statements than one by one; of documents with the same sort key the last counts. */
export function* writeDocuments(
  table: string,
  documents: readonly SearchDocument[]
): Transaction<void> {
  for (const { sortKey } of documents) requireSortKey(sortKey)
  const unique = [...new Map(documents.map((document) => [document.sortKey, document])).values()]
  const insert = `insert into ${table} (sort_key, time, words) values (?, ?, ?)
     on conflict (sort_key) do update set time = excluded.time, words = excluded.words
     where ${table}.time <> excluded.time or ${table}.words <> excluded.words`
  const rows = unique.map((document) => [document.sortKey, document.time, indexText(document)])
  for (let done = 0; done < rows.length; ) {
    const size = chunkSize(rows.length - done, 3)
    yield* query(multiRowSql(insert, size), ...rows.slice(done, done + size).flat())
    done += size
  }
  yield* extendMonths(table, unique)
}

export function* removeDocument(table: string, sortKey: string): Transaction<void> {
  yield* query(`delete from ${table} where sort_key = ?`, sortKey)
}

export function requireSortKey(sortKey: string): void {
  if (SORT_KEY.test(sortKey) && sortKey <= LAST_SORT_KEY) return
  throw new RangeError(`${sortKey} is not a sort key of 19 digits up to ${LAST_SORT_KEY}`)
}
