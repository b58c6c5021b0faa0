import { createHash } from 'node:crypto'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceBackup } from '../../src/kernel/archive/portable.ts'
import type { Database, Engine } from '../../src/kernel/database/database.ts'
import { type DatabaseLocation, dropSchema, openDatabase } from '../../src/kernel/database/open.ts'
import { insertRow, query } from '../../src/kernel/database/transaction.ts'
import type { FileDriver } from '../../src/kernel/files/driver.ts'
import { createFiles, type StoredFile } from '../../src/kernel/files/files.ts'
import { openFileFolder } from '../../src/kernel/files/folder.ts'
import { openS3Files } from '../../src/kernel/files/s3.ts'
import { addReferences, filesMigration, releaseReferences } from '../../src/kernel/files/table.ts'
import type { S3Server } from '../clients/s3-server.ts'
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

/**
 * Tables and files of a data folder of its own; with `s3` the files are in a prefix of its own, and
 * marks of removals count for `markMs`.
 */
export function openHome(engine: Engine, s3?: S3Server, markMs?: number) {
  const folder = temporaryFolder()
  const root = join(folder.path, 'pictures', 'files')
  const suffix = `files_${process.pid}_${count++}`
  const place: DatabaseLocation =
    engine === 'sqlite'
      ? { engine, file: join(folder.path, 'pictures.sqlite'), durable: true }
      : { engine, url: postgresUrl(), schema: `nonet_pictures_${suffix}`, durable: true }
  const prefix = `home/${suffix}`
  const files = s3?.locationOf(prefix)
  const pathOf = (hash: string) => join(root, hash.slice(0, 2), hash)
  const keyOf = (hash: string) => `${prefix}/pictures/${hash.slice(0, 2)}/${hash}`
  const openDriver = (): FileDriver =>
    files === undefined
      ? openFileFolder(root, { durable: true })
      : openS3Files(files, { name: 'pictures', folder: root, markMs })
  const driver = openDriver()
  return {
    root,
    place,
    driver,
    files: createFiles(driver),
    openDriver,
    /** Makes the file look as if it had been stored long ago. */
    age: (hash: string) =>
      s3 === undefined ? utimesSync(pathOf(hash), 1, 1) : s3.age(keyOf(hash)),
    /** Names of all that is stored or incomplete. */
    stored(): string[] {
      const keys = s3?.keys().filter((key) => key.startsWith(`${prefix}/`)) ?? []
      const names = keys.map((key) => key.slice(key.lastIndexOf('/') + 1))
      if (!existsSync(root)) return names.sort()
      const entries = readdirSync(root, { recursive: true, withFileTypes: true })
      return [...names, ...entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []))].sort()
    },
    storage: {
      files,
      folder: folder.path,
      ephemeral: false,
      suffix,
      database: engine === 'sqlite' ? undefined : postgresUrl()
    },
    pathOf,
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
      await driver.close()
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
