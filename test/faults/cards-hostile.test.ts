/**
 * Hostile requests to cards over raw sockets, on every engine: every route of the compatible API
 * and of the native one gets REQUESTS_PER_ROUTE requests with a valid token, of as many kinds of
 * cards-requests.ts, drawn with a fixed seed: half of the kinds, a third on PostgreSQL, and the
 * next route the next ones; with more effort all. What they changed is then read in every
 * representation. A case counts as answered when at least one status line came back.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Engine } from '../../src/kernel/database/database.ts'
import { API_ROUTES } from '../../src/services/cards/api/route-table.ts'
import { requestOf, type TableRoute } from '../contract/cards-matrix.ts'
import { type Site, siteOf } from '../contract/cards-site.ts'
import { askFor, buildWorld, type World } from '../support/cards-world.ts'
import { scaled } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { type Launched, launchNonet } from '../support/launcher.ts'
import { limitedHeap, residentMegabytes } from '../support/limited-process.ts'
import { runPool } from '../support/pool.ts'
import { createRandom } from '../support/random.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { KINDS, NAMES, type Pieces, QUERIES, RARE, type Target } from './cards-requests.ts'

const REQUESTS_PER_ROUTE: Readonly<Record<Engine, number>> = {
  sqlite: scaled(14, 27),
  postgres: scaled(9, 27)
}
const QUIET_MS = 60_000
const SLOW_QUIET_MS = 300
const AT_ONCE = 16
const MAX_RESIDENT_MB = 600
const MAX_LATE_GROWTH_MB = 100
/** Every nth route gets the rare kinds. */
const RARE_STEP = 12

/** The server may wait for more, because these requests are incomplete or are not HTTP. */
const UNFINISHED = /random bytes|lies about|never ends|broken chunks|odd hosts|odd method/
/** The connection may end before a body that is not worth reading. */
const TORN = /ten megabytes|over the limit|broken JSON/

const ROUTES: readonly TableRoute[] = API_ROUTES
/** Routes besides the compatible API; those that change nothing have no method. */
const NATIVE = (world: World, image: string): readonly (Partial<Target> & { path: string })[] => [
  { path: '/' },
  { path: '/content' },
  { path: `/content/${world.board}` },
  { path: `/content/${world.board}/cards` },
  { path: `/content/${world.boardLink}/cards/bridge` },
  { path: `/content/${world.board}/cards/${world.card}` },
  { path: `/content/${world.board}/feed.xml` },
  { path: `/content/${world.board}/feed.json` },
  { path: `/content/${world.board}/openapi.json` },
  { path: `/content/${world.board}`, method: 'PATCH', fields: { slug: 'work', timeZone: 'UTC' } },
  {
    path: `/content/${world.board}/lists/${world.list}`,
    method: 'PATCH',
    fields: { role: 'published' }
  },
  { path: `/content/${world.board}/cards/${world.card}`, method: 'PATCH', fields: { slug: 'a' } },
  { path: `/content/${world.board}/preview-tokens`, method: 'POST', fields: { expires: '1h' } },
  {
    path: `/content/${world.board}/attachments/${world.attachment}/signed-url`,
    method: 'POST',
    fields: { expires: '1h' }
  },
  { path: `/images/${image}` },
  { path: `/b/${world.boardLink}` },
  { path: `/b/${world.boardLink}.json` },
  { path: `/b/${world.boardLink}/work.json` },
  { path: `/c/${world.cardLink}` },
  { path: '/1/authorize' }
]
/** For the titles of the tests. */
const NAMES_OF_IDS = new Proxy({} as World, { get: (_, key) => `<${String(key)}>` })
const NATIVE_COUNT = NATIVE(NAMES_OF_IDS, '').length

// Each has its own server, and waits for what stays unanswered.
describe('every engine', { concurrency: true }, () => {
  for (const engine of ENGINES) {
    describe(`hostile requests to cards, on ${engine}`, {
      timeout: 600_000,
      concurrency: 1
    }, () => {
      const totals = { sent: 0, answered: 0, closed: 0, quiet: 0 }
      const statuses = new Map<number, number>()
      const resident: number[] = []
      let nonet: Launched
      let database: Awaited<ReturnType<typeof temporaryDatabase>> | undefined
      let site: Site
      let token: string
      /** What no request is sent to, and what all are sent to. */
      let safe: World
      let target: World
      let image: string

      before(async () => {
        database = engine === 'postgres' ? await temporaryDatabase() : undefined
        const storage = database === undefined ? [] : ['--database', database.url]
        nonet = await launchNonet(['cards', '--ephemeral', '--quiet', ...storage], {
          env: { NODE_OPTIONS: limitedHeap(300) }
        })
        const { console, services, token: secret } = nonet.ready
        site = siteOf({
          cards: { url: services.cards ?? '', ports: {} },
          console: { url: console ?? '', token: secret }
        })
        safe = await buildWorld(site, await site.member('safe'))
        token = await site.member('target')
        await renew()
      })
      after(async () => {
        const { code, stderr } = await nonet.end()
        await database?.[Symbol.asyncDispose]()
        assert.equal(code, 0, stderr)
        assert.equal(stderr, '', 'a defect was reported')
      })

      async function renew(): Promise<void> {
        target = await buildWorld(site, token)
        const body = { 'prefs/permissionLevel': 'public' }
        await site.json(`/boards/${target.board}`, { method: 'PUT', token, body })
        const { url } = await site.json(`/cards/${target.card}/attachments/${target.attachment}`)
        image = url.split('/').at(-1) ?? ''
      }

      async function play(name: string, pieces: Pieces): Promise<void> {
        const isUnfinished = UNFINISHED.test(name)
        const quietMs = isUnfinished ? SLOW_QUIET_MS : QUIET_MS
        const { statuses: found, closed, text } = await sendRaw(site.url, pieces, quietMs)
        totals.sent += 1
        if (found.length > 0) totals.answered += 1
        else if (closed) totals.closed += 1
        else totals.quiet += 1
        const sent = Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString('latin1')
        const shown = `${name}: ${sent.slice(0, 700)}\n${text.slice(0, 400)}`
        for (const status of found) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          assert.ok(status < 500 || text.includes('Too many images are processed'), shown)
        }
        assert.ok(found.length > 0 || isUnfinished || (TORN.test(name) && closed), shown)
        assert.doesNotMatch(text, /\r\nset-cookie:|node_modules|\.ts:\d/i, shown)
      }

      async function attack(seed: number, sample: Target): Promise<void> {
        const random = createRandom(seed)
        const kinds = Object.entries(KINDS)
        const count = REQUESTS_PER_ROUTE[engine]
        const drawn = Array.from(
          { length: count },
          (_, n) => kinds[(seed * count + n) % kinds.length]
        )
        const rare = seed % RARE_STEP === 0 ? Object.entries(RARE) : []
        const cases = [...drawn, ...rare].map(([kind, make] = assert.fail()) => ({
          kind,
          pieces: make(sample, random)
        }))
        // The others are sent while these wait.
        cases.sort((a, b) => Number(UNFINISHED.test(b.kind)) - Number(UNFINISHED.test(a.kind)))
        await runPool(cases, AT_ONCE, ({ kind, pieces }) => play(kind, pieces))
        await isAlive()
      }

      async function isAlive(): Promise<void> {
        resident.push(Math.round(residentMegabytes(nonet.ready.pid).now))
        const { name } = await site.json(`/cards/${safe.card}`, { token: safe.token })
        assert.equal(name, 'Bridge')
      }

      /** Whatever the requests stored can be read and shown. */
      async function readEverywhere({ board }: World): Promise<void> {
        const nested =
          'cards=all&card_attachments=true&card_customFieldItems=true&lists=all&actions=all'
        const own = [
          `/1/boards/${board}?fields=all&${nested}&labels=all&customFields=true&checklists=all`,
          '/1/members/me/boards?fields=all',
          '/1/members/me/cards',
          `/1/search?query=a&token=${token}`
        ]
        const native = ['', '/cards?limit=100', '/cards?q=bridge', '/feed.xml', '/feed.json']
        for (const path of [...own, ...native.map((part) => `/content/${board}${part}`), '/']) {
          const { status, text } = await askFor(site, { method: 'GET', path, token })
          const isRemoved = status === 404 && path.includes(board)
          assert.ok(status === 200 || isRemoved, `${path}: ${status} ${text.slice(0, 300)}`)
          assert.doesNotMatch(text, /<script>alert|href="javascript:/i, path)
        }
      }

      for (const [index, route] of ROUTES.entries()) {
        test(`${route.method} /1${route.pattern}`, async () => {
          // These remove what other routes need.
          if (route.method === 'DELETE') await renew()
          const own = { ...target }
          if (route.pattern.startsWith('/tokens')) {
            own.token = (await site.token({ flags: { member: 'target' } })).secret
          }
          const { method, path, body } = requestOf(route, own, own)
          const fields = body === undefined || body instanceof FormData ? {} : body
          const credential = route.pattern.startsWith('/tokens') ? own.token : token
          await attack(index, { method, path, fields, token: credential })
          if (index % 10 === 9) {
            const used = target
            await renew()
            await readEverywhere(used)
          }
        })
      }

      for (let index = 0; index < NATIVE_COUNT; index++) {
        const { method = 'GET', path: shown } = NATIVE(NAMES_OF_IDS, '<image>')[index] ?? {}
        test(`${method} ${shown}`, async () => {
          const sample = NATIVE(target, image)[index] ?? assert.fail()
          await attack(1000 + index, { method: 'GET', fields: {}, token, ...sample })
          await readEverywhere(target)
        })
      }

      test('objects that cannot be converted, as any parameter', async () => {
        const { board, list, card, checklist } = target
        const routes = [
          ['GET', `/1/boards/${board}`],
          ['GET', `/1/lists/${list}/cards`],
          ['GET', '/1/batch'],
          ['PUT', `/1/cards/${card}`],
          ['PUT', `/1/checklists/${checklist}`],
          ['PATCH', `/content/${board}`]
        ] as const
        const cases = [...NAMES, ...QUERIES].flatMap((name) =>
          routes.map(([method, path]) => ({ method, path, name }))
        )
        await runPool(cases, AT_ONCE, async ({ method, path, name }) => {
          const body = JSON.stringify({
            [name]: { toString: 1, valueOf: 1, latitude: { toString: 1 } }
          })
          const headers = `Host: localhost\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n`
          const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
          await play(name, [`${method} ${path} HTTP/1.1\r\n${headers}${type}\r\n`, body])
        })
        await isAlive()
      })

      test('the generator was not easy on us, and nothing hung', (t) => {
        t.diagnostic(JSON.stringify({ ...totals, ...Object.fromEntries(statuses), resident }))
        const total = (status: number) => statuses.get(status) ?? 0
        assert.ok(totals.answered > totals.sent * 0.8, 'most cases must reach an answer')
        assert.ok(totals.quiet < totals.sent * 0.15, 'only unfinished requests may stay unanswered')
        assert.ok(total(200) > totals.sent * 0.2, 'not only rejections')
        assert.ok(total(404) + total(400) > totals.sent * 0.1, 'not only harmless cases')
        assert.ok(Math.max(...resident) < MAX_RESIDENT_MB, `${resident} MB`)
        const late = resident.slice(Math.floor(resident.length / 2))
        const growth = (late.at(-1) ?? 0) - (late[0] ?? 0)
        assert.ok(growth < MAX_LATE_GROWTH_MB, `${growth} MB more: ${late}`)
      })
    })
  }
})
