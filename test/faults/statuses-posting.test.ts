/**
 * Posting under faults, on every engine: kills in the middle of posts with images, and hostile
 * bodies of an owner. The generator of bodies: BODIES of each kind below, drawn with a fixed seed.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Engine } from '../../src/kernel/database/database.ts'
import { imageForm, PIXEL, pixel, type Site, siteOf } from '../contract/statuses-site.ts'
import { EFFORT, scaled } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { type Launched, launchNonet, temporaryFolder } from '../support/launcher.ts'
import { residentMegabytes } from '../support/limited-process.ts'
import { runPool } from '../support/pool.ts'
import { createRandom, type Random } from '../support/random.ts'
import { sendRaw } from '../support/raw-socket.ts'

const ROUNDS: Readonly<Record<Engine, number>> = {
  sqlite: 2 * EFFORT,
  postgres: scaled(1, 2)
}
const WRITERS = 4
const POSTS_PER_ROUND = 25
const BODIES: Readonly<Record<Engine, number>> = {
  sqlite: 6 * EFFORT,
  postgres: EFFORT > 1 ? 6 * EFFORT : 2
}
const AT_ONCE = 8
const QUIET_MS = 60_000
/** Of a body that never ends. */
const REQUEST_TIMEOUT_MS = 2_000
const BUSY = [408, 503]
const BUSY_MS = 30_000
/** Until the files of a torn upload are removed. */
const CLEANUP_MS = 10_000
const MAX_RESIDENT_MB = 500

interface OwnRecord {
  id: string
  url: string
  text: string
  media: { id: string; url: string }[]
}

function talkTo({ ready }: Launched): Site {
  const { services, console, token } = ready
  return siteOf({
    statuses: { url: services.statuses ?? '', ports: {} },
    console: { url: console ?? '', token }
  })
}

/** Temporary files of uploads. */
function partsIn(data: string): string[] {
  const folder = join(data, 'statuses/incoming')
  return existsSync(folder) ? readdirSync(folder) : []
}

async function allPosts({ own }: Site, secret: string): Promise<OwnRecord[]> {
  const posts: OwnRecord[] = []
  const deadline = Date.now() + BUSY_MS
  let path = '/api/statuses?limit=100'
  for (;;) {
    const { status, text } = await own(secret, { path })
    // The machine may be too busy for a request in time.
    if (BUSY.includes(status) && Date.now() < deadline) continue
    assert.equal(status, 200, text)
    const { statuses, before } = JSON.parse(text)
    posts.push(...statuses)
    if (before === null) return posts
    path = `/api/statuses?limit=100&before=${before}`
  }
}

/** Every file of the post is there, whole. */
async function checkFiles({ ask }: Site, { media }: OwnRecord): Promise<void> {
  assert.equal(media.length, 1)
  for (const { id, url } of media) {
    const response = await fetch(url)
    assert.equal(response.status, 200, url)
    const bytes = new Uint8Array(await response.arrayBuffer())
    assert.equal(createHash('sha256').update(bytes).digest('hex'), id)
  }
  assert.equal((await ask(`/media/${'0'.repeat(64)}`)).status, 404)
}

for (const engine of ENGINES) {
  describe(`posting under faults, on ${engine}`, { timeout: 300_000 }, () => {
    test('a kill loses no acknowledged post and no file, and a retry posts once', async (t) => {
      using folder = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      const storage = database === undefined ? [] : ['--database', database.url]
      const args = ['statuses', '--quiet', '--statuses-rate-limit=0', '--data', folder.path]
      const launch = () => launchNonet([...args, ...storage])
      const acknowledged = new Map<string, string>()
      const open = new Set<string>()
      let secret = ''
      /** With the image of the first attempt. */
      const colours = new Map<string, number>()
      const attempt = async (site: Site, key: string): Promise<boolean> => {
        const colour = colours.get(key) ?? colours.size % 256
        colours.set(key, colour)
        const answer = await site
          .own(secret, {
            method: 'POST',
            headers: { 'idempotency-key': key },
            body: imageForm({ text: key }, [pixel(colour), key])
          })
          .catch(() => undefined)
        if (answer === undefined) return false
        assert.equal(answer.status, 201, answer.text)
        const { id }: OwnRecord = JSON.parse(answer.text)
        assert.equal(acknowledged.get(key) ?? id, id)
        acknowledged.set(key, id)
        open.delete(key)
        return true
      }
      for (let round = 0; round < ROUNDS[engine]; round++) {
        const nonet = await launch()
        const site = talkTo(nonet)
        if (round === 0) {
          await site.account()
          secret = (await site.token()).secret
        }
        const write = async (writer: number): Promise<void> => {
          for (let n = 0; ; n++) {
            const key = `${round}-${writer}-${n}`
            open.add(key)
            if (!(await attempt(site, key))) return
          }
        }
        const before = acknowledged.size
        const writing = Array.from({ length: WRITERS }, (_, writer) => write(writer))
        while (acknowledged.size < before + POSTS_PER_ROUND) await setTimeout(5)
        await nonet.end('SIGKILL')
        await Promise.all(writing)
      }
      await using nonet = await launch()
      const site = talkTo(nonet)
      const torn = open.size
      for (const post of await allPosts(site, secret)) await checkFiles(site, post)
      for (const key of [...open, ...[...acknowledged.keys()].slice(-5)]) {
        assert.ok(await attempt(site, key))
      }
      const posts = await allPosts(site, secret)
      const found = new Map(posts.map(({ id, text }) => [text, id]))
      assert.equal(posts.length, acknowledged.size, 'each key posted once')
      for (const [key, id] of acknowledged) assert.equal(found.get(key), id)
      for (const post of posts) await checkFiles(site, post)
      assert.deepEqual(partsIn(folder.path), [])
      t.diagnostic(`${acknowledged.size} posts acknowledged, ${torn} torn requests repeated`)
    })

    test('hostile bodies of an owner cause no 5xx, no post and no leak', async () => {
      using folder = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      const storage = database === undefined ? [] : ['--database', database.url]
      const timeout = `--request-timeout-ms=${REQUEST_TIMEOUT_MS}`
      const args = [
        'statuses',
        '--quiet',
        '--statuses-rate-limit=0',
        timeout,
        '--data',
        folder.path
      ]
      await using nonet = await launchNonet([...args, ...storage])
      const site = talkTo(nonet)
      await site.account()
      const { secret } = await site.token()
      const first = await site.own(secret, { method: 'POST', body: { text: 'The only post' } })
      assert.equal(first.status, 201)
      const { id } = JSON.parse(first.text)
      const random = createRandom(18)
      const cases = Object.entries(KINDS).flatMap(([name, make]) =>
        Array.from({ length: name.startsWith('rarely') ? 1 : BODIES[engine] }, () => ({
          name,
          pieces: make(random, secret, id)
        }))
      )
      const seen = new Map<number, number>()
      await runPool(cases, AT_ONCE, async ({ name, pieces }) => {
        const { statuses, text, closed } = await sendRaw(site.url, pieces, QUIET_MS)
        const shown = `${name}: ${text.slice(0, 300)}`
        assert.ok(statuses.length > 0 || closed, shown)
        for (const status of statuses) {
          seen.set(status, (seen.get(status) ?? 0) + 1)
          assert.ok(status >= 400 && status < 500, shown)
        }
      })
      assert.ok(
        seen.has(400) && seen.has(408) && seen.has(413) && seen.has(415),
        [...seen].join(' ')
      )
      assert.deepEqual(
        (await allPosts(site, secret)).map((post) => post.text),
        ['The only post']
      )
      const deadline = Date.now() + CLEANUP_MS
      while (partsIn(folder.path).length > 0 && Date.now() < deadline) await setTimeout(50)
      assert.deepEqual(partsIn(folder.path), [])
      assert.ok(residentMegabytes(nonet.ready.pid).now < MAX_RESIDENT_MB)
      const { code, stderr } = await nonet.end()
      assert.deepEqual([code, stderr], [0, ''])
    })
  })
}

type Pieces = (string | Uint8Array)[]

function head(secret: string, more: string, line = 'POST /api/statuses'): string {
  return `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${secret}\r\n${more}\r\n`
}

function whole(secret: string, type: string, body: string | Uint8Array, line?: string): Pieces {
  const length = Buffer.byteLength(body)
  return [head(secret, `Content-Type: ${type}\r\nContent-Length: ${length}\r\n`, line), body]
}

const TYPES = [
  ...['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'],
  ...[
    'multipart/form-data; boundary=x',
    'multipart/form-data; boundary=""',
    ';;',
    'application/json; x'
  ]
] as const
const FORM = 'multipart/form-data; boundary=x'

function part(name: string, value: string, file = ''): string {
  return `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`
}

const FILE = '; filename="a.png"'
const IMAGE = part('media', Buffer.from(PIXEL).toString('latin1'), FILE)
const bytes = (text: string) => Buffer.from(text, 'latin1')

const KINDS: Readonly<Record<string, (random: Random, secret: string, id: string) => Pieces>> = {
  'random bytes': (random, secret) =>
    whole(secret, random.pick(TYPES), random.bytes(1 + random.below(3_000))),
  'random bytes in a change': (random, secret, id) =>
    whole(
      secret,
      random.pick(TYPES),
      random.bytes(1 + random.below(500)),
      `PATCH /api/statuses/${id}`
    ),
  'a truncated form': (random, secret) => {
    const form = bytes(`${part('text', 'zanzibar')}${IMAGE}${part('alt', 'b')}`)
    return whole(secret, FORM, form.subarray(0, 1 + random.below(form.length - 1)))
  },
  'random bytes in a form without an end': (random, secret) => {
    const form = bytes(`${part('text', 'zanzibar')}${IMAGE}`)
    const at = random.below(form.length)
    return whole(
      secret,
      FORM,
      Buffer.concat([form.subarray(0, at), random.bytes(50), form.subarray(at)])
    )
  },
  'a hundred files': (_random, secret) =>
    whole(secret, FORM, bytes(`${IMAGE.repeat(100)}--x--\r\n`)),
  'a thousand fields': (_random, secret) =>
    whole(secret, FORM, `${part('alt', 'a').repeat(1_000)}--x--\r\n`),
  'a huge field': (_random, secret) =>
    whole(secret, FORM, `${part('text', 'a'.repeat(500_000))}--x--\r\n`),
  'a huge form': (_random, secret) =>
    whole(secret, 'application/x-www-form-urlencoded', `text=${'a'.repeat(500_000)}`),
  'a thousand names': (_random, secret) =>
    whole(secret, 'application/x-www-form-urlencoded', 'a&'.repeat(1_000)),
  'deep JSON': (random, secret) =>
    whole(secret, 'application/json', random.pick(['[', '{"text":']).repeat(8_000)),
  'odd JSON': (random, secret) =>
    whole(
      secret,
      'application/json',
      random.pick(['{"text":{}}', '{"text":[]}', '{"text":"\\u0000"}', 'null', '"text"', '{"":""}'])
    ),
  'a file that looks like an image': (random, secret) => {
    const damaged = Buffer.concat([PIXEL.subarray(0, 16), random.bytes(300)])
    const form = [bytes(part('media', '', FILE).slice(0, -2)), damaged, bytes('\r\n--x--\r\n')]
    return whole(secret, FORM, Buffer.concat(form))
  },
  'a body that is longer than it says': (_random, secret) => [
    head(secret, 'Content-Type: application/json\r\nContent-Length: 10\r\n'),
    '{"text":"zanzibar"}'
  ],
  'rarely: a body that never comes': (_random, secret) => [
    head(secret, 'Content-Type: application/json\r\nContent-Length: 100\r\n'),
    '{"text":'
  ],
  'rarely: a form that never ends': (_random, secret) => [
    head(secret, `Content-Type: ${FORM}\r\nContent-Length: 100000\r\n`),
    IMAGE.slice(0, 90)
  ],
  'rarely: a chunked form that never ends': (_random, secret) => [
    head(secret, `Content-Type: ${FORM}\r\nTransfer-Encoding: chunked\r\n`),
    `${IMAGE.length.toString(16)}\r\n${part('text', 'a')}`
  ],
  'rarely: an announced length of a terabyte': (_random, secret) => [
    head(secret, `Content-Type: ${FORM}\r\nContent-Length: 1000000000000\r\n`),
    part('text', 'a')
  ]
}
