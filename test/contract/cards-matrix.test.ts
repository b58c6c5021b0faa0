import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Nonet, start } from '../../src/host/start.ts'
import { API_ROUTES } from '../../src/services/cards/api/route-table.ts'
import {
  askFor,
  buildWorld,
  byLinks,
  type CardRequest,
  inCapitals,
  unknownWorld,
  type World
} from '../support/cards-world.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { runPool } from '../support/pool.ts'
import { openServiceTables, type ServiceTables } from '../support/service-tables.ts'
import { requestOf, type TableRoute, type Variant, variantsOf } from './cards-matrix.ts'
import { type Site, siteOf } from './cards-site.ts'
import { seen } from './statuses-site.ts'

const ROUTES: readonly TableRoute[] = API_ROUTES
const AT_ONCE = 8
const EXPIRES_MS = 1_500
/** Of a batch each part has its own status; another test is about them. */
const isSingle = ({ name }: TableRoute) => name !== 'batch'
const NO_TOKEN = 'unauthorized permission requested'
const BAD_TOKEN = 'invalid token'

/** A request whose response must be like another one. */
interface Rejection {
  title: string
  send: CardRequest
  like?: CardRequest
  statuses: readonly number[]
  text?: string
}

for (const engine of ENGINES) {
  describe(`I-9, who may use which route, on ${engine}`, () => {
    let nonet: Nonet<'cards'>
    let site: Site
    let tables: ServiceTables
    /** Two boards of Ada, one of Bob. */
    let first: World
    let second: World
    let bob: World
    let address = 0

    before(async () => {
      // Failed tokens are counted by address, and each has another one.
      const options = {
        trustedProxy: ['127.0.0.1'],
        outboundAllow: ['127.0.0.1'],
        cards: { rateLimit: 1_000_000 }
      }
      nonet = await start({ services: ['cards'], ...options, ...engineOptions(engine) })
      site = siteOf(nonet)
      const ada = await site.member('ada')
      first = await buildWorld(site, ada)
      second = await buildWorld(site, ada)
      bob = await buildWorld(site, await site.member('bob'))
      tables = await openServiceTables({ service: 'cards', engine, folder: nonet.folder })
    })
    after(async () => {
      await tables?.close()
      await nonet.stop()
    })

    async function look(request: CardRequest): Promise<ReturnType<typeof shown>> {
      const host = `${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`
      address += 1
      const headers = { 'x-forwarded-for': `10.${host}`, ...request.headers }
      return shown(seen(await askFor(site, { ...request, headers })))
    }

    async function check({ title, send, like, statuses, text }: Rejection): Promise<void> {
      const response = await look(send)
      const label = `${send.method} ${send.path} ${JSON.stringify(send.body ?? {})}, ${title}`
      assert.ok(statuses.includes(response.status), `${label}: ${JSON.stringify(response)}`)
      if (text !== undefined) assert.equal(response.text, text, label)
      if (like !== undefined) assert.deepEqual(response, await lookOnce(like), label)
    }

    /** Several responses are like one of them. */
    let once = new Map<string, ReturnType<typeof look>>()
    function lookOnce(request: CardRequest): ReturnType<typeof look> {
      const key = JSON.stringify(request)
      const known = once.get(key) ?? look(request)
      once.set(key, known)
      return known
    }

    /** None of them changes a row; if one does, it is looked for. */
    async function checkAll(rejections: readonly Rejection[]): Promise<void> {
      const state = await tables.digest()
      once = new Map()
      await runPool(rejections, AT_ONCE, check)
      if ((await tables.digest()) === state) return
      for (const rejection of rejections) {
        const { method, path, body } = rejection.send
        const previous = await tables.digest()
        await look(rejection.send)
        if ((await tables.digest()) === previous) continue
        assert.fail(`${method} ${path} ${JSON.stringify(body)} changed rows: ${rejection.title}`)
      }
      assert.fail(`one of these changed rows: ${rejections.map(({ title }) => title)}`)
    }

    function rejections(
      token: string,
      title: string,
      variants: readonly Variant[],
      isBody: boolean
    ) {
      return variants.map(({ title: what, foreign, unknown }) => ({
        title: `${title}, ${what}`,
        send: { ...foreign, token },
        like: { ...unknown, token },
        statuses: isBody ? [400, 401, 404] : [401, 404]
      }))
    }

    const AS_THEY_ARE = { 'as it is': (world: World) => world }

    async function checkForeign(
      token: string,
      { mine, theirs }: { mine: World; theirs: World },
      spellings: Readonly<Record<string, (world: World) => World>>
    ): Promise<void> {
      const worlds = { mine, theirs, unknown: unknownWorld(theirs) }
      const ofRoutes = ROUTES.filter(isSingle).map((route) => {
        const all = Object.entries(spellings).flatMap(([title, as]) => {
          const { path, body } = variantsOf(route, worlds, as)
          return [...rejections(token, title, path, false), ...rejections(token, title, body, true)]
        })
        return all.filter(
          ({ send }, index) => all.findIndex((other) => isSame(other.send, send)) === index
        )
      })
      await checkAll(ofRoutes.flat())
    }

    test('objects of another member are unknown, wherever their ids are', async () => {
      const worlds = { mine: bob, theirs: first }
      await checkForeign(bob.token, worlds, { ...AS_THEY_ARE, inCapitals, byLinks })
    })

    test('objects of another board are unknown to a token of one board', async () => {
      const flags = { member: 'ada', board: second.board }
      const { secret } = await site.token({ flags, scopes: ['read', 'write', 'admin'] })
      const worlds = { mine: { ...second, token: secret }, theirs: { ...first, token: secret } }
      await checkForeign(secret, worlds, AS_THEY_ARE)
    })

    test('objects of another parent are unknown below this one', async () => {
      const worlds = { mine: first, theirs: second, unknown: unknownWorld(second) }
      const paths = ROUTES.filter(isSingle).map((route) => variantsOf(route, worlds).path)
      const alone = paths.filter(({ length }) => length >= 2).flatMap((path) => path.slice(0, -1))
      await checkAll(rejections(first.token, 'of another parent', alone, false))
    })

    test('a publishable key opens no other board, and nothing but public routes', async () => {
      const own = await site.publishable('ada', first.board)
      const other = await site.publishable('ada', second.board)
      const unknown = unknownWorld(first)
      const ofRoutes = ROUTES.filter(isSingle).map((route): Rejection[] => {
        const send = requestOf(route, first, first)
        const isPublic = route.access === 'public'
        const closed = { statuses: [401], text: NO_TOKEN }
        const missing = { statuses: [404], like: { ...requestOf(route, unknown, unknown) } }
        const drafts = requestOf(route, hidden(first, first.draft, first.draftList), first)
        const archived = requestOf(route, hidden(first, first.archived, first.list), first)
        const scheduled = requestOf(route, hidden(first, first.scheduled, first.list), first)
        const hasCard = route.pattern.includes(':card') || route.name === 'boardCardsOrCard'
        return [
          ...(isPublic
            ? [
                {
                  title: 'another board',
                  send: { ...send, token: other },
                  ...withToken(missing, other)
                }
              ]
            : [{ title: 'a route of members', send: { ...send, token: own }, ...closed }]),
          ...(isPublic && hasCard
            ? [drafts, archived, scheduled].map((request) => ({
                title: 'a card that is not published',
                send: { ...request, token: own },
                ...withToken(missing, own)
              }))
            : [])
        ]
      })
      await checkAll(ofRoutes.flat())
    })

    test('without a token private boards are unknown, and other routes closed', async () => {
      const unknown = unknownWorld(first)
      const ofRoutes = ROUTES.filter(isSingle).map((route): Rejection => {
        const send = requestOf(route, first, first)
        const like = requestOf(route, unknown, unknown)
        return route.access === 'public'
          ? { title: 'no token', send, like, statuses: [404] }
          : { title: 'no token', send, like, statuses: [401], text: NO_TOKEN }
      })
      await checkAll(ofRoutes)
    })

    test('tokens that are not valid are rejected on every route with the same bytes', async () => {
      const flags = { member: 'ada' }
      const expires = new Date(Date.now() + EXPIRES_MS).toISOString()
      const expired = (await site.token({ flags, expires })).secret
      const revoked = await site.token({ flags })
      await site.revoke(revoked.id)
      await setTimeout(EXPIRES_MS)
      const tokens = {
        expired,
        revoked: revoked.secret,
        malformed: 'x',
        'in capitals': first.token.toUpperCase()
      }
      const ofRoutes = ROUTES.map((route) => {
        const send = requestOf(route, first, first)
        const like = { ...requestOf(route, unknownWorld(first), first), token: 'y' }
        return Object.entries(tokens).map(([title, token]) => ({
          title,
          send: { ...send, token },
          like,
          statuses: [401],
          text: BAD_TOKEN
        }))
      })
      await checkAll(ofRoutes.flat())
    })

    test('a token needs the scope of the route', async () => {
      const flags = { member: 'ada' }
      const reading = (await site.token({ flags, scopes: ['read'] })).secret
      const writing = (await site.token({ flags, scopes: ['read', 'write'] })).secret
      const ofRoutes = ROUTES.map((route) => {
        const tokens =
          route.access === 'admin' ? [reading, writing] : route.access === 'write' ? [reading] : []
        return tokens.map((token) => ({
          title: 'a scope is missing',
          send: { ...requestOf(route, first, first), token },
          like: { ...requestOf(route, unknownWorld(first), first), token },
          statuses: [401],
          text: NO_TOKEN
        }))
      })
      await checkAll(ofRoutes.flat())
    })

    test('every route is a success with objects of the own board', async () => {
      const token = await site.member('cleo')
      let world = await buildWorld(site, token)
      for (const route of ROUTES) {
        const removesToken = route.name === 'removeToken'
        const secret = removesToken
          ? (await site.token({ flags: { member: 'cleo' } })).secret
          : token
        const ask = () =>
          look({ ...requestOf(route, { ...world, token: secret }, world), token: secret })
        let response = await ask()
        if (response.status === 404) {
          // An earlier route removed what this one needs.
          world = await prepared(token)
          response = await ask()
        }
        assert.equal(response.status, 200, `${route.method} ${route.pattern}: ${response.text}`)
      }
    })

    /** A new board, whose card has the label and the member. */
    async function prepared(token: string): Promise<World> {
      const world = await buildWorld(site, token)
      const body = { idLabels: world.label, idMembers: world.member }
      await site.json(`/cards/${world.card}`, { method: 'PUT', token, body })
      return world
    }

    test('short links and capital letters select the same objects', async () => {
      const reads = ROUTES.filter(({ method }) => method === 'GET').filter(isSingle)
      for (const route of reads) {
        const token = first.token
        const expected = await look({ ...requestOf(route, first, first), token })
        for (const as of [inCapitals, byLinks]) {
          const request = requestOf(route, as(first), first)
          assert.deepEqual(await look({ ...request, token }), expected, request.path)
        }
      }
    })

    test('public routes show the published part, with a key or on a public board', async () => {
      const token = await site.member('dora')
      const world = await buildWorld(site, token)
      const key = await site.publishable('dora', world.board)
      const reads = ROUTES.filter(({ access }) => access === 'public')
      for (const route of reads) {
        const { status, text } = await look({ ...requestOf(route, world, world), token: key })
        assert.equal(status, 200, `${route.pattern}: ${text}`)
        assert.doesNotMatch(text, /Secret|Bygone/, route.pattern)
      }
      await site.json(`/boards/${world.board}`, {
        method: 'PUT',
        token,
        body: { 'prefs/permissionLevel': 'public' }
      })
      for (const route of reads) {
        const { status, text } = await look(requestOf(route, world, world))
        assert.equal(status, 200, `${route.pattern}: ${text}`)
        assert.doesNotMatch(text, /Secret|Bygone/, route.pattern)
      }
    })
  })
}

/** The world in which the ids are those of a card that the public does not see. */
function hidden(world: World, card: string, list: string): World {
  return { ...world, card, list }
}

function withToken<T extends { like: CardRequest }>(rejection: T, token: string): T {
  return { ...rejection, like: { ...rejection.like, token } }
}

function isSame(one: CardRequest, other: CardRequest): boolean {
  return one.path === other.path && JSON.stringify(one.body) === JSON.stringify(other.body)
}

interface Shown {
  status: number
  headers: Record<string, string>
  text: string
}

/** Without the counts of the rate limit. */
function shown(response: object): Shown {
  const { status, headers, text } = response as Shown
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith('x-rate-limit-'))
  return { status, headers: Object.fromEntries(kept), text }
}
