import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFileDriver } from '../../../test/support/file-driver-table.ts'
import { scratchFolder } from '../../../test/support/scratch-folder.ts'
import { createFiles } from './files.ts'
import { openFileFolder } from './folder.ts'

function openSite() {
  const root = join(scratchFolder(), 'service', 'files')
  const pathOf = (hash: string) => join(root, hash.slice(0, 2), hash)
  const openAgain = () => openFileFolder(root, { durable: true })
  return {
    driver: openAgain(),
    openAgain,
    pathOf,
    names() {
      if (!existsSync(root)) return []
      const entries = readdirSync(root, { recursive: true, withFileTypes: true })
      return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()
    },
    age: (hash: string) => utimesSync(pathOf(hash), 1, 1),
    damage: (hash: string, content: string) => writeFileSync(pathOf(hash), content)
  }
}

testFileDriver('files in a folder', openSite)

test('only the owner can read a file in a folder', async () => {
  const { driver, pathOf } = openSite()
  async function* once() {
    yield Buffer.from('a')
  }
  const { hash } = await createFiles(driver).put(once())
  assert.equal(statSync(pathOf(hash)).mode & 0o777, 0o600)
  assert.equal(statSync(join(pathOf(hash), '..')).mode & 0o777, 0o700)
})
