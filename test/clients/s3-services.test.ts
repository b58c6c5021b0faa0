/** statuses and cards with their files on S3-compatible storage, and the commands that move them. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { backUp, copy, restore } from '../../src/host/archive.ts'
import { configure } from '../../src/host/configuration.ts'
import { copyFiles } from '../../src/host/copy-files.ts'
import { allServices } from '../../src/host/service-registry.ts'
import { start } from '../../src/host/start.ts'
import { resetStorage } from '../../src/host/storage.ts'
import { diagnoseStorage } from '../../src/host/storage-diagnosis.ts'
import type { Engine } from '../../src/kernel/database/database.ts'
import { dropSchema } from '../../src/kernel/database/open.ts'
import { siteOf as cardsOf } from '../contract/cards-site.ts'
import { imageForm, siteOf as statusesOf } from '../contract/statuses-site.ts'
import { jpeg, openBoard, upload } from '../support/cards-files.ts'
import { ENGINES, engineOptions, postgresUrl } from '../support/engines.ts'
import { runNonet, temporaryFolder } from '../support/launcher.ts'
import { KEY_SETTINGS, sha256, startS3 } from './s3-server.ts'

const s3 = await startS3()
after(async () => {
  for (const engine of ENGINES) await dropTables(engine)
  await s3[Symbol.asyncDispose]()
})
beforeEach(() => {
  s3.fault = () => undefined
})

const SERVICES = ['statuses', 'cards'] as const
const quiet = { progress: () => {} }
const ACCOUNT = { account: 'ada', 'new-account': true }
let count = 0

const settingsOf = (prefix: string) => ({ files: s3.urlOf(prefix), ...KEY_SETTINGS })

async function dropTables(engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  for (const name of SERVICES) {
    await dropSchema({ url: postgresUrl(), schema: `nonet_${name}`, durable: true })
  }
}

/** The services with data of their own; in files of `prefix`, or in the data folder. */
async function open(engine: Engine, data: string, prefix?: string) {
  const files = prefix === undefined ? {} : settingsOf(prefix)
  const options = {
    ...{ services: [...SERVICES], data, secretKey: '5'.repeat(64) },
    ...{ ...engineOptions(engine), ...files }
  }
  const nonet = await start(options)
  return {
    nonet,
    statuses: statusesOf(nonet),
    cards: cardsOf(nonet),
    diagnose: async () =>
      (await diagnoseStorage(configure(options))).filter(({ what }) => what.includes('files')),
    [Symbol.asyncDispose]: nonet.stop
  }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Uploads an image to each service; resolves to what they respond at its URL, by the URL's path. */
async function fill({ statuses, cards }: Opened): Promise<Map<string, string>> {
  const { secret } = await statuses.token({ scopes: ['write'], flags: ACCOUNT })
  const image = await jpeg(400, 300)
  const form = imageForm({ text: 'With an image' }, [image, 'red'])
  const posted = await statuses.own(secret, { method: 'POST', body: form })
  assert.equal(posted.status, 201, posted.text)
  const media = /"(https?:[^"]*\/media\/[^"?]*)"/.exec(posted.text)?.[1] ?? ''
  const board = await openBoard(cards)
  const attachment = await upload(cards, board, await jpeg(500, 200))
  const public_ = await cards.ask(`/content/${board.board}/cards`)
  const shown = /"(https?:[^"]*\/images\/[^"?]*)/.exec(public_.text)?.[1]
  assert.ok(media !== '' && shown !== undefined, `${posted.text} ${public_.text}`)
  assert.equal(attachment.bytes, (await jpeg(500, 200)).length)
  return load(new URL(media).pathname, new URL(shown).pathname, { statuses, cards })
}

async function load(
  media: string,
  image: string,
  { statuses, cards }: Pick<Opened, 'statuses' | 'cards'>
) {
  const found = new Map<string, string>()
  for (const [url, path] of [
    [statuses.url, media],
    [cards.url, image]
  ] as const) {
    const response = await fetch(url + path)
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.equal(response.status, 200, path)
    found.set(path, sha256(bytes))
  }
  return found
}

async function loadAgain(opened: Opened, before: ReadonlyMap<string, string>) {
  const [media = '', image = ''] = before.keys()
  return load(media, image, opened)
}

const keysOf = (prefix: string, service = '') =>
  s3.keys().filter((key) => key.startsWith(`${prefix}/${service}`))

for (const engine of ENGINES) {
  describe(`files on S3, tables on ${engine}`, () => {
    beforeEach(() => dropTables(engine))

    test('images are uploaded, served with ranges, kept at the next start, and reset', async () => {
      using folder = temporaryFolder()
      const prefix = `run-${count++}`
      let before = new Map<string, string>()
      {
        await using opened = await open(engine, folder.path, prefix)
        before = await fill(opened)
        for (const [path, hash] of before) {
          const url = (path.startsWith('/media') ? opened.statuses.url : opened.cards.url) + path
          const part = await fetch(url, { headers: { range: 'bytes=2-5' } })
          assert.equal(part.status, 206)
          assert.equal((await part.arrayBuffer()).byteLength, 4)
          const { status, headers } = await fetch(url, {
            headers: { 'if-none-match': `"${hash}"` }
          })
          assert.deepEqual([status, headers.get('etag')], [304, `"${hash}"`])
        }
        for (const finding of await opened.diagnose())
          assert.equal(finding.ok, true, finding.advice)
      }
      // Nothing of a file stays on this machine.
      for (const name of SERVICES) {
        const entries = readdirSync(join(folder.path, name), {
          recursive: true,
          withFileTypes: true
        })
        assert.deepEqual(
          entries.filter((entry) => entry.isFile()).map((entry) => entry.name),
          []
        )
      }
      {
        await using opened = await open(engine, folder.path, prefix)
        assert.deepEqual(await loadAgain(opened, before), before)
        await opened.nonet.reset('cards')
        const [, image = ''] = before.keys()
        assert.equal((await fetch(opened.cards.url + image)).status, 404)
        assert.ok(!keysOf(prefix, 'cards').some((key) => key.includes(sha256(Buffer.of()))))
        assert.ok(!keysOf(prefix, 'cards').some((key) => key.endsWith(before.get(image) ?? 'none')))
        assert.equal(keysOf(prefix, 'cards/folder-id').length, 1)
        for (const finding of await opened.diagnose())
          assert.equal(finding.ok, true, finding.advice)
      }
      const { folder: _, ...bucket } = { folder: '', files: s3.locationOf(prefix) }
      const storage = { folder: folder.path, database: undefined, ephemeral: false, ...bucket }
      for (const service of allServices.filter(({ hasFiles }) => hasFiles)) {
        await resetStorage(service, { ...storage, ...engineOptions(engine) })
      }
      assert.deepEqual(keysOf(prefix), [])
    })

    test('an upload that is cut is an error, changes nothing, and can be repeated', async () => {
      using folder = temporaryFolder()
      const prefix = `run-${count++}`
      await using opened = await open(engine, folder.path, prefix)
      const board = await openBoard(opened.cards)
      const before = keysOf(prefix)
      const send = async () => {
        const form = new FormData()
        form.append('file', new Blob([new Uint8Array(await jpeg(800, 800))]), 'a.jpg')
        return opened.cards.api(`/cards/${board.card}/attachments`, {
          ...{ method: 'POST', token: board.token, body: form }
        })
      }
      s3.fault = ({ method }) => (method === 'PUT' ? 'cut the upload' : undefined)
      const failed = await send()
      assert.deepEqual(
        [failed.status, failed.text],
        [503, 'The file storage is unavailable; try again']
      )
      assert.deepEqual(keysOf(prefix), before)
      const { token } = board
      const path = `/cards/${board.card}/attachments`
      assert.equal((await opened.cards.api(path, { token })).text, '[]')
      s3.fault = () => undefined
      const { status, text } = await send()
      assert.equal(status, 200, text)
      const { secret } = await opened.statuses.token({
        scopes: ['write'],
        flags: ACCOUNT
      })
      s3.fault = ({ method }) => (method === 'PUT' ? 'cut the upload' : undefined)
      const form = imageForm({ text: 'x' }, [await jpeg(300, 300), 'red'])
      const post = await opened.statuses.own(secret, { method: 'POST', body: form })
      assert.equal(post.status, 503, post.text)
    })

    test('images are 503 while the bucket is away, and the rest works, also after a start', async () => {
      using folder = temporaryFolder()
      const prefix = `run-${count++}`
      let before = new Map<string, string>()
      {
        await using opened = await open(engine, folder.path, prefix)
        before = await fill(opened)
      }
      s3.fault = () => 503
      {
        await using opened = await open(engine, folder.path, prefix)
        const [media = '', image = ''] = before.keys()
        for (const url of [
          opened.statuses.url + media,
          `${opened.statuses.url}${media}?name=small`,
          opened.cards.url + image,
          `${opened.cards.url}${image}?w=320`
        ]) {
          const response = await fetch(url)
          assert.equal(response.status, 503, url)
          assert.match(await response.text(), /The file storage is unavailable; try again/)
        }
        assert.equal((await fetch(`${opened.statuses.url}/`)).status, 200)
        assert.equal((await fetch(`${opened.cards.url}/`)).status, 200)
        s3.fault = ({ method }) => (method === 'GET' ? 'cut the download' : undefined)
        // The client learns of it: the response has fewer bytes than it announces.
        const cut = fetch(opened.statuses.url + media).then((response) => response.arrayBuffer())
        await assert.rejects(cut)
        s3.fault = () => undefined
        assert.deepEqual(await loadAgain(opened, before), before)
      }
    })

    test('backup and restore, and copies in both directions, bring every file', async () => {
      using folder = temporaryFolder()
      using other = temporaryFolder()
      const [first, second, third] = [`run-${count++}`, `run-${count++}`, `run-${count++}`]
      let before = new Map<string, string>()
      {
        await using opened = await open(engine, folder.path)
        before = await fill(opened)
      }
      const base = { database: undefined, ephemeral: false, ...engineOptions(engine) }
      const local = { folder: folder.path, ...base }
      // Only the files move, the tables stay.
      const copied = await copyFiles(local, s3.locationOf(first), quiet)
      assert.ok(copied.files >= 2 && copied.lostFiles === 0, JSON.stringify(copied))
      {
        await using opened = await open(engine, folder.path, first)
        assert.deepEqual(await loadAgain(opened, before), before)
        for (const finding of await opened.diagnose())
          assert.equal(finding.ok, true, finding.advice)
      }
      const onS3 = { ...local, files: s3.locationOf(first) }
      const backup = join(folder.path, 'all.nonet')
      assert.equal((await backUp(onS3, backup, quiet)).files, copied.files)
      const restored = { ...local, files: s3.locationOf(second) }
      await restore(backup, restored, { ...quiet, force: true })
      assert.equal(keysOf(second).length, keysOf(first).length)
      {
        await using opened = await open(engine, folder.path, second)
        assert.deepEqual(await loadAgain(opened, before), before)
      }
      // Tables and files, to another folder and from there to another bucket.
      const away = { folder: other.path, database: undefined, ephemeral: false }
      assert.equal((await copy(restored, away, quiet)).files, copied.files)
      const there = { ...away, files: s3.locationOf(third) }
      await assert.rejects(copyFiles(away, undefined, quiet), /are there already/)
      await copyFiles(away, there.files, quiet)
      await copyFiles(there, undefined, quiet)
      await using opened = await open('sqlite', other.path)
      assert.deepEqual(await loadAgain(opened, before), before)
      for (const finding of await opened.diagnose()) assert.equal(finding.ok, true, finding.advice)
    })
  })
}

test('a reset removes nothing of another installation with the same prefix, or one below it', async () => {
  using folder = temporaryFolder()
  using otherFolder = temporaryFolder()
  const prefix = `run-${count++}`
  await using opened = await open('sqlite', folder.path, prefix)
  const before = await fill(opened)
  const below = `${prefix}/cards/cards/ab/${'ab'.repeat(32)}`
  s3.put(below)
  const keys = keysOf(prefix)
  const lost = () => keys.filter((key) => !keysOf(prefix).includes(key))
  {
    await using other = await open('sqlite', otherFolder.path, prefix)
    await other.nonet.reset()
    assert.deepEqual(lost(), [])
  }
  const storage = { folder: otherFolder.path, database: undefined, ephemeral: false }
  for (const service of allServices.filter(({ hasFiles }) => hasFiles)) {
    await resetStorage(service, { ...storage, files: s3.locationOf(prefix) })
  }
  assert.deepEqual(lost(), [])
  assert.deepEqual(await loadAgain(opened, before), before)
  await opened.nonet.reset()
  assert.ok(lost().length > 0 && !lost().includes(below))
})

test('a copy that fails leaves no file in the bucket', async () => {
  using folder = temporaryFolder()
  const prefix = `run-${count++}`
  {
    await using opened = await open('sqlite', folder.path)
    await fill(opened)
  }
  const failing = {
    progress(done: number) {
      if (done === 2) throw new Error('at the second file')
    }
  }
  const from = { folder: folder.path, database: undefined, ephemeral: false }
  await assert.rejects(copyFiles(from, s3.locationOf(prefix), failing), /at the second file/)
  assert.deepEqual(keysOf(prefix), [])
})

describe('settings', () => {
  const env = (more: Record<string, string> = {}) => ({
    ...{ NONET_FILES_ACCESS_KEY: 'S3RVER', NONET_FILES_SECRET_KEY: 'S3RVER' },
    ...more
  })
  const run = (args: string[], environment: Record<string, string>, cwd: string) =>
    runNonet(args, { cwd, env: environment })

  test('commands take the bucket from a flag and the keys from the environment', async () => {
    using folder = temporaryFolder()
    const prefix = `run-${count++}`
    {
      await using opened = await open('sqlite', join(folder.path, 'nonet-data'))
      await fill(opened)
    }
    const files = s3.urlOf(prefix)
    const to = await run(['copy', '--to-files', files], env(), folder.path)
    assert.match(to.stdout, /^Copied \d+ files; their hashes agree\. Start nonet with --files s3:/)
    const keys = keysOf(prefix).length
    const aws = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }
    const backup = await run(['backup', 'all.nonet'], { NONET_FILES: files, ...aws }, folder.path)
    assert.match(backup.stdout, /^Wrote \d+ rows and \d+ files/, backup.stderr)
    const config = await run(['config', '--files', files], env(), folder.path)
    const shown = JSON.parse(config.stdout)
    assert.deepEqual(
      [shown.files, shown.filesAccessKey, shown.filesSecretKey],
      [files, '********', '********']
    )
    assert.ok(!config.stdout.includes('S3RVER'))
    assert.equal(keysOf(prefix).length, keys)
    const reset = await run(['reset', '--files', files], env(), folder.path)
    assert.equal(reset.code, 0, reset.stderr)
    assert.deepEqual(keysOf(prefix), [])
  })

  test('that cannot be used end a start with one sentence', async () => {
    using folder = temporaryFolder()
    const files = s3.urlOf(`run-${count++}`)
    const rows: [url: string, environment: Record<string, string>, says: RegExp][] = [
      [files, {}, /--files needs NONET_FILES_ACCESS_KEY and NONET_FILES_SECRET_KEY/],
      [files, env({ NONET_FILES_SECRET_KEY: 'x' }), /403 SignatureDoesNotMatch: No\); check the/],
      [files.replace('nonet-files', 'no-bucket'), env(), /404 NoSuchBucket/],
      ['s3://bucket/x?endpoint=http://127.0.0.1:1', env(), /ECONNREFUSED.*check the endpoint/]
    ]
    const found = await Promise.all(
      rows.map(([url, environment], index) => {
        const data = join(folder.path, String(index))
        const args = ['up', 'cards', '--port-base', '0', '--data', data, '--files', url]
        return run(args, environment, folder.path)
      })
    )
    for (const [index, { code, stderr }] of found.entries()) {
      const [url, , says] = rows[index] ?? ['', {}, /./]
      assert.equal(code, 1, `${url}: ${stderr}`)
      assert.match(stderr, says, url)
      assert.equal(stderr.trim().split('\n').length, 1, stderr)
    }
  })
})
