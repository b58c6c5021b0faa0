import assert from 'node:assert/strict'
import { StatementSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { API_ROUTES } from '../../src/services/cards/api/route-table.ts'
import {
  askFor,
  buildWorld,
  type CardRequest,
  imageForm,
  unknownWorld,
  type World
} from '../support/cards-world.ts'
import type { Answer } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { openServiceTables, type ServiceTables } from '../support/service-tables.ts'
import { requestOf, type TableRoute } from './cards-matrix.ts'
import { type CardsJson, type Site, siteOf } from './cards-site.ts'
import { seen } from './statuses-site.ts'

const ROUTES: readonly TableRoute[] = API_ROUTES
const READS = ROUTES.filter(({ method }) => method === 'GET')
const PUBLIC_READS = READS.filter(({ access }) => access === 'public')
const UNKNOWN = 'The requested resource was not found.'
const NO_PERMISSION = 'unauthorized permission requested'
const FAR = 'f'.repeat(24)

for (const engine of ENGINES) {
  describe(`I-9, identity comes from the token alone, on ${engine}`, () => {
    let nonet: Nonet<'cards'>
    let site: Site
    let tables: ServiceTables
    /** Two boards of Ada, one of Bob. */
    let first: World
    let second: World
    let bob: World
    let key: string
    let keyId: string

    before(async () => {
      nonet = await start({ services: ['cards'], ...engineOptions(engine) })
      site = siteOf(nonet)
      const ada = await site.member('ada')
      first = await buildWorld(site, ada)
      second = await buildWorld(site, ada)
      bob = await buildWorld(site, await site.member('bob'))
      const published = { scopes: ['published'], flags: { member: 'ada', board: first.board } }
      ;({ secret: key, id: keyId } = await site.token(published))
      tables = await openServiceTables({ service: 'cards', engine, folder: nonet.folder })
    })
    after(async () => {
      await tables?.close()
      await nonet.stop()
    })

    const ask = (request: CardRequest): Promise<Answer> => askFor(site, request)
    const own = (path: string, method = 'GET', body?: object): Promise<Answer> =>
      site.api(path, { method, token: first.token, body })

    async function changesNothing(title: string, work: () => Promise<void>): Promise<void> {
      const state = await tables.digest()
      await work()
      assert.equal(await tables.digest(), state, title)
    }

    test('no parameter and no header selects another member', async () => {
      const names = ['customerId', 'customer_id', 'member', 'idMember', 'userId', 'user', 'owner']
      const more = names.map((name) => [name, bob.member] as const)
      const headers = { 'x-user-id': bob.member, 'x-customer-id': bob.member, 'x-member': 'bob' }
      await changesNothing('reading', async () => {
        for (const route of READS) {
          const request = { ...requestOf(route, first, first), token: first.token }
          const expected = seen(await ask(request))
          const fields = request.body instanceof FormData ? {} : request.body
          const body = { ...Object.fromEntries(more), ...fields }
          assert.deepEqual(seen(await ask({ ...request, body, headers })), expected, route.pattern)
        }
      })
      const body = { name: 'Added', idList: first.list, ...Object.fromEntries(more) }
      const added = await site.json('/cards', { method: 'POST', token: first.token, body, headers })
      assert.equal(added.idBoard, first.board)
      const [action] = await site.json(`/cards/${added.id}/actions?filter=all`, {
        token: first.token
      })
      assert.equal(action.idMemberCreator, first.member)
      const board = { name: 'Mine', defaultLists: false, ...Object.fromEntries(more) }
      const made = await site.json('/boards', { method: 'POST', token: first.token, body: board })
      assert.equal((await site.api(`/boards/${made.id}`, { token: bob.token })).status, 404)
    })

    test('labels, fields, options, covers and lists of another board fit no card of this one', async () => {
      const { card, field } = first
      const other = second
      const cases: [string, string, object][] = [
        [`/cards/${card}`, 'PUT', { idLabels: [other.label] }],
        [`/cards/${card}`, 'PUT', { idAttachmentCover: other.attachment }],
        [`/cards/${card}`, 'PUT', { cover: { idAttachment: other.attachment } }],
        [`/cards/${card}`, 'PUT', { idBoard: first.board, idList: other.list }],
        [`/cards/${card}/idLabels`, 'POST', { value: other.label }],
        [`/cards/${card}/customField/${other.textField}/item`, 'PUT', { value: { text: 'x' } }],
        [`/cards/${card}/customField/${field}/item`, 'PUT', { idValue: other.option }],
        [
          `/cards/${card}/customFields`,
          'PUT',
          { customFieldItems: [{ idCustomField: other.textField, value: { text: 'x' } }] }
        ],
        [`/cards/${card}/checkItem/${first.checkItem}`, 'PUT', { idChecklist: other.checklist }],
        ['/cards', 'POST', { idList: first.list, name: 'x', idLabels: other.label }]
      ]
      for (const [path, method, body] of cases) {
        await changesNothing(`${method} ${path} ${JSON.stringify(body)}`, async () => {
          const { status, text } = await own(path, method, body)
          assert.ok(status === 400 || status === 404, `${path} ${JSON.stringify(body)}: ${text}`)
        })
      }
    })

    test('a card that moves to another board has labels and fields of that one only', async () => {
      const made = await site.json('/cards', {
        method: 'POST',
        token: first.token,
        body: { idList: first.list, name: 'Moves', idLabels: [first.label] }
      })
      const { id } = made
      const item = { value: { text: 'x' } }
      await own(`/cards/${id}/customField/${first.textField}/item`, 'PUT', item)
      const body = { idBoard: second.board, idList: second.list }
      const moved = await site.json(`/cards/${id}`, { method: 'PUT', token: first.token, body })
      assert.deepEqual([moved.idBoard, moved.idList], [second.board, second.list])
      const scoped = await site.token({ flags: { member: 'ada', board: second.board } })
      const read = await site.json(`/cards/${id}?customFieldItems=true`, { token: scoped.secret })
      const labels: CardsJson[] = read.labels
      assert.ok(labels.every(({ idBoard }) => idBoard === second.board))
      const items: CardsJson[] = read.customFieldItems
      assert.ok(items.every(({ idCustomField }) => idCustomField === second.textField))
    })

    test('each part of a batch is decided on its own, and its token is ignored', async () => {
      async function statuses(urls: readonly string[], token?: string): Promise<string[]> {
        const path = `/batch?urls=${urls.map(encodeURIComponent).join(',')}`
        const parts: object[] = await site.json(path, { token })
        return parts.map((part) => Object.keys(part).join())
      }
      const { token } = first
      const stolen = `/cards/${bob.card}?key=k&token=${bob.token}`
      const unknown = `/cards/${FAR}`
      const urls = [`/cards/${first.card}`, `/cards/${bob.card}`, unknown, stolen, '/members/me']
      await changesNothing('a batch', async () => {
        assert.deepEqual(await statuses(urls, token), ['200', '404', '404', '404', '200'])
        const [, foreign, same, spent]: object[] = await site.json(
          `/batch?urls=${urls.map(encodeURIComponent).join(',')}`,
          { token }
        )
        assert.deepEqual(foreign, same)
        assert.deepEqual(spent, same)
        const published = [`/cards/${first.card}`, `/cards/${first.draft}`, '/members/me']
        assert.deepEqual(await statuses(published, key), ['200', '404', '401'])
        assert.deepEqual(await statuses(published), ['404', '404', '401'])
        const nested = `/batch?urls=/members/me`
        for (const url of [nested, '/BATCH/?urls=/members/me', '/1/members/me', '//evil', 'x:y']) {
          const [status = ''] = await statuses([url], token)
          assert.match(status, /^40[04]$/, url)
        }
        const many = Array.from({ length: 11 }, () => '/members/me').join(',')
        assert.equal((await own(`/batch?urls=${many}`)).status, 400)
      })
    })

    test('a token is shown and removed only with itself', async () => {
      const { secret, id } = await site.token({ flags: { member: 'ada' } })
      await changesNothing('other tokens', async () => {
        for (const method of ['GET', 'DELETE']) {
          for (const token of [bob.token, '0'.repeat(64), id, secret]) {
            const { status, text } = await own(`/tokens/${token}`, method)
            assert.deepEqual([status, text], [404, UNKNOWN], method)
          }
        }
        const { text } = await site.api(`/tokens/${secret}`, { token: secret })
        assert.ok(!text.includes(secret), 'the response does not repeat the token')
      })
      assert.equal(
        (await site.api(`/tokens/${secret}`, { method: 'DELETE', token: secret })).status,
        200
      )
      const { status, text } = await site.api('/members/me', { token: secret })
      assert.deepEqual([status, text], [401, 'invalid token'])
    })

    test('two different tokens in one request are rejected, wherever they are', async () => {
      const path = `/cards/${first.card}`
      const { token } = first
      const cases: [string, Parameters<Site['api']>[1]][] = [
        [`${path}?token=${bob.token}`, { token }],
        [`${path}?token=${token}&token=${bob.token}`, {}],
        [`${path}?oauth_token=${bob.token}&token=${token}`, {}],
        [path, { method: 'PUT', token, body: { name: 'x', token: bob.token } }],
        [
          `${path}?token=${token}`,
          { method: 'PUT', body: new URLSearchParams({ token: bob.token }) }
        ],
        [`${path}?token=${token}`, { method: 'PUT', body: { name: 'x', token: [bob.token] } }]
      ]
      await changesNothing('two tokens', async () => {
        for (const [target, request] of cases) {
          const { status, text } = await site.api(target, request)
          assert.deepEqual([status, text], [401, 'invalid token'], target)
        }
        const same = await site.api(`${path}?token=${token}`, { token })
        assert.equal(same.status, 200)
      })
    })

    test('a publishable key changes nothing by any method, override or field', async () => {
      const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override']
      await changesNothing('a key', async () => {
        for (const route of ROUTES.filter(({ access }) => access !== 'public')) {
          const request = { ...requestOf(route, first, first), token: key }
          const headers = Object.fromEntries(overrides.map((name) => [name, route.method]))
          for (const method of ['GET', 'POST']) {
            const plain = { ...request, method, body: undefined }
            const expected = seen(await ask(plain))
            assert.deepEqual(seen(await ask({ ...plain, headers })), expected, route.pattern)
            const inQuery = `${request.path}?_method=${route.method}`
            assert.deepEqual(seen(await ask({ ...plain, path: inQuery })), expected, route.pattern)
          }
          const form = new FormData()
          form.append('_method', route.method)
          const { status } = await ask({ ...request, method: 'POST', body: form, headers })
          assert.ok(status === 401 || status === 404, `${route.pattern}: ${status}`)
        }
        for (const path of [
          '/members/me',
          '/members/ada',
          '/search?query=a',
          '/organizations/me'
        ]) {
          const { status, text } = await site.api(path, { token: key })
          assert.deepEqual([status, text], [401, NO_PERMISSION], path)
        }
        const exported = await site.ask(`/b/${first.boardLink}.json`, { token: key })
        assert.ok(exported.status === 401 || exported.status === 404, String(exported.status))
      })
    })

    test('drafts, comments and checklists leave no trace in what a key or the public sees', async () => {
      const { token, board, card, draft, draftList } = first
      const change = (path: string, method: string, body: object) =>
        site.json(path, { method, token, body })
      await change(`/boards/${board}`, 'PUT', { 'prefs/permissionLevel': 'public' })
      async function look(): Promise<object[]> {
        const responses: object[] = []
        for (const route of PUBLIC_READS) {
          const body = { ...fieldsOf(requestOf(route, first, first)), fields: 'all' }
          const request = { ...requestOf(route, first, first), body }
          responses.push(seen(await ask({ ...request, token: key })), seen(await ask(request)))
        }
        const nested = 'cards=all&lists=all&labels=all&customFields=true&actions=all&checklists=all'
        for (const path of [
          `/1/boards/${board}?fields=all&${nested}`,
          `/b/${first.boardLink}.json`
        ]) {
          responses.push(seen(await site.ask(path)))
        }
        return responses
      }
      const before = await look()
      assert.match(JSON.stringify(before), /Bridge/)
      assert.doesNotMatch(JSON.stringify(before), /Secret|Bygone|Drafts/)
      await change(`/cards/${draft}`, 'PUT', {
        name: 'Secret plan',
        desc: 'Long',
        due: '2030-01-01'
      })
      const added = await change('/cards', 'POST', { idList: draftList, name: 'Secret too' })
      await change(`/cards/${added.id}/attachments`, 'POST', { url: 'https://example.org/secret' })
      await change(`/cards/${draft}/customField/${first.textField}/item`, 'PUT', {
        value: { text: 'Secret' }
      })
      await change(`/cards/${draft}/idLabels`, 'POST', { value: first.label })
      await change(`/cards/${card}/actions/comments`, 'POST', { text: 'Secret comment' })
      await change(`/cards/${card}/checklists`, 'POST', { name: 'Secret steps' })
      await change(`/cards/${first.archived}`, 'PUT', { name: 'Bygone too' })
      await change(`/cards/${first.scheduled}`, 'PUT', { name: 'Secret party', pos: 'top' })
      const label = { value: first.label }
      await change(`/cards/${first.scheduled}/idLabels`, 'POST', label)
      await change('/lists', 'POST', { idBoard: board, name: 'Draft' })
      await change(`/lists/${draftList}`, 'PUT', { name: 'Secret list', pos: 'top' })
      await own(`/cards/${added.id}`, 'DELETE')
      assert.deepEqual(await look(), before)
      await change(`/cards/${card}`, 'PUT', { desc: 'Another text' })
      assert.notDeepEqual(await look(), before)
    })

    test('the image of a card is public as long as the card is', async () => {
      const { token, list, draftList, board } = first
      const { id } = await site.json('/cards', {
        method: 'POST',
        token,
        body: { idList: draftList, name: 'Photo' }
      })
      const form = imageForm()
      await site.json(`/cards/${id}/attachments`, { method: 'POST', token, body: form })
      const move = (idList: string) =>
        site.json(`/cards/${id}`, { method: 'PUT', token, body: { idList } })
      const attachments = `/cards/${id}/attachments`
      assert.equal((await site.api(attachments, { token: key })).status, 404)
      await move(list)
      const [{ url }] = await site.json(attachments, { token: key })
      assert.match(url, /\/images\/[0-9a-f]{64}\.\w+$/)
      const image = new URL(url).pathname
      // The same bytes are on other cards, so that only this one is left to show them.
      for (const world of [first, second, bob]) {
        const path = `/cards/${world.card}/attachments/${world.attachment}`
        await site.json(path, { method: 'DELETE', token: world.token })
      }
      assert.equal((await site.ask(image)).status, 200, 'the board is public')
      assert.equal((await site.ask(image, { token: key })).status, 200)
      for (const hide of [
        () => move(draftList),
        () => site.json(`/cards/${id}`, { method: 'PUT', token, body: { closed: true } }),
        () => site.json(`/lists/${list}/closed`, { method: 'PUT', token, body: { value: true } })
      ]) {
        await hide()
        const unknown = seen(await site.ask(`/images/${'0'.repeat(64)}${image.slice(-4)}`))
        assert.deepEqual(seen(await site.ask(image)), unknown)
        assert.equal((await site.ask(image, { token: key })).status, 404)
        assert.equal((await site.ask(image, { token })).status, 200, 'its owner sees it')
        assert.equal((await site.ask(image, { token: bob.token })).status, 404)
        await site.json(`/lists/${list}/closed`, { method: 'PUT', token, body: { value: false } })
        await site.json(`/cards/${id}`, { method: 'PUT', token, body: { closed: false } })
        await move(list)
        assert.equal((await site.ask(image)).status, 200)
      }
      const body = { 'prefs/permissionLevel': 'private' }
      await site.json(`/boards/${board}`, { method: 'PUT', token, body })
      assert.equal((await site.ask(image, { token: key })).status, 200)
      assert.equal((await site.ask(image)).status, 200, 'pages with the key show images without it')
      await site.revoke(keyId)
      assert.equal((await site.ask(image)).status, 404)
      assert.equal((await site.ask(image, { token: key })).status, 401)
    })

    test('fields that the service sets cannot be sent', async () => {
      const { token, card, board } = first
      const fixed = {
        id: FAR,
        shortLink: 'aaaaaaaa',
        shortUrl: 'https://example.org',
        url: 'https://example.org',
        dateLastActivity: '2001-01-01T00:00:00.000Z',
        idMemberCreator: bob.member,
        creator: bob.member,
        owner: bob.member,
        revision: 1,
        public_revision: 1
      }
      const check = async (path: string, more: object) => {
        const before = await site.json(`${path}?fields=all`, { token })
        const body = { ...fixed, ...more }
        const { status } = await site.api(path, { method: 'PUT', token, body })
        assert.ok(status === 200 || status === 400, String(status))
        const {
          dateLastActivity,
          dateLastView: _view,
          ...after
        } = await site.json(`${path}?fields=all`, { token })
        const { dateLastActivity: _, dateLastView: _2, ...kept } = before
        assert.notEqual(dateLastActivity, fixed.dateLastActivity)
        assert.deepEqual(after, kept, path)
      }
      await check(`/cards/${card}`, {
        idShort: 99,
        badges: {},
        email: 'x',
        sort_key: '1',
        slug: 'x'
      })
      await check(`/boards/${board}`, { memberships: [{ idMember: bob.member }], is_sample: 1 })
      const moved = { idOrganization: bob.organization }
      assert.equal((await own(`/boards/${board}`, 'PUT', moved)).status, 404)
      const body = { ...fixed, idList: first.list, name: 'New', idShort: 99 }
      const made = await site.json('/cards', { method: 'POST', token, body })
      for (const [name, value] of Object.entries({ ...fixed, idShort: 99 })) {
        assert.notEqual(made[name], value, name)
      }
    })

    // Both engines run the same statements; those of SQLite run in this process.
    const runs = engine === 'sqlite' ? test : () => undefined
    runs('as many statements run for foreign objects as for unknown ones', async () => {
      // The bytes are the same, so that the time is the only trace that they could leave.
      let count = 0
      using _counted = countStatements(() => {
        count += 1
      })
      /** The fewest: in the background, the last uses of tokens are written too. */
      async function statementsOf(request: CardRequest): Promise<number> {
        const counts: number[] = []
        for (let attempt = 0; attempt < 2; attempt++) {
          count = 0
          const { status } = await ask({ ...request, token: first.token })
          assert.ok(status >= 400, `${request.method} ${request.path}`)
          counts.push(count)
        }
        return Math.min(...counts)
      }
      const unknown = unknownWorld(bob)
      for (const route of ROUTES.filter(({ pattern }) => pattern.includes(':'))) {
        const foreign = await statementsOf(requestOf(route, bob, first))
        assert.ok(foreign > 0, 'statements are counted')
        const other = await statementsOf(requestOf(route, unknown, first))
        assert.equal(foreign, other, `${route.method} ${route.pattern}`)
      }
    })

    test('any site may read, but no browser sends credentials of its own', async () => {
      const origin = { origin: 'https://evil.example', cookie: `token=${first.token}` }
      const { status, headers } = await site.api('/members/me', { headers: origin })
      assert.equal(status, 401, 'cookies are no credentials')
      for (const request of [
        { headers: origin },
        { headers: origin, token: first.token },
        { method: 'OPTIONS', headers: { ...origin, 'access-control-request-method': 'DELETE' } }
      ]) {
        const answer = await site.api(`/cards/${first.card}`, request)
        assert.equal(answer.headers.get('access-control-allow-origin'), '*')
        assert.equal(answer.headers.get('access-control-allow-credentials'), null)
      }
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.match(headers.get('cache-control') ?? '', /no-store/)
    })

    test('bodies, texts and pages have limits', async () => {
      const { card, board } = first
      await changesNothing('too much', async () => {
        const cases: [string, string, object, number][] = [
          [`/cards/${card}`, 'PUT', { name: 'x'.repeat(16_385) }, 400],
          [`/cards/${card}`, 'PUT', { desc: 'x'.repeat(16_385) }, 400],
          [`/cards/${card}`, 'PUT', { desc: 'x'.repeat(1_100_000) }, 413],
          [`/cards/${card}/actions/comments`, 'POST', { text: 'x'.repeat(16_385) }, 400],
          [`/cards/${card}`, 'PUT', { idLabels: Array.from({ length: 5000 }, () => FAR) }, 400]
        ]
        for (const [path, method, body, expected] of cases) {
          const { status, text } = await own(path, method, body)
          const isKnown = status === expected || (expected === 400 && status === 404)
          assert.ok(isKnown, `${path}: ${status} ${text}`)
        }
        for (const limit of ['1001', '-1', '1e9', 'x', '0.5']) {
          const { status, text } = await own(`/boards/${board}/actions?limit=${limit}`)
          assert.ok(status === 400 || JSON.parse(text).length <= 1000, `${limit}: ${text}`)
        }
      })
    })
  })
}

function fieldsOf({ body }: CardRequest): object {
  return body === undefined || body instanceof FormData ? {} : body
}

/** Until disposal, calls the function for every statement that SQLite runs. */
function countStatements(onStatement: () => void): Disposable {
  const { prototype } = StatementSync
  const names = ['all', 'get', 'run', 'iterate'] as const
  const originals = names.map((name) => [name, prototype[name]] as const)
  function replace(name: string, value: unknown): void {
    Object.defineProperty(prototype, name, { configurable: true, writable: true, value })
  }
  for (const [name, original] of originals) {
    replace(name, function (this: StatementSync, ...args: unknown[]) {
      onStatement()
      return Reflect.apply(original, this, args)
    })
  }
  return {
    [Symbol.dispose]() {
      for (const [name, original] of originals) replace(name, original)
    }
  }
}
