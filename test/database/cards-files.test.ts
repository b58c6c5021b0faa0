/** Files of cards, their references and the key of signatures, in the tables. */
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import type { Database } from '../../src/kernel/database/database.ts'
import { query } from '../../src/kernel/database/transaction.ts'
import { createFiles } from '../../src/kernel/files/files.ts'
import { openFileFolder } from '../../src/kernel/files/folder.ts'
import { GRACE_MS, sweepFiles } from '../../src/kernel/files/sweep.ts'
import { createImages } from '../../src/kernel/images/images.ts'
import { createKey } from '../../src/kernel/secrets/keys.ts'
import { createSecrets } from '../../src/kernel/secrets/secrets.ts'
import { storeUpload } from '../../src/services/cards/files/store-upload.ts'
import { createSigning } from '../../src/services/cards/http/signing.ts'
import {
  addAttachment,
  copyAttachments,
  removeAttachment,
  removeAttachmentsOf
} from '../../src/services/cards/store/attachments.ts'
import { cardStore } from '../../src/services/cards/store/store.ts'
import { siteOf } from '../contract/cards-site.ts'
import { fileForm, gpsPhoto, openBoard, upload } from '../support/cards-files.ts'
import { ENGINES } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'
import { addCard, addList, idOf, MEMBER, openTables, TIME } from './cards-tables.ts'

const LIST = idOf(10)
const later = () => ({ now: Date.now() + 2 * GRACE_MS })

function storedIn(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()
}

async function referencesOf(database: Database): Promise<Record<string, number>> {
  const rows = await database.read(() =>
    query<{ hash: string; refs: number }>('select hash, refs from files where refs > 0')
  )
  return Object.fromEntries(rows.map(({ hash, refs }) => [hash, refs]))
}

for (const engine of ENGINES) {
  describe(`files of cards on ${engine}`, () => {
    test('are referred to by each attachment and swept after the last', async () => {
      await using tables = await openTables(engine)
      const { database } = tables
      using folder = temporaryFolder()
      const root = join(folder.path, 'files')
      const driver = openFileFolder(root, { durable: true })
      const context = {
        kernel: { files: createFiles(driver) },
        images: async () => createImages({ svg: true }),
        options: { maxFileBytes: 1_000_000 }
      }
      const path = join(folder.path, 'photo')
      const photo = await gpsPhoto()
      writeFileSync(path, photo)
      const content = await storeUpload(context, { path, name: 'a.jpg', size: photo.length })
      const hashes = [content.hash, content.image?.hash ?? ''].sort()
      assert.deepEqual(storedIn(root), hashes)
      const [first, second] = await database.write(function* () {
        yield* addList(LIST)
        return [yield* addCard(idOf(20), LIST), yield* addCard(idOf(21), LIST)] as const
      })
      const row = await database.write(() =>
        addAttachment(first, {
          ...{ id: idOf(30), member: MEMBER, name: 'a', mediaType: '', pos: 1, time: TIME },
          content
        })
      )
      await database.write(() =>
        copyAttachments([row], second, { member: MEMBER, ids: [idOf(31)] })
      )
      const counts = (count: number) => Object.fromEntries(hashes.map((hash) => [hash, count]))
      assert.deepEqual(await referencesOf(database), counts(2))
      await database.write(() => removeAttachment(first, row))
      assert.deepEqual(await referencesOf(database), counts(1))
      await sweepFiles(database, driver, later())
      assert.deepEqual(storedIn(root), hashes)
      await database.write(() => removeAttachmentsOf('card', second.id))
      assert.deepEqual(await referencesOf(database), {})
      await sweepFiles(database, driver, later())
      assert.deepEqual(await sweepFiles(database, driver, later()), { files: 0, leftovers: 0 })
      assert.deepEqual(storedIn(root), [])
    })

    test('signatures count for one text and purpose, in all processes', async () => {
      await using tables = await openTables(engine)
      const { database } = tables
      const secrets = createSecrets('cards', [createKey()])
      const open = () =>
        createSigning(
          cardStore(database, () => new Date(TIME)),
          secrets
        )
      const [one, other] = [open(), open()]
      assert.equal(await one.verify('a', 'text', ''), false)
      const [signature, same] = await Promise.all([one.sign('a', 'text'), other.sign('a', 'text')])
      assert.equal(signature, same)
      assert.match(signature, /^[\w-]{43}$/)
      assert.equal(await other.verify('a', 'text', signature), true)
      const wrong: [string, string, string][] = [
        ['b', 'text', signature],
        ['a', 'text2', signature],
        ['a', 'text', `${signature}A`],
        ['a', 'text', `${signature}=`],
        ['a', 'text', ` ${signature}`],
        ['a', 'text', signature.slice(0, -1)],
        ['a', 'text', ''],
        ['a', 'text', await one.sign('a', 'text2')]
      ]
      for (const [purpose, text, given] of wrong) {
        assert.equal(await other.verify(purpose, text, given), false, given)
      }
      const [stored] = await database.read(() =>
        query<{ sealed: string }>('select sealed from signing_key')
      )
      assert.doesNotThrow(() => secrets.open('signing key', stored?.sealed ?? ''))
      await database.write(() => query('delete from signing_key'))
      assert.equal(await other.verify('a', 'text', signature), false)
      assert.notEqual(await one.sign('a', 'text'), signature)
    })
  })
}

test('a full disk stores no part of an upload', { skip: !CAN_MOUNT }, async () => {
  using disk = smallDisk(40)
  const cards = { maxFileBytes: 60 * 1024 * 1024 }
  await using nonet = await start({ services: ['cards'], data: disk.path, cards })
  const site = siteOf(nonet)
  const { card, token } = await openBoard(site)
  const path = `/cards/${card}/attachments`
  // The first fits while it is received, but not a second time; the other does not fit at all.
  for (const megabytes of [22, 45]) {
    const body = fileForm(Buffer.alloc(megabytes * 1024 * 1024), 'large.bin')
    const { status, text } = await site.api(path, { method: 'POST', token, body })
    assert.equal(status, 507, text)
    assert.equal(text, 'No disk space left')
    assert.deepEqual(readdirSync(join(disk.path, 'cards', 'incoming')), [])
  }
  assert.deepEqual(await site.json(path, { token }), [])
  await upload(site, { card, token }, Buffer.from('small'), { name: 'small.txt' })
})
