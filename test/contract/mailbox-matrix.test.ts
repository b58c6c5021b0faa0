/** Every route of the table with tokens that do not allow it: rejected alike, and nothing changes. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Nonet, start } from '../../src/host/start.ts'
import { OFFERED_ROUTES } from '../../src/services/mailbox/api/route-table.ts'
import type { Answer } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { openServiceTables, type ServiceTables } from '../support/service-tables.ts'
import { ADMIN_TOKEN, type Asked, type NewAccount, sandboxOf } from './mailbox-site.ts'
import { EXAMPLES } from './mailbox-table-examples.ts'
import { arrive, type TableSite } from './mailbox-table-row.ts'

type Route = (typeof OFFERED_ROUTES)[number]

const UNKNOWN_TOKEN = '0'.repeat(64)
/** Which accounts are to be watched, and deliveries in the background. */
const WATCHING = ['watched_accounts', 'outbox', 'webhook_errors']
/** Of accounts: what connections in the background write. */
const STATES = ['state', 'state_at', 'last_error', 'sync_time']

for (const engine of ENGINES) {
  describe(`I-6, tokens that do not allow a request, on ${engine}`, () => {
    let nonet: Nonet<'mailbox'>
    let tables: ServiceTables
    let owner: NewAccount
    let other: NewAccount
    let site: TableSite
    /** One request of each route to the account of the owner, which would succeed with its token. */
    let requests: { route: Route; request: Asked }[]

    before(async () => {
      nonet = await start({
        services: ['mailbox'],
        adminToken: ADMIN_TOKEN,
        trustedProxy: ['127.0.0.1'],
        mailbox: { watch: false },
        ...engineOptions(engine)
      })
      const { url, account: add, json, deliver } = sandboxOf(nonet)
      owner = await add({ account: 'owner' })
      other = await add({ account: 'other' })
      site = {
        ...{ url, account: owner.account, token: owner.token, imap: owner.imap, smtp: owner.smtp },
        json: (request, status) => json({ token: ADMIN_TOKEN, ...request }, status),
        deliver: (message) => deliver({ to: [owner.address], source: message })
      }
      requests = []
      for (const route of OFFERED_ROUTES) {
        const { params, query, body } = await EXAMPLES[route.name].prepare(site)
        const path = fill(route.pattern, { account: owner.account, ...params })
        const target = query === undefined ? path : `${path}?${new URLSearchParams(query)}`
        requests.push({ route, request: { method: route.method, path: target, body } })
      }
      const settings = { tokenAuditLog: false, webhooksEnabled: false, webhooks: null }
      await site.json({ method: 'POST', path: '/v1/settings', body: settings })
      const folder = nonet.folder
      const withoutTables = ['account_logs', ...WATCHING]
      tables = await openServiceTables({
        ...{ service: 'mailbox', engine, folder, without: STATES, withoutTables }
      })
    })
    after(async () => {
      await tables.close()
      await nonet.stop()
    })

    let requestCount = 0
    /** Each of a client address of its own: only some wrong tokens of one get the usual error. */
    function ask(request: Asked): Promise<Answer> {
      const number = requestCount++
      const ip = `203.0.${Math.floor(number / 250)}.${number % 250}`
      return sandboxOf(nonet).ask({
        ...request,
        headers: { 'x-forwarded-for': ip, ...request.headers }
      })
    }

    function fill(pattern: string, params: Readonly<Record<string, string>>): string {
      return pattern.replace(/:(\w+)/g, (_, name: string) =>
        encodeURIComponent(params[name] ?? assert.fail(`${pattern} needs ${name}`))
      )
    }

    async function assertNothingChanged(attack: () => Promise<void>): Promise<void> {
      const before = await tables.digest()
      await attack()
      assert.equal(await tables.digest(), before, 'the tables are as before')
    }

    async function addToken(body: object): Promise<{ token: string; id: string }> {
      return site.json({
        method: 'POST',
        path: '/v1/tokens',
        body: { description: 'Of the matrix', ...body }
      })
    }

    test('none, unknown, expired and revoked tokens get the same bytes on every route', async () => {
      const expires = new Date(Date.now() + 5_000).toISOString()
      const expired = await addToken({ account: 'owner', expires })
      const revoked = await addToken({ account: 'owner' })
      await site.json({ method: 'DELETE', path: `/v1/tokens/${revoked.id}` })
      const narrowed = { actions: ['read'] }
      const gone = await addToken({ account: 'owner', permissions: narrowed, expires })
      await delay(Date.parse(expires) - Date.now() + 100)
      const cases: Record<string, Pick<Asked, 'token' | 'headers'> & { query?: string }> = {
        unknown: { token: UNKNOWN_TOKEN },
        expired: { token: expired.token },
        'expired and narrowed': { token: gone.token },
        revoked: { token: revoked.token },
        'its id': { token: revoked.id }
      }
      const spellings: typeof cases = {
        malformed: { token: 'owner' },
        'another scheme': { headers: { authorization: `Basic ${btoa(`:${owner.token}`)}` } },
        'revoked, in the query': { query: `access_token=${revoked.token}` },
        'two in the query': { query: `access_token=${other.token}&access_token=${owner.token}` },
        'another one in the query': { token: other.token, query: `access_token=${owner.token}` }
      }
      // How a token is written does not depend on the engine.
      const tried = engine === 'sqlite' ? { ...cases, ...spellings } : cases
      await assertNothingChanged(async () => {
        for (const { route, request } of requests) {
          const name = `${route.method} ${route.pattern}`
          const none = await ask(request)
          assert.equal(none.status, 401, name)
          assert.equal(none.headers.get('www-authenticate'), 'Bearer')
          for (const [kind, { query, ...sent }] of Object.entries(tried)) {
            const joint = request.path.includes('?') ? '&' : '?'
            const path = query === undefined ? request.path : request.path + joint + query
            const response = await ask({ ...request, ...sent, path })
            assert.deepEqual(seen(response), seen(none), `${name}, ${kind}`)
          }
        }
      })
    })

    test('the token of another account finds nothing on every route, as if it did not exist', async () => {
      await assertNothingChanged(async () => {
        for (const { route, request } of requests) {
          const name = `${route.method} ${route.pattern}`
          if (isStream(route)) continue
          const response = await ask({ ...request, token: other.token })
          if (route.access === 'admin') {
            assert.equal(response.status, 403, name)
            assert.match(response.text, /"code":"(?:AdminRequired|UnauthorizedScope)"/, name)
          } else if (route.pattern.includes(':')) {
            assert.equal(response.status, 404, name)
            const unknown = { ...request, path: unknownPath(route, request.path) }
            assert.notEqual(unknown.path, request.path, name)
            const expected = seen(await ask({ ...unknown, token: other.token }))
            assert.deepEqual(seen(response), expected, name)
          } else {
            assert.equal(response.status, 200, name)
            const {
              total = 0,
              accounts = [],
              messages = [],
              events = []
            } = JSON.parse(response.text)
            assert.deepEqual([total, ...accounts, ...messages], [0], name)
            const seen = events.map(({ account }: { account: string }) => account)
            assert.ok(!seen.includes('owner'), name)
          }
        }
      })
    })

    /** The same request about an account or a queued message that does not exist. */
    function unknownPath({ pattern }: Route, path: string): string {
      return pattern.includes(':account')
        ? path.replace(/owner|table-[0-9a-f-]{36}/, 'nobody')
        : path
            .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/, randomUUID())
            .replace(/[0-9a-f]{19}/, '0123456789abcdef012')
    }

    test('the same with a body that is wrong: nobody learns which accounts exist', async () => {
      await assertNothingChanged(async () => {
        for (const { route, request } of requests) {
          if (route.access !== 'path' || route.method === 'GET') continue
          const wrong = { ...request, token: other.token, body: '{"no' }
          const headers = { 'content-type': 'application/json' }
          const response = await ask({ ...wrong, headers })
          assert.equal(response.status, 404, route.pattern)
          assert.match(response.text, /AccountNotFound/, route.pattern)
        }
      })
    })

    test('ids of messages of another account lead to none of its messages', async () => {
      const message = await arrive(site)
      const base = '/v1/account/other'
      const { id, text, attachments = [], subject } = message
      const attachment = attachments[0]?.id ?? ''
      await assertNothingChanged(async () => {
        const targets: Asked[] = [
          { path: `${base}/message/${id}?textType=*` },
          { path: `${base}/message/${id}/source` },
          { path: `${base}/text/${text.id}` },
          { path: `${base}/attachment/${attachment}` },
          { method: 'PUT', path: `${base}/message/${id}`, body: { flags: { add: '\\Seen' } } },
          { method: 'PUT', path: `${base}/message/${id}/move`, body: { path: 'Trash' } },
          { method: 'DELETE', path: `${base}/message/${id}?force=true` },
          { method: 'POST', path: `${base}/message/${id}/submit`, body: {} },
          {
            method: 'POST',
            path: `${base}/submit`,
            body: { to: { address: 'x@example.test' }, reference: { message: id, inline: true } }
          },
          {
            method: 'POST',
            path: `${base}/submit`,
            body: { to: { address: 'x@example.test' }, attachments: [{ reference: attachment }] }
          }
        ]
        for (const target of targets) {
          const response = await ask({ ...target, token: other.token })
          assert.equal(response.status, 404, `${target.path}: ${response.text}`)
          assert.ok(!response.text.includes(subject))
        }
      })
    })

    test('a token of the account itself may use its routes, and only those', async () => {
      const { token } = await addToken({ account: 'owner' })
      await assertNothingChanged(async () => {
        for (const { route, request } of requests) {
          const name = `${route.method} ${route.pattern}`
          if (route.access === 'admin') {
            assert.equal((await ask({ ...request, token })).status, 403, name)
          } else if (isStream(route)) {
          } else if (route.method === 'GET' && !route.pattern.includes('/text/')) {
            const { status, text } = await ask({ ...request, token })
            assert.ok(status === 200 || status === 404, `${name}: ${text}`)
          }
        }
      })
    })

    test('permissions: what a token is not for is rejected on every route', async () => {
      const permissions = { groups: ['mailbox', 'outbox'], actions: ['read'] }
      const { token } = await addToken({ account: 'owner', permissions })
      const all = await addToken({ permissions })
      await assertNothingChanged(async () => {
        for (const { route, request } of requests) {
          const name = `${route.method} ${route.pattern}`
          const isAllowed =
            (route.group === 'mailbox' || route.group === 'outbox') && route.action === 'read'
          for (const narrowed of [token, all.token]) {
            const { status, text } = await ask({ ...request, token: narrowed })
            if (isAllowed) {
              assert.equal(status, 200, `${name}: ${text}`)
              continue
            }
            const isMetrics = route.name === 'metrics'
            const expected = isMetrics ? 'UnauthorizedScope' : 'UnauthorizedPermission'
            assert.equal(status, 403, name)
            assert.equal(JSON.parse(text).code, expected, name)
            if (isMetrics) continue
            const { group, action } = route
            assert.deepEqual(JSON.parse(text).requiredPermission, { group, action }, name)
          }
        }
      })
    })

    test('permissions for everything never include settings and tokens', async () => {
      const { token } = await addToken({
        permissions: { actions: ['read', 'write', 'send', 'destructive'] }
      })
      await assertNothingChanged(async () => {
        for (const { route, request } of requests.filter(({ route }) => route.group === 'admin')) {
          const { status, text } = await ask({ ...request, token })
          assert.equal(status, 403, route.pattern)
          assert.match(text, /UnauthorizedPermission/)
        }
        const sandbox = { path: '/v1/sandbox/accounts/owner', token }
        assert.match((await ask(sandbox)).text, /UnauthorizedPermission/)
      })
    })
  })
}

/** Its response does not end; the tests of the stream tell whose events it has. */
function isStream({ name }: Route): boolean {
  return EXAMPLES[name].touches === 'stream'
}

/** What a client can compare: all but the values that name the request. */
function seen({ status, headers, text }: Answer): object {
  const compared = ['content-type', 'www-authenticate', 'cache-control', 'content-security-policy']
  return { status, text, headers: compared.map((name) => headers.get(name)) }
}
