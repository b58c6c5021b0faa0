import type { Migration } from '../database/database.ts'
import { chunkSize, multiRowSql } from '../database/insert-batching.ts'
import { query, type Transaction } from '../database/transaction.ts'
import type { StoredFile } from './files.ts'

export const FILES_TABLE = 'files'
/** The id of the folder that contains the files; not in backups, which have no folder. */
export const FOLDER_TABLE = 'nonet_files_folder'

/**
 * For the migrations of a service with `hasFiles`; never changed once released. `files` counts the
 * references to each file.
 */
export function filesMigration(): Migration {
  return { sqlite: tables('text', 'integer'), postgres: tables('text collate "C"', 'bigint') }
}

function tables(text: string, integer: string): string {
  return `
    create table files (
      hash ${text} primary key,
      size ${integer} not null,
      refs ${integer} not null check (refs >= 0)
    );
    create table ${FOLDER_TABLE} (id text primary key)`
}

const ADD = `insert into files (hash, size, refs) values (?, ?, ?)
  on conflict (hash) do update set refs = files.refs + excluded.refs`

/** One reference for each element; belongs to the transaction that writes the referring rows. */
export function* addReferences(files: readonly StoredFile[]): Transaction<void> {
  const sizes = new Map(files.map(({ hash, size }) => [hash, size]))
  const rows = [...countByHash(files.map(({ hash }) => hash))].map(([hash, refs]) => [
    hash,
    sizes.get(hash) ?? 0,
    refs
  ])
  for (let done = 0; done < rows.length; ) {
    const size = chunkSize(rows.length - done, 3)
    yield* query(multiRowSql(ADD, size), ...rows.slice(done, done + size).flat())
    done += size
  }
}

/** Takes one reference for each element; files without any are removed later. */
export function* releaseReferences(hashes: readonly string[]): Transaction<void> {
  const counts = [...countByHash(hashes)]
  for (const refs of new Set(counts.map(([, count]) => count))) {
    const some = counts.flatMap(([hash, count]) => (count === refs ? [hash] : []))
    for (let done = 0; done < some.length; ) {
      const size = chunkSize(some.length - done, 1)
      const marks = Array(size).fill('?').join(', ')
      yield* query(
        `update files set refs = refs - ? where hash in (${marks})`,
        refs,
        ...some.slice(done, done + size)
      )
      done += size
    }
  }
}

/** In the order of the hashes, so that transactions lock their rows in the same order. */
function countByHash(hashes: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const hash of hashes.toSorted()) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  return counts
}

export interface FileRow extends StoredFile {
  refs: number
}

/** Rows of the hashes that begin with these digits. */
export function rowsWithPrefix(prefix: string): Transaction<readonly FileRow[]> {
  const sql = 'select hash, size, refs from files where hash >= ? and hash < ? order by hash'
  return query<FileRow>(sql, prefix, `${prefix}g`)
}

export function* isReferenced(hash: string): Transaction<boolean> {
  const rows = yield* query('select 1 from files where hash = ? and refs > 0', hash)
  return rows.length > 0
}

export function* forgetUnused(hash: string): Transaction<void> {
  yield* query('delete from files where hash = ? and refs = 0', hash)
}

export function* registeredFolder(): Transaction<string | undefined> {
  const [row] = yield* query<{ id: string }>(`select id from ${FOLDER_TABLE}`)
  return row?.id
}

/** Unless one is registered; returns the id that is registered now. */
export function* registerFolder(id: string): Transaction<string> {
  const registered = yield* registeredFolder()
  if (registered !== undefined) return registered
  yield* query(`insert into ${FOLDER_TABLE} (id) values (?)`, id)
  return id
}

export function* replaceFolder(id: string): Transaction<void> {
  yield* query(`delete from ${FOLDER_TABLE}`)
  yield* query(`insert into ${FOLDER_TABLE} (id) values (?)`, id)
}
