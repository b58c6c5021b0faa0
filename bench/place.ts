import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPostgresServer } from '../test/support/postgres-server.ts'

/** Where one nonet keeps its data. */
export interface Place {
  flags: string[]
  remove: () => Promise<void>
}

export type OpenPlace = () => Promise<Place>

export async function openFolder(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  return {
    flags: ['--data', folder],
    remove: async () => rmSync(folder, { recursive: true, force: true })
  }
}

export async function openServer(binaries: string): Promise<Place> {
  const folder = await openFolder()
  const server = await createPostgresServer({ binaries, fsync: true })
  await server.start()
  return {
    flags: [...folder.flags, '--database', server.url],
    remove: async () => {
      await server.close()
      await folder.remove()
    }
  }
}

export function findPostgres(): string | undefined {
  if (process.env.NONET_POSTGRES_BIN) return process.env.NONET_POSTGRES_BIN
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const folders = versions.map((version) => join(debian, version, 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'initdb')))
}
