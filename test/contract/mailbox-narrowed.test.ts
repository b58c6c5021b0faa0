/** Tokens over the API: how they are created and shown, and what they are limited to. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { type Answer, send } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { sendPlain } from '../support/plain-http.ts'
import { ADMIN_TOKEN, type Asked, type NewAccount, sandboxOf } from './mailbox-site.ts'

const TOKENS = '/v1/tokens'
const HEX = /^[0-9a-f]{64}$/
const IP = '198.51.100.7'

interface Token {
  id: string
  account: string | null
  accounts?: string[]
  description: string
  scopes: string[]
  access: { time: string | null; ip: string | null }
}

for (const engine of ENGINES) {
  describe(`I-6, tokens over the API, on ${engine}`, () => {
    let nonet: Nonet<'mailbox'>
    let ada: NewAccount
    let bob: NewAccount
    before(async () => {
      nonet = await start({
        services: ['mailbox'],
        adminToken: ADMIN_TOKEN,
        trustedProxy: ['127.0.0.1'],
        ...engineOptions(engine)
      })
      ada = await sandboxOf(nonet).account({ account: 'ada' })
      bob = await sandboxOf(nonet).account({ account: 'bob' })
    })
    after(() => nonet.stop())

    const forwarded = (request: Asked): Asked => ({
      ...request,
      headers: { 'x-forwarded-for': IP, ...request.headers }
    })
    const ask = (request: Asked) => sandboxOf(nonet).ask(forwarded(request))
    const json = <T = Record<string, unknown>>(request: Asked, status?: number) =>
      sandboxOf(nonet).json<T>(forwarded({ token: ADMIN_TOKEN, ...request }), status)
    const add = (body: object, status?: number) =>
      json<{ token: string; id: string; fields: { key: string; message: string }[] }>(
        { method: 'POST', path: TOKENS, body: { description: 'Of the test', ...body } },
        status
      )
    const list = async (query: string) =>
      (await json<{ tokens: Token[] }>({ path: `${TOKENS}?pageSize=1000&${query}` })).tokens

    function console(method: string, path: string, body?: object): Promise<Answer> {
      return send(nonet.console?.url ?? '', {
        method,
        path,
        headers: {
          authorization: `Bearer ${ADMIN_TOKEN}`,
          ...(body && { 'content-type': 'application/json' })
        },
        ...(body && { body: JSON.stringify(body) })
      })
    }

    test('a token is shown once; its id is the SHA-256 of its bytes', async () => {
      const expires = '2090-01-02T03:04:05.000Z'
      const told = {
        ...{ account: 'ada', description: 'Größe\u0007 <b>', metadata: '{"a":1}', ip: '192.0.2.1' },
        restrictions: {
          addresses: [`${IP}/24`, '2001:db8::/32'],
          referrers: ['https://a.example/*'],
          rateLimit: { maxRequests: 100, timeWindow: 60 }
        },
        permissions: { actions: ['read'], groups: ['account', 'message'] }
      }
      const { token, id } = await add({ ...told, scopes: '*', expires })
      assert.match(token, HEX)
      assert.equal(id, createHash('sha256').update(Buffer.from(token, 'hex')).digest('hex'))
      const { created, ...shown } = await json({ path: `${TOKENS}/${id}` })
      assert.deepEqual(shown, {
        ...{ id, ...told, scopes: ['api', 'metrics'], expires, remoteAddress: IP },
        access: { time: null, ip: null }
      })
      assert.ok(Date.parse(String(created)) <= Date.now())
      const referer = { referer: 'https://a.example/page' }
      await json({ path: '/v1/account/ada', token, headers: referer })
      const used = await json<Token>({ path: `${TOKENS}/${id}` })
      assert.equal(used.access.ip, IP)
      assert.ok(Date.parse(used.access.time ?? '') > 0)
      const { text } = await ask({ path: `${TOKENS}?pageSize=1000`, token: ADMIN_TOKEN })
      assert.ok(!text.includes(token))
    })

    test('tokens are listed by account and text, also those of the command line', async () => {
      const { id } = await add({ account: 'bob', description: 'Needle 1' })
      await add({ account: 'bob', description: 'needle 2' })
      assert.deepEqual(
        (await list('query=NEEDLE')).map(({ description }) => description),
        ['Needle 1', 'needle 2']
      )
      assert.deepEqual(
        (await list(`query=${id.slice(3, 20)}`)).map((token) => token.id),
        [id]
      )
      const created = await console('POST', '/mailbox/tokens', {
        name: 'of several',
        flags: { account: 'ada,bob' }
      })
      assert.equal(created.status, 201)
      const [several] = await list('query=several&account=bob')
      assert.partialDeepStrictEqual(several, {
        ...{ account: 'ada', accounts: ['ada', 'bob'], description: 'of several', scopes: ['api'] }
      })
      await console('POST', '/mailbox/tokens', { name: 'of all', flags: { admin: true } })
      const [all] = await list('query=of%20all')
      assert.equal(all?.account, null)
      assert.deepEqual(await list('account=nobody'), [])
      const second = await json({ path: '/v1/tokens/account/bob?pageSize=2&page=1' })
      const ofBob = await list('account=bob')
      assert.deepEqual(second, {
        ...{ total: ofBob.length, page: 1, pages: Math.ceil(ofBob.length / 2) },
        tokens: ofBob.slice(2, 4)
      })
    })

    test('a token is revoked by its id or its value, also on the older paths', async () => {
      for (const path of [TOKENS, '/v1/token']) {
        for (const key of ['id', 'token'] as const) {
          const body = { description: 'Older', account: 'ada' }
          const made = await json<{ token: string; id: string }>({ method: 'POST', path, body })
          await json({ path: '/v1/account/ada', token: made.token })
          const target = { method: 'DELETE', path: `${path}/${made[key]}` }
          assert.deepEqual(await json(target), { deleted: true })
          assert.equal((await ask({ path: '/v1/account/ada', token: made.token })).status, 401)
          assert.equal((await json(target, 404)).code, 'TokenNotFound')
          await json({ path: `${TOKENS}/${made.id}` }, 404)
        }
      }
      for (const id of ['0'.repeat(64), 'x', '%00', '%F0%9F%98%80', 'a'.repeat(3000)]) {
        await json({ method: 'DELETE', path: `${TOKENS}/${id}` }, 404)
      }
    })

    test('wrong tokens are rejected with a sentence for each field, and none is created', async () => {
      const before = (await list('')).length
      const cases: [key: string, body: object][] = [
        ['account', {}],
        ['account', { account: null }],
        ['description', { description: '', account: 'ada' }],
        ['description', { description: 'x'.repeat(1025), account: 'ada' }],
        ['scopes.0', { account: 'ada', scopes: ['smtp'] }],
        ['scopes', { account: 'ada', scopes: [] }],
        ['metadata', { account: 'ada', metadata: '{' }],
        ['expires', { account: 'ada', expires: '2001-01-01T00:00:00Z' }],
        ['expires', { account: 'ada', expires: 'tomorrow' }],
        ['permissions', { account: 'ada', permissions: {} }],
        ['permissions.actions', { account: 'ada', permissions: { actions: [] } }],
        ['permissions.groups.0', { account: 'ada', permissions: { groups: ['admin'] } }],
        [
          'restrictions.addresses.1',
          { account: 'ada', restrictions: { addresses: [IP, '1.2.3'] } }
        ],
        [
          'restrictions.addresses.0',
          { account: 'ada', restrictions: { addresses: '10.0.0.0/33' } }
        ],
        [
          'restrictions.rateLimit.timeWindow',
          { account: 'ada', restrictions: { rateLimit: { maxRequests: 1 } } }
        ],
        [
          'restrictions.rateLimit.maxRequests',
          { account: 'ada', restrictions: { rateLimit: { maxRequests: 0, timeWindow: 1 } } }
        ],
        ['restrictions.countries', { account: 'ada', restrictions: { countries: ['EE'] } }]
      ]
      for (const [key, body] of cases) {
        const { fields } = await add(body, 400)
        const found = fields.filter((field) => field.key === key)
        assert.ok(found.length > 0, `${key}: ${JSON.stringify(fields)}`)
        for (const { message } of found) assert.ok(message.length > 5, message)
      }
      assert.match(
        (
          await ask({
            method: 'POST',
            path: TOKENS,
            token: ADMIN_TOKEN,
            body: { account: 'nobody', description: 'x' }
          })
        ).text,
        /AccountNotFound/
      )
      assert.equal((await list('')).length, before)
    })

    test('restrictions: address, referrer and rate, in this order', async () => {
      const restrictions = {
        addresses: ['198.51.100.0/28', '2001:db8::1'],
        referrers: ['https://app.example/*'],
        rateLimit: { maxRequests: 2, timeWindow: 60 }
      }
      const { token } = await add({ account: 'ada', restrictions })
      const path = '/v1/account/ada'
      const get = (ip: string, referer: string, target = path) =>
        ask({ path: target, token, headers: { 'x-forwarded-for': ip, referer } })
      const good = 'https://app.example/inbox'
      const stranger = await get('198.51.100.16', 'https://evil.example/')
      assert.equal(stranger.status, 403)
      assert.partialDeepStrictEqual(JSON.parse(stranger.text), {
        ...{ message: 'Unauthorized address', remoteAddress: '198.51.100.16' }
      })
      for (const referer of ['https://app.example.evil.test/', 'http://app.example/', '']) {
        const page = await get(IP, referer)
        assert.equal(page.status, 403)
        assert.equal(JSON.parse(page.text).message, 'Unauthorized referrer')
      }
      // The account of another is checked before, and looks unknown from anywhere.
      assert.equal((await get('203.0.113.1', good, '/v1/account/bob')).status, 404)
      for (const [number, ip] of [IP, '2001:db8::1'].entries()) {
        const { status, headers } = await get(ip, good)
        assert.equal(status, 200)
        assert.equal(headers.get('x-ratelimit-limit'), '2')
        assert.equal(headers.get('x-ratelimit-remaining'), String(1 - number))
        assert.ok(Number(headers.get('x-ratelimit-reset')) <= 60)
      }
      const limited = await get(IP, good)
      assert.equal(limited.status, 429)
      const { ttl, code } = JSON.parse(limited.text)
      assert.equal(code, 'TooManyRequests')
      assert.ok(ttl > 0 && ttl <= 60)
      assert.equal(limited.headers.get('x-ratelimit-limit'), '2')
      assert.equal(limited.headers.get('x-ratelimit-reset'), String(ttl))
      assert.equal(limited.headers.get('x-ratelimit-remaining'), null)
      // Other tokens of the account have windows of their own.
      await json({ path, token: ada.token })
    })

    test('headers of the rate limit are on downloads and errors too', async () => {
      const rateLimit = { maxRequests: 1000, timeWindow: 5 }
      const { token } = await add({ account: 'ada', restrictions: { rateLimit } })
      for (const path of ['/v1/logs/ada', '/v1/account/ada/message/AAAAAQAAAAE']) {
        const { headers } = await ask({ path, token })
        assert.equal(headers.get('x-ratelimit-limit'), '1000', path)
      }
    })

    test('a narrowed token is narrow everywhere: in the sandbox, on pages, after a rotation', async () => {
      const permissions = { actions: ['read'] }
      const { token, id } = await add({ account: 'ada', permissions })
      await json({ path: '/v1/sandbox/messages', token })
      const remove = { method: 'DELETE', path: '/v1/sandbox/messages', token }
      assert.equal((await json(remove, 403)).code, 'UnauthorizedPermission')
      const account = { path: '/v1/sandbox/accounts/ada', token }
      assert.equal((await json(account, 403)).code, 'UnauthorizedPermission')

      const headers = { accept: 'text/html', 'x-forwarded-for': IP }
      const signIn = (secret: string) =>
        sendPlain(`${nonet.mailbox.url}/?token=${secret}`, { headers })
      assert.ok((await signIn(ada.token)).headers['set-cookie'])
      assert.equal((await signIn(token)).headers['set-cookie'], undefined)

      const { tokens } = JSON.parse((await console('GET', '/mailbox/tokens')).text)
      const { id: ownId } = tokens.at(-1)
      const rotated = await console('POST', '/mailbox/tokens', { replaces: ownId })
      assert.equal(rotated.status, 201, rotated.text)
      const { secret } = JSON.parse(rotated.text)
      await json({ path: '/v1/account/ada', token: secret })
      assert.equal((await json({ ...remove, token: secret }, 403)).code, 'UnauthorizedPermission')
      const successor = createHash('sha256').update(Buffer.from(secret, 'hex')).digest('hex')
      assert.notEqual(successor, id)
      assert.deepEqual((await json({ path: `${TOKENS}/${successor}` })).permissions, permissions)
    })

    test('the token may be in the query, which neither reaches handlers nor logs', async () => {
      const path = `/v1/account/ada?access_token=${ada.token}`
      await json({ path, token: undefined as never })
      await json({ path, token: ada.token })
      assert.equal((await ask({ path: path.replace('ada?', 'bob?') })).status, 404)
      assert.equal((await ask({ path, token: bob.token })).status, 401)
      const own = await ask({
        method: 'POST',
        path: `/v1/tokens?access_token=${ada.token}`,
        body: {}
      })
      assert.equal(own.status, 403)
    })

    test('the log of a token has its requests, those that were rejected too, without secrets', async () => {
      const { token, id } = await add({ account: 'ada', permissions: { actions: ['read'] } })
      const log = () =>
        json<{ total: number; log: Record<string, unknown>[] }>({ path: `${TOKENS}/${id}/log` })
      await json({ path: '/v1/account/ada', token })
      assert.equal((await log()).total, 0)
      await json({ method: 'POST', path: '/v1/settings', body: { tokenAuditLog: true } })
      await json({ path: `/v1/account/ada?access_token=${token}`, token })
      await json({ path: '/v1/account/bob', token }, 404)
      await json({ method: 'DELETE', path: '/v1/account/ada', token }, 403)
      await json({ method: 'DELETE', path: `/v1/tokens/${token}`, token }, 403)
      const { total, log: entries } = await log()
      assert.equal(total, 4)
      const common = { ip: IP, account: 'ada' }
      assert.deepEqual(
        entries.map(({ time: _, ...entry }) => entry),
        [
          {
            ...{ ip: IP, method: 'DELETE', path: `/v1/tokens/${token.slice(0, 8)}…` },
            ...{ action: 'destructive', group: 'admin', account: null, status: 'denied' },
            reason: 'Unauthorized permission'
          },
          {
            ...{ ...common, method: 'DELETE', path: '/v1/account/ada', action: 'destructive' },
            ...{ group: 'account', status: 'denied', reason: 'Unauthorized permission' }
          },
          {
            ...{ ip: IP, account: 'bob', method: 'GET', path: '/v1/account/bob', action: 'read' },
            ...{ group: 'account', status: 'denied' },
            reason: 'Account record was not found for requested ID'
          },
          {
            ...{ ...common, method: 'GET', path: '/v1/account/ada', action: 'read' },
            ...{ group: 'account', status: 'allowed', reason: null }
          }
        ]
      )
      assert.ok(!JSON.stringify(entries).includes(token))
      await json({ method: 'POST', path: '/v1/settings', body: { tokenAuditLog: null } })
    })

    test('disableTokens: true admits requests without a token, false requires one of all', async () => {
      const path = '/v1/accounts'
      const change = (disableTokens: boolean | null) =>
        json({ method: 'POST', path: '/v1/settings', body: { disableTokens } })
      const local = { path, headers: {} }
      assert.equal((await ask({ path })).status, 401, 'from outside')
      await change(true)
      assert.equal((await ask({ path })).status, 200)
      assert.equal((await ask({ path, token: '0'.repeat(64) })).status, 401, 'a token decides')
      const { tokens } = await json<{ tokens: unknown[] }>({ path: `${TOKENS}?account=ada` })
      assert.ok(tokens.length > 0)
      assert.equal((await ask({ path: TOKENS, token: ada.token })).status, 403)
      const evil = { ...local, headers: { origin: 'https://evil.example' } }
      assert.equal((await ask(evil)).status, 403, 'pages of other origins')
      const rebound = { path, headers: { host: 'evil.example' } }
      assert.ok((await ask(rebound)).status >= 200)
      await change(false)
      assert.equal((await ask({ path })).status, 401)
      await change(null)
    })
  })
}

test('I-6, disableTokens: local clients need no token unless it is false', async () => {
  await using nonet = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN })
  const { json, ask } = sandboxOf(nonet)
  const change = { method: 'POST', path: '/v1/settings' }
  assert.equal((await ask({ path: '/v1/accounts' })).status, 200)
  await json({ ...change, body: { disableTokens: false } })
  assert.equal((await ask({ path: '/v1/accounts' })).status, 401)
  assert.equal((await ask({ path: '/v1/sandbox/messages' })).status, 401)
  await json({ ...change, token: ADMIN_TOKEN, body: { disableTokens: null } })
  assert.equal((await ask({ path: '/v1/accounts' })).status, 200)
})
