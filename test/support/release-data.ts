/** The data in `test/release/`, which the release before has written. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { ROOT } from './launcher.ts'
import type { Recording } from './recorded-requests.ts'
import { readZip } from './zip-archives.ts'

const FOLDER = join(ROOT, 'test/release')

/** The document of the mock, whose records are stored. */
export const DOCUMENT = join(FOLDER, 'api.json')
export const BACKUP = join(FOLDER, 'backup.nonet')

export const recording: Recording = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'))

/** Writes the files of the data folder whose names match; only their owner can read them. */
export async function extractFolder(target: string, names = /./): Promise<void> {
  for (const [name, content] of await readZip(join(FOLDER, 'folder.zip'))) {
    if (!names.test(name)) continue
    mkdirSync(dirname(join(target, name)), { recursive: true, mode: 0o700 })
    writeFileSync(join(target, name), content, { mode: 0o600 })
  }
}

export async function loadDump(url: string): Promise<void> {
  const client = await connectPostgres({ url })
  await client.query(readFileSync(join(FOLDER, 'dump.sql'), 'utf8'))
  await client.end()
}
