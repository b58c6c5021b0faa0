/**
 * Hostile requests to statuses over raw sockets, on every engine. The generator: every public route
 * gets REQUESTS_PER_ROUTE requests of as many kinds of statuses-requests.ts, the next route of the
 * next kinds, drawn with a fixed seed, and every third route one of each rare kind. Every step of
 * the import gets BODIES_PER_STEP hostile bodies, and POSTS_PER_KIND odd posts of each kind are
 * imported; those that are accepted are read in every representation, the lists after every fourth
 * post. On PostgreSQL a route gets half as many, every fifth route the rare kinds, and a kind has
 * one post. A case counts as answered when at least one status line came back.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Engine } from '../../src/kernel/database/database.ts'
import { PIXEL, post, type Site, siteOf } from '../contract/statuses-site.ts'
import { EFFORT, scaled } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { type Launched, launchNonet } from '../support/launcher.ts'
import { limitedHeap, residentMegabytes } from '../support/limited-process.ts'
import { runPool } from '../support/pool.ts'
import { createRandom } from '../support/random.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { BODIES, POSTS, STEPS, type Step } from './statuses-imports.ts'
import { HIDDEN, KINDS, type Pieces, POST, RARE, routes } from './statuses-requests.ts'

type Counts = Readonly<Record<Engine, number>>

const REQUESTS_PER_ROUTE: Counts = sample(12, 6, 23)
/** Every nth route gets the rare kinds. */
const RARE_STEP: Counts = EFFORT > 1 ? { sqlite: 1, postgres: 1 } : { sqlite: 3, postgres: 5 }
const BODIES_PER_STEP: Counts = sample(8, 8, 16)
const POSTS_PER_KIND: Counts = sample(2, 1, 4)
/** All of these are in the lists that are then read. */
const POSTS_BEFORE_LISTS = 4
const QUIET_MS = 60_000
const SLOW_QUIET_MS = 300
const AT_ONCE = 16
const MAX_RESIDENT_MB = 500
const MAX_LATE_GROWTH_MB = 100
const FIRST_ODD_ID = 1_000

const LISTS = ['/ada', '/ada/feed.xml', '/ada/feed.json', '/search?q=has:links', '/sitemap.xml']
const ownPaths = (id: string) => [
  ...[`/ada/status/${id}`, `/ada/status/${id}/embed`, `/api/tweet/${id}`],
  ...[`/oembed?url=https://x.com/a/status/${id}`, `/tweet-result?id=${id}`]
]

/** The server may wait for more, because these requests are incomplete or are not HTTP. */
const UNFINISHED = /random bytes|lies about|never ends|broken chunks|odd hosts|odd method/
/** The connection may end before a body that is not worth reading. */
const TORN = /ten megabytes/

/** With more effort PostgreSQL gets as many as SQLite. */
function sample(sqlite: number, postgres: number, full: number): Counts {
  return { sqlite: scaled(sqlite, full), postgres: scaled(postgres, full) }
}

// Each has its own server, and waits for what stays unanswered.
describe('every engine', { concurrency: true }, () => {
  for (const engine of ENGINES) {
    describe(`hostile requests to statuses, on ${engine}`, {
      timeout: 600_000,
      concurrency: 1
    }, () => {
      const postsPerKind = POSTS_PER_KIND[engine]
      const postsBeforeLists = Math.min(POSTS_BEFORE_LISTS, postsPerKind)
      const totals = { sent: 0, answered: 0, refused: 0, quiet: 0 }
      const statuses = new Map<string, Map<number, number>>()
      const resident: number[] = []
      let nonet: Launched
      let database: Awaited<ReturnType<typeof temporaryDatabase>> | undefined
      let site: Site
      let media: string

      before(async () => {
        database = engine === 'postgres' ? await temporaryDatabase() : undefined
        const storage = database === undefined ? [] : ['--database', database.url]
        const args = ['statuses', '--ephemeral', '--quiet', '--statuses-rate-limit=0', ...storage]
        nonet = await launchNonet(args, { env: { NODE_OPTIONS: limitedHeap(300) } })
        const { console, services, token } = nonet.ready
        site = siteOf({
          statuses: { url: services.statuses ?? '', ports: {} },
          console: { url: console ?? '', token }
        })
        const id = await site.account()
        const file = await site.file(PIXEL)
        media = file.hash
        const photo = { type: 'photo', file, width: 1, height: 1, sourceKey: 'a' } as const
        await site.posts(
          id,
          post(POST, { media: [photo] }),
          post(HIDDEN, { visibility: 'hidden' }),
          ...Array.from({ length: 100 }, (_, n) => post(String(30 + n)))
        )
      })
      after(async () => {
        const { code, stderr } = await nonet.end()
        await database?.[Symbol.asyncDispose]()
        assert.equal(code, 0, stderr)
        assert.equal(stderr, '', 'a defect was reported')
      })

      function count(group: string, status: number): void {
        const counts = statuses.get(group) ?? new Map<number, number>()
        statuses.set(group, counts.set(status, (counts.get(status) ?? 0) + 1))
      }

      async function play(name: string, pieces: Pieces): Promise<void> {
        const isUnfinished = UNFINISHED.test(name)
        const quietMs = isUnfinished ? SLOW_QUIET_MS : QUIET_MS
        const { statuses: found, closed, text } = await sendRaw(site.url, pieces, quietMs)
        totals.sent += 1
        if (found.length > 0) totals.answered += 1
        else if (closed) totals.refused += 1
        else totals.quiet += 1
        const sent = Buffer.from(pieces[0] ?? '').toString('latin1', 0, 400)
        const shown = `${name}: ${sent}\n${text.slice(0, 400)}`
        for (const status of found) {
          count('public', status)
          assert.ok(status < 500 || text.includes('"FILES_BUSY"'), shown)
        }
        assert.ok(found.length > 0 || isUnfinished || (TORN.test(name) && closed), shown)
        assert.doesNotMatch(text, /\r\nset-cookie:/i)
      }

      async function isAlive(): Promise<void> {
        resident.push(Math.round(residentMegabytes(nonet.ready.pid).now))
        const { status, text } = await site.ask(`/ada/status/${POST}`)
        assert.equal(status, 200)
        assert.match(text, /Text of 20/)
      }

      for (const [index, name] of routes('<file>').entries()) {
        test(`GET ${name}`, async () => {
          const random = createRandom(index + 1)
          const path = routes(media)[index] ?? assert.fail()
          const common = Object.entries(KINDS)
          const count = REQUESTS_PER_ROUTE[engine]
          const drawn = Array.from(
            { length: count },
            (_, n) => common[(index * count + n) % common.length]
          )
          const rare = index % RARE_STEP[engine] === 0 ? Object.entries(RARE) : []
          const cases = [...drawn, ...rare].map(([kind, make] = assert.fail()) => ({
            kind,
            pieces: make(path, random)
          }))
          // The others are sent while these wait.
          cases.sort((a, b) => Number(UNFINISHED.test(b.kind)) - Number(UNFINISHED.test(a.kind)))
          await runPool(cases, AT_ONCE, ({ kind, pieces }) => play(kind, pieces))
          await isAlive()
        })
      }

      for (const [index, step] of STEPS.entries()) {
        test(`POST /statuses/import/${step}`, async () => {
          const random = createRandom(100 + index)
          const kinds = Object.entries(BODIES)
          const cases = Array.from({ length: BODIES_PER_STEP[engine] }, (_, n) => {
            const [kind, make] = kinds[n % kinds.length] ?? assert.fail()
            return { kind, body: make(step, random) }
          })
          await runPool(cases, AT_ONCE, ({ kind, body }) => importBody(step, kind, body))
          await isAlive()
        })
      }

      async function importBody(
        step: Step,
        kind: string,
        body: string | Uint8Array
      ): Promise<void> {
        const { status, text } = await postRaw(`/statuses/import/${step}`, body)
        count(`import ${step}`, status)
        const shown = `${step}, ${kind}: ${status} ${text}\n${Buffer.from(body).toString('latin1').slice(0, 600)}`
        assert.ok(status < 500, shown)
        if (status >= 400) assert.match(JSON.parse(text).message, /\S/, shown)
      }

      async function postRaw(path: string, body: string | Uint8Array) {
        const { token } = nonet.ready
        const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
        const response = await fetch(site.console + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...authorization },
          body: typeof body === 'string' ? body : new Uint8Array(body)
        })
        return { status: response.status, text: await response.text() }
      }

      test('other steps, and bodies that are cut off or over the limit', async () => {
        for (const step of [
          '__proto__',
          'constructor',
          'toString',
          '%2e%2e',
          '%00',
          'x'.repeat(99)
        ]) {
          const { status } = await postRaw(`/statuses/import/${step}`, '{}')
          assert.ok(status >= 400 && status < 500, `${step}: ${status}`)
        }
        const { hostname, port } = new URL(site.console)
        const head = `POST /statuses/import/posts HTTP/1.1\r\nHost: ${hostname}:${port}\r\n`
        const bodies: readonly Pieces[] = [
          [`${head}Content-Length: 1000\r\n\r\n`, '{"account":'],
          [`${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n{\r\n', 'zz\r\n'],
          [`${head}Content-Length: 99999999999\r\nConnection: close\r\n\r\n`, '{'],
          [`${head}Content-Length: 6000000\r\nConnection: close\r\n\r\n`, ' '.repeat(6_000_000)],
          [`${head.replace('posts', 'files')}Content-Length: 1000\r\n\r\n`, PIXEL.subarray(0, 40)],
          [
            `${head.replace('posts', 'files')}Transfer-Encoding: chunked\r\n\r\n`,
            '5\r\n\0\0\0\x18f\r\n'
          ]
        ]
        for (const pieces of bodies) {
          const { statuses: found } = await sendRaw(site.console, pieces, SLOW_QUIET_MS)
          assert.ok(
            found.every((status) => status >= 400 && status < 500),
            String(found)
          )
        }
        await isAlive()
      })

      test('files that only look like images and videos', async () => {
        const cases = [
          new Uint8Array(),
          PIXEL.subarray(0, 30),
          Buffer.concat([PIXEL.subarray(0, 16), randomBytes(500)]),
          Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(2_000)]),
          Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8X', 'latin1'),
          Buffer.from('GIF89a\xff\xff\xff\xff', 'latin1'),
          Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
          Buffer.from('\0\0\0\x18ftyp', 'latin1')
        ]
        for (const bytes of cases) {
          const { status, text } = await site.receive('files', bytes)
          count('import files', status)
          assert.ok(status < 500, `${status} ${text}`)
        }
        await isAlive()
      })

      for (const round of [0, 1]) {
        for (const [number, [kind, make]] of Object.entries(POSTS).entries()) {
          test(`imported posts with ${kind} are shown or rejected, round ${round + 1}`, async () => {
            const random = createRandom(200 + number)
            let shown: string[] = []
            for (let n = 0; n < postsPerKind; n++) {
              const position = round * Object.keys(POSTS).length + number
              const id = String(FIRST_ODD_ID + position * postsPerKind + n)
              const body = { account: '12', posts: [post(id, make(random))], dryRun: false }
              const { status, text } = await site.receive('posts', body)
              count('odd posts', status)
              const sent = JSON.stringify(body).slice(0, 600)
              assert.ok(status < 500, `${status} ${text}\n${sent}`)
              if (status === 200) {
                await read(ownPaths(id), sent)
                shown.push(sent)
              }
              // In the second round the lists would have posts with the same contents.
              if (round > 0 && EFFORT === 1) continue
              if ((n + 1) % postsBeforeLists !== 0 || shown.length === 0) continue
              await read(LISTS, shown.join('\n'))
              shown = []
            }
            await isAlive()
          })
        }
      }

      async function read(paths: readonly string[], sent: string): Promise<void> {
        for (const path of paths) {
          for (const accept of path.includes('/status/')
            ? ['text/html', 'application/json']
            : ['*/*']) {
            const { status, headers, text } = await site.ask(path, { accept })
            const isMarkup = /html|xml/.test(headers.get('content-type') ?? '')
            const shown = `${path}: ${status} ${text.slice(0, 300)}\n${sent}`
            assert.equal(status, 200, shown)
            if (isMarkup) assert.doesNotMatch(text, /javascript:alert|<script>/, shown)
          }
        }
      }

      test('the generator was not easy on us, and nothing hung', (t) => {
        const groups = [...statuses].map(([group, counts]) => [group, Object.fromEntries(counts)])
        t.diagnostic(JSON.stringify({ ...totals, ...Object.fromEntries(groups), resident }))
        const total = (status: number) => statuses.get('public')?.get(status) ?? 0
        assert.ok(totals.answered > totals.sent * 0.8, 'most cases must reach an answer')
        assert.ok(totals.quiet < totals.sent * 0.15, 'only unfinished requests may stay unanswered')
        assert.ok(total(200) > totals.sent * 0.2, 'not only refusals')
        assert.ok(total(404) + total(400) > totals.sent * 0.1, 'not only harmless cases')
        assert.ok((statuses.get('odd posts')?.get(200) ?? 0) > 10, 'odd posts were stored')
        assert.ok(Math.max(...resident) < MAX_RESIDENT_MB, `${resident} MB`)
        const requests = resident.slice(0, routes('').length)
        assertFlat(requests.slice(Math.floor(requests.length / 2)))
        // The first round of posts with large texts needs more memory, the second must not.
        assertFlat(resident.slice(-Object.keys(POSTS).length - 1))
      })
    })
  }
})

/** Megabytes from the first measurement to the last. */
function assertFlat(resident: readonly number[]): void {
  const growth = (resident.at(-1) ?? 0) - (resident[0] ?? 0)
  assert.ok(growth < MAX_LATE_GROWTH_MB, `${growth} MB more: ${resident}`)
}
