import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { ServiceBackup } from '../../src/kernel/archive/portable.ts'
import type { Database, Engine } from '../../src/kernel/database/database.ts'
import { type DatabaseLocation, dropSchema, openDatabase } from '../../src/kernel/database/open.ts'
import { insertRow, query } from '../../src/kernel/database/transaction.ts'
import { createFiles, type StoredFile } from '../../src/kernel/files/files.ts'
import { openFileFolder } from '../../src/kernel/files/folder.ts'
import { addReferences, filesMigration, releaseReferences } from '../../src/kernel/files/table.ts'
import { postgresUrl } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'

/** The smallest service with files: each picture has a name and a file. */
export const PICTURES: ServiceBackup = {
  name: 'pictures',
  hasFiles: true,
  migrations: [
    'create table pictures (name text primary key, hash text not null)',
    filesMigration()
  ]
}

export async function* inChunks(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

export const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let count = 0

/** Tables and files of a data folder of its own. */
export function openHome(engine: Engine) {
  const folder = temporaryFolder()
  const root = join(folder.path, 'pictures', 'files')
  const suffix = `files_${process.pid}_${count++}`
  const place: DatabaseLocation =
    engine === 'sqlite'
      ? { engine, file: join(folder.path, 'pictures.sqlite'), durable: true }
      : { engine, url: postgresUrl(), schema: `nonet_pictures_${suffix}`, durable: true }
  const driver = openFileFolder(root, { durable: true })
  return {
    root,
    place,
    driver,
    files: createFiles(driver),
    storage: {
      folder: folder.path,
      ephemeral: false,
      suffix,
      database: engine === 'sqlite' ? undefined : postgresUrl()
    },
    pathOf: (hash: string) => join(root, hash.slice(0, 2), hash),
    openDatabase: () => openDatabase(place, { service: 'pictures', ...PICTURES }),
    async withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
      const database = await openDatabase(place, { service: 'pictures', ...PICTURES })
      try {
        return await work(database)
      } finally {
        await database.close()
      }
    },
    async [Symbol.asyncDispose]() {
      if (place.engine === 'postgres') await dropSchema(place)
      folder[Symbol.dispose]()
    }
  }
}

export type Home = ReturnType<typeof openHome>

export function addPicture(database: Database, name: string, file: StoredFile): Promise<void> {
  return database.write(function* () {
    yield* insertRow('pictures', { name, hash: file.hash })
    yield* addReferences([file])
  })
}

export function removePicture(database: Database, name: string): Promise<void> {
  return database.write(function* () {
    const removed = yield* query<{ hash: string }>(
      'delete from pictures where name = ? returning hash',
      name
    )
    yield* releaseReferences(removed.map(({ hash }) => hash))
  })
}

export async function referencesOf(database: Database): Promise<Record<string, number>> {
  const rows = await database.read(() =>
    query<{ hash: string; refs: number }>('select hash, refs from files order by hash')
  )
  return Object.fromEntries(rows.map(({ hash, refs }) => [hash, refs]))
}
