/** What the export command writes, and that an import of it changes nothing. */
import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { createRandom } from '../support/random.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { mastodonArchive, storeZipFile, xArchive } from '../support/statuses-archives.ts'
import { exportFrom, readExport } from '../support/statuses-export.ts'
import { importInto } from '../support/statuses-import.ts'
import { PIECES, randomPost } from '../support/statuses-random-posts.ts'
import { PIXEL, post, siteOf, video } from './statuses-site.ts'

const POSTS = 320 * EFFORT
/** Of each kind of text and of each type of entity, at least. */
const MIN_CASES = 100 * EFFORT
const BATCH = 100

const target = () => join(scratchFolder(), 'export')

async function zipOf(folder: string): Promise<string> {
  const media = readdirSync(join(folder, 'media')).map((name) => `media/${name}`)
  const files = ['nonet-statuses.jsonl', ...media].map((name) => ({
    name: `export/${name}`,
    content: readFileSync(join(folder, name))
  }))
  return storeZipFile(join(scratchFolder(), 'export.zip'), files)
}

type Running = Nonet<'statuses'>

async function readRecord(nonet: Running, id: string): Promise<{ status: number; text: string }> {
  const headers = { accept: 'application/json' }
  const response = await fetch(`${nonet.statuses.url}/i/status/${id}`, { headers })
  const text = await response.text()
  return { status: response.status, text: text.replaceAll(nonet.statuses.url, 'BASE') }
}

async function compareRecords(one: Running, other: Running, ids: readonly string[]) {
  let found = 0
  for (const id of ids) {
    const before = await readRecord(one, id)
    assert.deepEqual(await readRecord(other, id), before)
    if (before.status === 200) found++
  }
  return found
}

for (const engine of ENGINES) {
  describe(`statuses: export, on ${engine}`, { timeout: 240_000 }, () => {
    let first: Running
    /** Always SQLite, so that posts move between the engines too. */
    let second: Running

    before(async () => {
      first = await start({ services: ['statuses'], ...engineOptions(engine) })
      second = await start({ services: ['statuses'] })
    })
    after(async () => {
      await first.stop()
      await second.stop()
    })

    test('archives of X and Mastodon, by a folder and back by a zip: the same records', async () => {
      await first.reset()
      const x = await storeZipFile(join(scratchFolder(), 'x.zip'), xArchive({ count: 50 }).files)
      const mastodon = mastodonArchive({ count: 30 })
      await importInto(first, [x])
      await importInto(first, [await storeZipFile(join(scratchFolder(), 'm.zip'), mastodon.files)])
      const folder = target()
      assert.match(
        await exportFrom(first, folder),
        /^Exported \d+ posts and \d+ media files to .*export$/
      )
      const exported = readExport(folder)
      assert.deepEqual(
        exported.accounts.map(({ userName }) => userName),
        ['wren', 'wren_now']
      )
      const hidden = exported.posts.filter(({ visibility }) => visibility === 'hidden')
      assert.ok(hidden.length > 1, 'reposts are hidden')
      await second.reset()
      const report = await importInto(second, [folder])
      assert.deepEqual(report.accounts, ['wren', 'wren_now'])
      assert.equal(report.added, exported.posts.length)
      assert.deepEqual(report.media.missing, [])
      const ids = exported.posts.map(({ id }) => id)
      const found = await compareRecords(first, second, ids)
      assert.equal(found, ids.length - hidden.length, 'hidden posts stay hidden')
      const again = await importInto(second, [folder])
      assert.deepEqual([again.added, again.updated, again.unchanged], [0, 0, ids.length])
      assert.equal(again.media.uploaded, 0)
      const next = target()
      await exportFrom(second, next)
      assert.equal(readExport(next).text, exported.text)
      assert.deepEqual(readdirSync(join(next, 'media')), readdirSync(join(folder, 'media')))
      await first.reset()
      assert.equal((await importInto(first, [await zipOf(next)])).added, ids.length)
      assert.equal(await compareRecords(first, second, ids), found)
      // The archive of X tells the same, so nothing that was hidden is shown.
      await importInto(second, [x])
      for (const { id } of hidden) assert.equal((await readRecord(second, id)).status, 404)
    })

    test(`${POSTS} random texts and entities stay as they are`, async () => {
      await first.reset()
      const random = createRandom(18)
      const made = Array.from({ length: POSTS }, (_, number) => randomPost(random, number))
      const site = siteOf(first)
      const account = await site.account({ formerNames: [{ userName: 'countess' }] })
      for (let from = 0; from < made.length; from += BATCH) {
        const some = made.slice(from, from + BATCH).map((one) => one.post)
        const results = await site.posts(account, ...some)
        assert.ok(results.every((result) => result === 'added'))
      }
      const folder = target()
      await exportFrom(first, folder)
      await second.reset()
      await importInto(second, [folder])
      const next = target()
      await exportFrom(second, next)
      for (const exported of [folder, next]) {
        assert.deepEqual(
          readExport(exported).posts,
          made.map((one) => one.post)
        )
      }
      for (const one of made.slice(0, 60)) {
        const { status, text } = await readRecord(second, one.post.id)
        if (one.post.visibility === 'hidden') assert.equal(status, 404)
        else assert.equal(JSON.parse(text).text, one.post.text)
      }
      for (const kind of Object.keys(PIECES) as (keyof typeof PIECES)[]) {
        const cases = made.filter(({ pieces }) => pieces.has(kind)).length
        assert.ok(cases >= MIN_CASES, `${cases} texts with ${kind}`)
      }
      const entities = made.flatMap((one) => one.post.entities)
      for (const type of ['url', 'mention', 'hashtag', 'symbol']) {
        const cases = entities.filter((entity) => entity.type === type).length
        assert.ok(cases >= MIN_CASES, `${cases} entities of type ${type}`)
      }
    })

    test('everything about a post and its account', async () => {
      await first.reset()
      const site = siteOf(first)
      const picture = await site.file(PIXEL)
      const film = await site.file(video(3_000))
      const avatar = { file: picture, sourceKey: 'avatar' }
      const account = await site.account({
        website: 'https://ada.example/',
        location: 'London',
        createdAt: '2009-01-01T00:00:00.000Z',
        formerNames: [{ userName: 'countess', endedAt: '2010-01-01T00:00:00.000Z' }],
        ...{ avatar, header: avatar }
      })
      const full = post('90', {
        ...{ lang: 'en', editedAt: '2009-03-02T10:00:00.000Z', quotedId: '4', summary: 'Careful' },
        ...{ kind: 'reply', replyTo: { id: '3', userName: 'bob' }, sensitive: true },
        ...{ quotedUrl: 'https://x.com/bob/status/4', originalUrl: 'https://x.com/ada/status/90' },
        ...{ raw: '{"id": 90.0}', counts: { likes: 1, reposts: 0, replies: null, quotes: 7 } },
        media: [
          {
            ...{ type: 'photo', file: picture, alt: 'A “pixel” & more', width: 1, height: 1 },
            sourceKey: 'a'
          },
          {
            ...{ type: 'video', file: film, width: 640, height: 360, sourceKey: 'b' },
            ...{ posterHash: picture.hash, posterKey: 'c', durationMs: 1_500, bitrate: 99 }
          }
        ]
      })
      await site.posts(account, full, post('91', { visibility: 'hidden' }), post('92'))
      const folder = target()
      await exportFrom(first, folder)
      await second.reset()
      await importInto(second, [folder])
      const next = target()
      await exportFrom(second, next)
      assert.equal(readExport(next).text, readExport(folder).text)
      const [exported] = readExport(next).posts
      const file = `media/${picture.hash}.png`
      assert.deepEqual(exported?.media, [
        { type: 'photo', file, alt: 'A “pixel” & more', width: 1, height: 1 },
        {
          ...{ type: 'video', file: `media/${film.hash}.mp4`, poster: file, width: 640 },
          ...{ height: 360, durationMs: 1_500, bitrate: 99 }
        }
      ])
      assert.equal(exported?.raw, '{"id": 90.0}')
      const bytes = readFileSync(join(next, `media/${film.hash}.mp4`))
      assert.ok(bytes.equals(video(3_000)))
      assert.equal(
        (await fetch(`${second.statuses.url}/countess`)).url,
        `${second.statuses.url}/ada`
      )
      const publicOnly = target()
      await exportFrom(first, publicOnly, { 'public-only': true })
      assert.deepEqual(
        readExport(publicOnly).posts.map(({ id }) => id),
        ['90', '92']
      )
    })

    test('posts written here: mended, hidden and deleted ones', async () => {
      await first.reset()
      const site = siteOf(first)
      const file = await site.file(PIXEL)
      const photo = { type: 'photo', file, width: 1, height: 1, sourceKey: 'a' } as const
      const imported = [
        post('90', { media: [{ ...photo, alt: 'Of the archive' }], lang: 'de' }),
        post('91', { text: 'Hidden later' })
      ]
      await site.posts(await site.account(), ...imported)
      const { secret } = await (
        await fetch(`${first.console?.url}/statuses/tokens`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}'
        })
      ).json()
      async function owner(method: string, path: string, body?: object) {
        const response = await fetch(`${first.statuses.url}/api/statuses${path}`, {
          method,
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) })
        })
        const text = await response.text()
        assert.ok(response.ok, text)
        return JSON.parse(text)
      }
      const written = await owner('POST', '', { text: 'Written here 👩‍👩‍👧 #now @ada', lang: 'en' })
      const deleted = await owner('POST', '', { text: 'Deleted again' })
      await owner('DELETE', `/${deleted.id}`)
      await owner('PATCH', '/90', { media: [{ id: file.hash, alt: 'Mended here' }], lang: null })
      await owner('PATCH', '/91', { visibility: 'hidden' })
      const folder = target()
      await exportFrom(first, folder)
      const exported = readExport(folder)
      assert.deepEqual(
        exported.posts.map(({ id, source, visibility }) => [id, source, visibility]),
        [
          ['90', 'x_archive', 'public'],
          ['91', 'x_archive', 'hidden'],
          [written.id, 'local', 'public']
        ]
      )
      assert.doesNotMatch(exported.text, /Deleted again/)
      await second.reset()
      await importInto(second, [folder])
      await compareRecords(first, second, ['90', '91', written.id, deleted.id])
      // What the owner changed survives another import of the archive there too.
      const there = siteOf(second)
      await there.file(PIXEL)
      assert.deepEqual(await there.posts('12', ...imported), ['updated', 'updated'])
      assert.equal(await compareRecords(first, second, ['90', '91', written.id]), 2)
      const next = target()
      await exportFrom(second, next)
      assert.equal(readExport(next).text, exported.text)
    })

    test('an export that is damaged or made up is rejected in one sentence', async () => {
      await first.reset()
      const site = siteOf(first)
      const file = await site.file(PIXEL)
      const media = [{ type: 'photo' as const, file, width: 1, height: 1, sourceKey: 'a' }]
      await site.posts(await site.account(), post('90', { media }), post('91'))
      const folder = target()
      await exportFrom(first, folder)
      await second.reset()
      const before = await (await fetch(second.statuses.url)).text()
      const name = `media/${file.hash}.png`
      const change = (text: string) => text.replace('Text of 91', 'Changed')
      const damages: [string, (text: string) => string, RegExp][] = [
        ['a bad line', (text) => text.replace('{"post"', '{post'), /line 3 .* not valid JSON/],
        ['no object', (text) => text.replace(/^\{"post.*$/m, '[]'), /line 3 .* not an object/],
        ['an unknown line', (text) => text.replace('{"post"', '{"like"'), /line 3 .* neither an/],
        ['another version', (text) => text.replace('"version":1', '"version":2'), /version 2 of/],
        ['another format', (text) => text.replace('nonet-statuses', 'x'), /format is not nonet/],
        ['a path', (text) => text.replace(name, '../../etc/passwd'), /\/media\/0\/file must match/],
        ['an absolute path', (text) => text.replace(name, '/etc/passwd'), /must match pattern/],
        ['a folder in a path', (text) => text.replace(name, `media/../${name}`), /must match/],
        ['missing media', (text) => text.replace(file.hash, 'f'.repeat(64)), /f\.png is missing/],
        ['an id twice', (text) => text.replace('"id":"91"', '"id":"90"'), /the post 90 twice/],
        ['a bad id', (text) => text.replace('"id":"91"', '"id":"0091"'), /\/id must match/],
        ['an id too large', (text) => text.replace('"91"', '"9999999999999999999"'), /not an id/],
        ['a bad name', (text) => text.replace('"ada"', '"a/b"'), /a\/b is not a user name/],
        ['a deleted post', (text) => text.replace('"public"', '"deleted"'), /\/visibility must be/],
        ['an unknown field', (text) => text.replace('"kind"', '"x":1,"kind"'), /additional prop/],
        ['no account', (text) => text.replace(/^\{"account.*\n/m, ''), /no account precedes/],
        ['an account twice', (text) => text.replace(/^(\{"account.*\n)/m, '$1$1'), /not complete/],
        ['no end', (text) => text.replace(/^\{"end.*\n/m, ''), /not complete/],
        ['a lost post', (text) => text.replace(/^\{"post":\{"id":"91.*\n/m, ''), /not complete/],
        ['more after the end', (text) => `${text}{"end":{"accounts":1,"posts":2}}\n`, /follows/],
        ['no lines', () => '', /not complete|no account/]
      ]
      const original = readExport(folder).text
      const cases = new Set<string>()
      for (const [title, damage, message] of damages) {
        const damaged = damage(change(original))
        cases.add(damaged)
        writeFileSync(join(folder, 'nonet-statuses.jsonl'), damaged)
        await assert.rejects(
          importInto(second, [folder]),
          (error: Error) => {
            assert.match(error.message, message, title)
            assert.doesNotMatch(error.message, /\n/)
            return error.name === 'UserError'
          },
          title
        )
        assert.equal(await (await fetch(second.statuses.url)).text(), before, title)
        assert.equal((await readRecord(second, '90')).status, 404, title)
      }
      assert.equal(cases.size, damages.length, 'each damage differs')
      writeFileSync(join(folder, 'nonet-statuses.jsonl'), original)
      await assert.rejects(importInto(second, [folder], { handle: 'eve' }), /--handle is not for/)
      const twice = target()
      cpSync(folder, twice, { recursive: true })
      rmSync(join(twice, name))
      await assert.rejects(importInto(second, [twice]), /png is missing/)
      assert.equal((await importInto(second, [folder])).added, 2)
    })
  })
}
