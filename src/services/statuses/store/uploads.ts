import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { addReferences, releaseReferences } from '../../../kernel/files/table.ts'
import { FileUnknown } from '../contract.ts'
import type { StoredFile } from '../import/protocol.ts'

interface UploadRow {
  hash: string
  media_type: string
  width: number
  height: number
  size: number
}

/** Rows per statement. */
const GROUP = 50
const COLUMNS = 'u.hash, u.media_type, u.width, u.height, u.size'

function fileOf(row: UploadRow): StoredFile {
  const { hash, width, height, size } = row
  return { hash, mediaType: row.media_type, width, height, size }
}

/** Tells the type and size of a file; rows refer to it later. */
export function* writeUpload(file: StoredFile): Transaction<void> {
  const { hash, mediaType, width, height, size } = file
  yield* query(
    `insert into uploads (hash, media_type, width, height, size) values (?, ?, ?, ?, ?)
     on conflict (hash) do nothing`,
    ...[hash, mediaType, width, height, size]
  )
}

/** By hash; throws if one was not uploaded. */
export function* readUploads(hashes: readonly string[]): Transaction<Map<string, StoredFile>> {
  const found = new Map<string, StoredFile>()
  for (const group of fullGroupsOf([...new Set(hashes)], GROUP)) {
    const sql = `select ${COLUMNS} from uploads u where u.hash in (${placeholders(GROUP)})`
    for (const row of yield* query<UploadRow>(sql, ...group)) found.set(row.hash, fileOf(row))
  }
  const missing = hashes.find((hash) => !found.has(hash))
  if (missing !== undefined) throw new FileUnknown(missing)
  return found
}

/** Files of archives that are stored, by the keys of the import command. */
export function* readSources(keys: readonly string[]): Transaction<Map<string, StoredFile>> {
  const found = new Map<string, StoredFile>()
  for (const group of fullGroupsOf([...new Set(keys)], GROUP)) {
    const rows = yield* query<UploadRow & { source_key: string }>(
      `select s.source_key, ${COLUMNS} from sources s join uploads u on u.hash = s.hash
       join files f on f.hash = s.hash and f.refs > 0
       where s.source_key in (${placeholders(GROUP)})`,
      ...group
    )
    for (const row of rows) found.set(row.source_key, fileOf(row))
  }
  return found
}

export interface FileUse {
  hash: string
  sourceKey: string | undefined
}

/** One reference for each use, and the files of the archive that they are. */
export function* useFiles(uses: readonly FileUse[]): Transaction<void> {
  if (uses.length === 0) return
  const uploads = yield* readUploads(uses.map(({ hash }) => hash))
  yield* addReferences(uses.flatMap(({ hash }) => uploads.get(hash) ?? []))
  for (const { hash, sourceKey } of uses) {
    if (sourceKey === undefined) continue
    yield* query(
      `insert into sources (source_key, hash) values (?, ?)
       on conflict (source_key) do update set hash = excluded.hash where sources.hash <> excluded.hash`,
      ...[sourceKey, hash]
    )
  }
}

export function* releaseFiles(hashes: readonly string[]): Transaction<void> {
  if (hashes.length > 0) yield* releaseReferences(hashes)
}

/** Facts about files that are removed. */
export function* forgetUploads(): Transaction<void> {
  const isGone = (table: string) =>
    `not exists (select 1 from files f where f.hash = ${table}.hash and f.refs > 0)`
  yield* query(`delete from sources where ${isGone('sources')}`)
}
