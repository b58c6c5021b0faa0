import type { Database } from '../../../kernel/database/database.ts'
import { query, queryAutocommit } from '../../../kernel/database/transaction.ts'
import { WorkspaceFull, WorkspaceUnknown } from '../contract.ts'

export interface NewUpload {
  readonly id: string
  /** JSON of the metadata. */
  readonly meta: string
  readonly content: Buffer
}

const HOME = 'select id from workspace where id = ?'
const STORED = 'select coalesce(sum(length(content)), 0) as bytes from upload where ws = ?'
const INSERT = 'insert into upload (ws, id, meta, content, at) values (?, ?, ?, ?, ?)'
const LIST = 'select meta from upload where ws = ? order by at desc, id limit ?'
const FIND = 'select meta from upload where ws = ? and id = ?'
const READ =
  'select substr(content, cast(? as integer), cast(? as integer)) as part ' +
  'from upload where ws = ? and id = ?'

export function uploadStore(
  database: Database,
  { maxStoredUploads }: { maxStoredUploads: number }
) {
  return {
    /** Stores all files or none. */
    addUploads: (ws: string, uploads: readonly NewUpload[], time: number): Promise<void> =>
      database.write(function* () {
        const [home] = yield* query(HOME, ws)
        if (home === undefined) throw new WorkspaceUnknown()
        const [stored] = yield* query<{ bytes: number }>(STORED, ws)
        const added = uploads.reduce((sum, { content }) => sum + content.length, 0)
        if (Number(stored?.bytes ?? 0) + added > maxStoredUploads) throw new WorkspaceFull()
        for (const { id, meta, content } of uploads)
          yield* query(INSERT, ws, id, meta, content, time)
      }),

    listUploads: (ws: string, limit: number) =>
      database.read(() => queryAutocommit<{ meta: string }>(LIST, ws, limit)),

    /** JSON of the metadata. */
    async findUpload(ws: string, id: string): Promise<string | undefined> {
      const [row] = await database.read(() => queryAutocommit<{ meta: string }>(FIND, ws, id))
      return row?.meta
    },

    /** The bytes of a file from an offset on. */
    async readUpload(ws: string, id: string, offset: number, length: number) {
      const [row] = await database.read(() =>
        queryAutocommit<{ part: Uint8Array }>(READ, offset + 1, length, ws, id)
      )
      return row?.part
    }
  }
}
