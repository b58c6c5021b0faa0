import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import {
  CONTENT_ROUTES,
  type ReadName,
  type WriteName
} from '../../src/services/cards/content/plan.ts'
import { buildWorld, inCapitals, unknownWorld, type World } from '../support/cards-world.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { openServiceTables, type ServiceTables } from '../support/service-tables.ts'
import { type CardsRequest, type Site, siteOf } from './cards-site.ts'
import { seen } from './statuses-site.ts'

type Route = (typeof CONTENT_ROUTES)[number]

/** A body that each route accepts; a new route must be added here. */
const BODIES: Readonly<Record<ReadName | WriteName, ((world: World) => object) | undefined>> = {
  boards: undefined,
  board: undefined,
  changeBoard: () => ({ timeZone: 'Europe/Oslo' }),
  cards: undefined,
  feedXml: undefined,
  feedJson: undefined,
  openapi: undefined,
  card: undefined,
  changeCard: () => ({ slug: 'renamed' }),
  changeList: () => ({ role: 'published' }),
  addPreviewToken: ({ card }) => ({ card, expires: '1h' }),
  signUrl: () => ({ expires: '1h' })
}

const WITH_BOARD = CONTENT_ROUTES.filter(({ pattern }) => pattern.includes(':board'))
const READS = WITH_BOARD.filter(({ method }) => method === 'GET')
const WRITES = WITH_BOARD.filter(({ method }) => method !== 'GET')

function pathOf({ pattern }: Route, { board, card, list, attachment }: World): string {
  const ids: Readonly<Record<string, string>> = { board, card, list, attachment }
  return `/content${pattern.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? assert.fail(name))}`
}

function requestOf({ name, method }: Route, world: World): CardsRequest {
  const body = BODIES[name]?.(world)
  return { method, ...(body !== undefined && { body }) }
}

for (const engine of ENGINES) {
  describe(`I-9, who may use the content of which board, on ${engine}`, () => {
    let nonet: Nonet<'cards'>
    let site: Site
    let tables: ServiceTables
    let first: World
    let second: World
    let bob: World
    let address = 0

    before(async () => {
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

    /** Failed tokens are counted by address, and each has another one. */
    async function look(path: string, request: CardsRequest = {}) {
      address += 1
      const headers = { 'x-forwarded-for': `10.0.${address >> 8}.${address & 255}` }
      const answer = await site.ask(path, { ...request, headers })
      return { ...answer, seen: seen(answer) }
    }

    async function changesNothing(work: () => Promise<void>): Promise<void> {
      const state = await tables.digest()
      await work()
      assert.equal(await tables.digest(), state)
    }

    /** The worlds in which one id, or all, are those of another board. */
    function foreignTo(mine: World, theirs: World): World[] {
      const { board, card, list, attachment } = theirs
      const slug = theirs === second ? { board: 'work-2' } : { board: theirs.boardLink }
      return [
        theirs,
        inCapitals(theirs),
        { ...theirs, board: theirs.boardLink },
        { ...theirs, ...slug },
        { ...mine, card, list, attachment },
        { ...mine, board }
      ]
    }

    async function rejectsForeign(token: string, mine: World, theirs: World): Promise<void> {
      const unknown = unknownWorld(theirs)
      await changesNothing(async () => {
        for (const route of WITH_BOARD) {
          for (const world of foreignTo(mine, theirs)) {
            const path = pathOf(route, world)
            if (path === pathOf(route, mine)) continue
            const request = { ...requestOf(route, mine), token }
            const found = await look(path, request)
            assert.equal(found.status, 404, `${route.method} ${path}: ${found.text}`)
            const like = await look(pathOf(route, unknown), request)
            assert.deepEqual(found.seen, like.seen, `${route.method} ${path}`)
          }
        }
      })
    }

    test('boards, cards, lists and files of another member are unknown', async () => {
      await rejectsForeign(bob.token, bob, first)
      await rejectsForeign(bob.token, bob, second)
    })

    test('other boards of the member are unknown to a token of one board', async () => {
      const { secret } = await site.token({ flags: { member: 'ada', board: second.board } })
      await rejectsForeign(secret, second, first)
      const { text } = await look('/content', { token: secret })
      assert.ok(text.includes('work-2') && !text.includes('/work"'), text)
    })

    test('ids in a body select nothing of others', async () => {
      await changesNothing(async () => {
        const path = `/content/${bob.board}/preview-tokens`
        const answers = await Promise.all(
          [first.card, unknownWorld(first).card].map((card) =>
            look(path, { method: 'POST', token: bob.token, body: { card } })
          )
        )
        assert.deepEqual(answers[0]?.seen, answers[1]?.seen)
        assert.equal(answers[0]?.status, 404)
        const body = { completedField: first.textField, urlField: first.textField }
        const mapped = await look(`/content/${bob.board}`, {
          method: 'PATCH',
          token: bob.token,
          body
        })
        assert.ok(mapped.status === 400 || mapped.status === 404, mapped.text)
      })
    })

    test('a key reads the published part of its board and changes nothing', async () => {
      const key = await site.publishable('ada', first.board)
      const unknown = unknownWorld(first)
      await changesNothing(async () => {
        for (const route of WRITES) {
          const { status } = await look(pathOf(route, first), {
            ...requestOf(route, first),
            token: key
          })
          assert.equal(status, 401, route.pattern)
        }
        for (const route of READS) {
          const { status, text } = await look(pathOf(route, first), { token: key })
          assert.ok(status === 200 || status === 301, `${route.pattern}: ${text}`)
          assert.doesNotMatch(text, /Secret|Bygone|Drafts/, route.pattern)
          const other = await look(pathOf(route, second), { token: key })
          const like = await look(pathOf(route, unknown), { token: key })
          assert.deepEqual(other.seen, like.seen, route.pattern)
          assert.equal(other.status, 404)
        }
        for (const card of [first.draft, first.archived, first.scheduled]) {
          const { status } = await look(`/content/${first.board}/cards/${card}`, { token: key })
          assert.equal(status, 404)
        }
      })
    })

    test('a preview token reads drafts of its board, or its card alone, and changes nothing', async () => {
      const create = async (body: object): Promise<string> => {
        const path = `/content/${first.board}/preview-tokens`
        const { status, text } = await look(path, { method: 'POST', token: first.token, body })
        assert.equal(status, 200, text)
        return JSON.parse(text).token
      }
      const ofBoard = await create({})
      const ofCard = await create({ card: first.draft })
      await changesNothing(async () => {
        for (const token of [ofBoard, ofCard]) {
          for (const route of WRITES) {
            const request = { ...requestOf(route, first), token }
            assert.equal((await look(pathOf(route, first), request)).status, 401, route.pattern)
          }
          for (const world of [second, bob]) {
            for (const route of READS) {
              const { status } = await look(pathOf(route, world), { token })
              assert.equal(status, 404, route.pattern)
            }
          }
          const { status } = await look(`/1/boards/${first.board}`, { token })
          assert.equal(status, 401, 'only the content API accepts it')
          const damaged = `${token.slice(0, -2)}${token.endsWith('A') ? 'BB' : 'AA'}`
          assert.equal((await look(`/content/${first.board}`, { token: damaged })).status, 401)
        }
        const draft = `/content/${first.board}/cards/${first.draft}`
        assert.equal((await look(draft, { token: ofBoard })).status, 200)
        assert.equal((await look(draft, { token: ofCard })).status, 200)
        const other = `/content/${first.board}/cards/${first.card}`
        assert.equal((await look(other, { token: ofCard })).status, 404)
        const { text } = await look(`/content/${first.board}/cards`, { token: ofCard })
        assert.ok(!text.includes('Bridge'), text)
      })
    })

    test('without a token, or with one that is not valid, boards are closed', async () => {
      const revoked = await site.token({ flags: { member: 'ada' } })
      await site.revoke(revoked.id)
      const bad = [
        'x',
        revoked.secret,
        first.token.toUpperCase(),
        'pk_00000000000000000000',
        'pv_x'
      ]
      const reading = await site.token({ flags: { member: 'ada' }, scopes: ['read'] })
      const unknown = unknownWorld(first)
      await changesNothing(async () => {
        for (const route of WITH_BOARD) {
          const path = pathOf(route, first)
          const request = requestOf(route, first)
          for (const token of bad) {
            const { status } = await look(path, { ...request, token })
            assert.equal(status, 401, `${route.pattern} ${token}`)
          }
          const none = await look(path, request)
          const like = await look(pathOf(route, unknown), request)
          assert.deepEqual(none.seen, like.seen, route.pattern)
          assert.equal(none.status, route.method === 'GET' ? 404 : 401, route.pattern)
          if (route.method === 'GET') continue
          const { status } = await look(path, { ...request, token: reading.secret })
          assert.equal(status, 401, route.pattern)
        }
      })
    })

    test('no parameter, header or override changes who asks', async () => {
      const headers = {
        'x-user-id': bob.member,
        'x-http-method-override': 'PATCH',
        'x-forwarded-for': '10.9.9.9'
      }
      await changesNothing(async () => {
        for (const route of READS) {
          const path = pathOf(route, first)
          const expected = seen(await site.ask(path, { token: first.token }))
          const answer = await site.ask(path, { token: first.token, headers })
          assert.deepEqual(seen(answer), expected, path)
          for (const name of ['customerId', 'member', 'owner', 'userId', '_method']) {
            const named = await site.ask(`${path}?${name}=${bob.member}`, { token: first.token })
            assert.ok(named.status === 400 || named.text === (await textOf(path)), named.text)
          }
        }
      })
      async function textOf(path: string): Promise<string> {
        return (await site.ask(path, { token: first.token })).text
      }
    })

    test('pages and board JSON are those of boards that the token sees', async () => {
      const pagesOf = ({ boardLink, cardLink }: World) => [
        `/b/${boardLink}`,
        `/b/${boardLink}/work`,
        `/b/${boardLink}.json`,
        `/b/${boardLink}/work.json`,
        `/c/${cardLink}`
      ]
      const unknown = pagesOf(unknownWorld(first))
      const key = await site.publishable('ada', second.board)
      await changesNothing(async () => {
        for (const [index, path] of pagesOf(first).entries()) {
          for (const token of [undefined, bob.token, key]) {
            const found = await look(path, { token })
            const like = await look(unknown[index] ?? '', { token })
            assert.deepEqual(found.seen, like.seen, path)
            assert.ok(found.status === 404 || found.status === 401, `${path}: ${found.status}`)
          }
          const { status, text } = await look(path, { token: first.token })
          assert.ok(status === 200 || status === 301, `${path}: ${text}`)
        }
        for (const token of [undefined, bob.token, key]) {
          const { status, text } = await look('/', { token })
          assert.equal(status, 200)
          assert.ok(!text.includes(first.boardLink), 'the board is not listed')
        }
        const { text } = await look('/', { token: first.token })
        assert.ok(text.includes(first.boardLink), 'its owner sees it')
      })
    })

    test('a page with a key shows the published part', async () => {
      const key = await site.publishable('ada', first.board)
      const { status, text } = await look(`/b/${first.boardLink}/work`, { token: key })
      assert.ok(status === 200 && text.includes('Bridge'), text)
      assert.doesNotMatch(text, /Secret|Bygone|Drafts|Nice|Steps/)
      const draft = await site.json(`/cards/${first.draft}?fields=shortLink`, {
        token: first.token
      })
      assert.equal((await look(`/c/${draft.shortLink}`, { token: key })).status, 404)
    })

    test('every route is a success with what is on the own board', async () => {
      for (const route of CONTENT_ROUTES) {
        const { status, text } = await look(pathOf(route, bob), {
          ...requestOf(route, bob),
          token: bob.token
        })
        assert.ok(status === 200 || status === 301, `${route.method} ${route.pattern}: ${text}`)
      }
    })
  })
}
