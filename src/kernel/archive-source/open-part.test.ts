import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { rawZip } from '../../../test/support/raw-zip.ts'
import { scratchFolder } from '../../../test/support/scratch-folder.ts'
import { sourceKeyOf } from './entries.ts'
import { openFolderOrZip } from './open-part.ts'

test('a folder and a zip of it have the same files', async () => {
  const folder = scratchFolder()
  const files = { 'a.txt': 'one', 'below/b.bin': 'two' }
  mkdirSync(join(folder, 'below'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const entries = Object.entries(files).map(([name, text]) => ({ name, data: Buffer.from(text) }))
  // A zip is known by its content too.
  const zip = join(scratchFolder(), 'files')
  writeFileSync(zip, rawZip(entries))
  const keys = []
  for (const path of [folder, zip]) {
    const part = (await openFolderOrZip(path)) ?? assert.fail(`${path} is not opened`)
    const contents = await Promise.all(
      part.entries.map(async (entry) => [entry.name, String(await buffer(entry.read()))])
    )
    assert.deepEqual(Object.fromEntries(contents), files)
    keys.push(await Promise.all(part.entries.map(sourceKeyOf)))
    await part.close()
  }
  assert.deepEqual(keys[0], keys[1])
})

test('another file is left to the caller, and a missing one is an error', async () => {
  const text = join(scratchFolder(), 'notes.txt')
  writeFileSync(text, 'PK')
  assert.equal(await openFolderOrZip(text), undefined)
  const missing = join(scratchFolder(), 'none')
  const message = `${missing} does not exist`
  await assert.rejects(openFolderOrZip(missing), { name: 'UserError', message })
})
