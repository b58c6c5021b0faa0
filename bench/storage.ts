import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPostgresServer } from '../test/support/postgres-server.ts'

/** Where one nonet process stores its data. */
export interface StorageLocation {
  flags: string[]
  remove: () => Promise<void>
  /** Of the first process of a PostgreSQL server, whose children serve the connections. */
  serverPid?: number
}

export interface Engine {
  name: string
  /** Creates a location that is used by no other process. */
  open: () => Promise<StorageLocation>
}

export const SQLITE: Engine = { name: 'SQLite', open: openFolder }

/** Undefined if PostgreSQL is not installed. */
export function findPostgres(): Engine | undefined {
  const binaries = findBinaries()
  if (binaries === undefined) return undefined
  return { name: 'PostgreSQL', open: () => openServer(binaries) }
}

async function openFolder(): Promise<StorageLocation> {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  return {
    flags: ['--data', folder],
    remove: async () => rmSync(folder, { recursive: true, force: true })
  }
}

async function openServer(binaries: string): Promise<StorageLocation> {
  const folder = await openFolder()
  const server = await createPostgresServer({ binaries, fsync: true })
  await server.start()
  return {
    flags: [...folder.flags, '--database', server.url],
    serverPid: server.processId(),
    remove: async () => {
      await server.close()
      await folder.remove()
    }
  }
}

function findBinaries(): string | undefined {
  if (process.env.NONET_POSTGRES_BIN) return process.env.NONET_POSTGRES_BIN
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const folders = versions.map((version) => join(debian, version, 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'initdb')))
}
