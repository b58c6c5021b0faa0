/**
 * Kills in the middle of uploads, edits and removals, on every engine: what was acknowledged is
 * there, every attachment has its files, and the next sweep leaves no other file.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type DatabaseLocation, openDatabase } from '../../src/kernel/database/open.ts'
import { compareFiles } from '../../src/kernel/files/compare.ts'
import { openFileFolder } from '../../src/kernel/files/folder.ts'
import { GRACE_MS, sweepFiles } from '../../src/kernel/files/sweep.ts'
import { migrations } from '../../src/services/cards/store/migrations.ts'
import { type CardsJson, type Site, siteOf } from '../contract/cards-site.ts'
import { pixel } from '../contract/statuses-site.ts'
import { fileForm, found } from '../support/cards-files.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { type Launched, launchNonet, temporaryFolder } from '../support/launcher.ts'

const ROUNDS = 2 * EFFORT
const WRITERS = 4
const STEPS_PER_ROUND = 20

/** What one writer, the only one of its card, knows. */
interface Written {
  card: string
  /** SHA-256 of uploads that were acknowledged, by id. */
  files: Map<string, string>
  /** Removals that were acknowledged. */
  removed: Set<string>
  /** Texts that the description may have: the last acknowledged one and one that was torn. */
  texts: string[]
}

function talkTo({ ready }: Launched): Site {
  const { services, console, token } = ready
  return siteOf({
    cards: { url: services.cards ?? '', ports: {} },
    console: { url: console ?? '', token }
  })
}

async function addCards(site: Site, token: string): Promise<Written[]> {
  const add = (path: string, body: object) => site.json(path, { method: 'POST', token, body })
  const board = await add('/boards', { name: 'Projects', defaultLists: false })
  const list = await add('/lists', { name: 'Published', idBoard: board.id })
  const written: Written[] = []
  for (let writer = 0; writer < WRITERS; writer++) {
    const { id } = await add('/cards', { name: `Card ${writer}`, idList: list.id })
    written.push({ card: id, files: new Map(), removed: new Set(), texts: [''] })
  }
  return written
}

for (const engine of ENGINES) {
  describe(`kills of cards, on ${engine}`, { timeout: 300_000 }, () => {
    test('lose no acknowledged upload or edit, and no file', async (t) => {
      using folder = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      const storage = database === undefined ? [] : ['--database', database.url]
      const args = ['cards', '--quiet', '--cards-max-attachments=1000', '--data', folder.path]
      const launch = () => launchNonet([...args, ...storage])
      let token = ''
      let written: Written[] = []
      let acknowledged = 0
      let colour = 0

      /** One upload, one edit, and one removal after every third; false if a request was torn. */
      async function step(site: Site, own: Written, text: string): Promise<boolean> {
        const path = `/cards/${own.card}`
        const bytes = pixel(colour++ % 256)
        const body = fileForm(bytes, `${text}.png`)
        const upload = { method: 'POST', token, body }
        const added = await site.json(`${path}/attachments`, upload).catch(tornOnly)
        if (added === undefined) return false
        own.files.set(added.id, createHash('sha256').update(bytes).digest('hex'))
        own.texts.push(text)
        const edited = await site
          .json(path, { method: 'PUT', token, body: { desc: text } })
          .catch(tornOnly)
        if (edited === undefined) return false
        own.texts = [text]
        acknowledged++
        if (acknowledged % 3 !== 0) return true
        const [oldest = ''] = own.files.keys()
        const removed = await site
          .json(`${path}/attachments/${oldest}`, { method: 'DELETE', token })
          .catch(tornOnly)
        // A torn removal may or may not have happened.
        own.files.delete(oldest)
        if (removed !== undefined) own.removed.add(oldest)
        return removed !== undefined
      }

      for (let round = 0; round < ROUNDS; round++) {
        const nonet = await launch()
        const site = talkTo(nonet)
        if (round === 0) {
          token = await site.member('ada')
          written = await addCards(site, token)
        }
        const until = acknowledged + STEPS_PER_ROUND
        const writing = written.map(async (own, writer) => {
          for (let n = 0; await step(site, own, `${round}-${writer}-${n}`); n++);
        })
        while (acknowledged < until) await wait(5)
        await nonet.end('SIGKILL')
        await Promise.all(writing)
      }
      const nonet = await launch()
      const site = talkTo(nonet)
      const authorization = `Bearer ${token}`
      let files = 0
      for (const { card, files: expected, removed, texts } of written) {
        const { desc } = await site.json(`/cards/${card}`, { token })
        assert.ok(texts.includes(desc), `${desc} is none of ${texts}`)
        const shown: CardsJson[] = await site.json(`/cards/${card}/attachments`, { token })
        const ids = new Set(shown.map(({ id }) => id))
        for (const id of expected.keys()) assert.ok(ids.has(id), 'an upload is lost')
        for (const id of removed) assert.equal(ids.has(id), false, 'a removal is lost')
        for (const { id, url, previews, bytes } of shown) {
          const { bytes: original } = await found(url, { authorization })
          assert.equal(original.length, bytes)
          const hash = createHash('sha256').update(original).digest('hex')
          assert.equal(expected.get(id) ?? hash, hash)
          await found(previews.at(-1).url, { authorization })
          files += 2
        }
      }
      assert.deepEqual(partsIn(folder.path), [])
      await nonet.end()
      const location: DatabaseLocation =
        database === undefined
          ? { engine: 'sqlite', file: join(folder.path, 'cards.sqlite'), durable: true }
          : { engine: 'postgres', url: database.url, schema: 'nonet_cards', durable: true }
      const tables = await openDatabase(location, { service: 'cards', migrations })
      const driver = openFileFolder(join(folder.path, 'cards', 'files'), { durable: true })
      const now = Date.now() + 2 * GRACE_MS
      const swept = await sweepFiles(tables, driver, { now })
      await sweepFiles(tables, driver, { now })
      const { missing, orphaned, incomplete } = await compareFiles(tables.read, driver)
      await tables.close()
      assert.deepEqual(
        { missing, orphaned, incomplete },
        { missing: 0, orphaned: 0, incomplete: 0 }
      )
      t.diagnostic(`${acknowledged} edits, ${files} files read, ${swept.files} swept`)
    })
  })
}

/** Requests to a process that was killed have no response. */
function tornOnly(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error
}

/** Temporary files of uploads. */
function partsIn(data: string): string[] {
  const folder = join(data, 'cards/incoming')
  return existsSync(folder) ? readdirSync(folder) : []
}
