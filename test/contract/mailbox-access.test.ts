import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { DOWNLOADS, OPERATIONS } from '../../src/services/mailbox/sandbox/api/routes.ts'
import { type Answer, send } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { ADMIN_TOKEN, type Asked, mail, type NewAccount, sandboxOf } from './mailbox-site.ts'

/** Every route of the API; new ones are in the table by themselves. */
const ROUTES = [
  ...OPERATIONS.map(([method, path]) => ({ method, path })),
  ...DOWNLOADS.map(([path]) => ({ method: 'GET', path }))
]
const MESSAGE = `${mail('Of the table', 'Content-Type: application/pdf\r\n')}`
const UNKNOWN = 'AAAAAQAAAAE'

/** What a client can compare: all but the values that name the request. */
function seen({ status, headers, text }: Answer): object {
  const kept = ['content-type', 'www-authenticate', 'cache-control', 'content-security-policy']
  return { status, text, headers: kept.map((name) => headers.get(name)) }
}

for (const engine of ENGINES) {
  describe(`I-6, who may use the API, on ${engine}`, () => {
    let nonet: Nonet<'mailbox'>
    let owner: NewAccount
    let other: NewAccount
    let message: string

    before(async () => {
      // A proxy may be in front of it, so every request needs a token.
      nonet = await start({
        services: ['mailbox'],
        adminToken: ADMIN_TOKEN,
        allowedHost: ['mail.example'],
        ...engineOptions(engine)
      })
      const { account } = sandboxOf(nonet)
      owner = await account({ account: 'owner' })
      other = await account({ account: 'other' })
      message = await deliver()
    })
    after(() => nonet.stop())

    const ask = (request: Asked) => sandboxOf(nonet).ask(request)

    async function deliver(): Promise<string> {
      const { deliver, json } = sandboxOf(nonet)
      await deliver({ to: [owner.address], source: MESSAGE })
      const { messages } = await json<{ messages: { id: string }[] }>({
        path: '/v1/sandbox/messages?account=owner',
        token: ADMIN_TOKEN
      })
      return messages[0]?.id ?? ''
    }

    /** `timeout=0` for the route that waits. */
    function requestOf(route: (typeof ROUTES)[number], account: string, id: string): Asked {
      const path = route.path
        .replace(':account', account)
        .replace(':message', id)
        .replace(':attachment', '1')
        .replace(/wait$/, 'wait?timeout=0')
      const body = route.method === 'POST' ? {} : undefined
      return { method: route.method, path, body }
    }

    async function createToken(flags: object): Promise<{ secret: string; id: string }> {
      const { status, text } = await console('POST', '/mailbox/tokens', { flags })
      assert.equal(status, 201, text)
      const { secret, token } = JSON.parse(text)
      return { secret, id: token.id }
    }

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

    test('without an accepted token every route gives the same bytes', async () => {
      const revoked = await createToken({ account: 'owner' })
      await console('DELETE', `/mailbox/tokens/${revoked.id}`)
      const cases: Record<string, Asked['headers']> = {
        revoked: { authorization: `Bearer ${revoked.secret}` },
        unknown: { authorization: `Bearer ${'0'.repeat(64)}` },
        'another scheme': { authorization: `Basic ${btoa(`:${owner.token}`)}` },
        'no scheme': { authorization: owner.token },
        'in a cookie': { cookie: `token=${owner.token}` }
      }
      for (const route of ROUTES) {
        const request = requestOf(route, 'owner', message)
        const expected = seen(await ask(request))
        assert.match(JSON.stringify(expected), /"status":401.*"Bearer"/, route.path)
        for (const [name, headers] of Object.entries(cases)) {
          // Of wrong tokens only so many get this response.
          const isCounted = name === 'unknown' && route !== ROUTES[0]
          if (isCounted || (name === 'revoked' && route.method !== 'DELETE')) continue
          const response = await ask({ ...request, headers: headers ?? {} })
          assert.deepEqual(seen(response), expected, `${route.method} ${route.path}, ${name}`)
        }
      }
    })

    test('with the token of another account nothing is found, as if it did not exist', async () => {
      for (const route of ROUTES.filter(({ path }) => path.includes(':'))) {
        const request = { ...requestOf(route, 'owner', message), token: other.token }
        const unknown = { ...requestOf(route, 'nobody', UNKNOWN), token: other.token }
        const expected = seen(await ask(unknown))
        assert.match(JSON.stringify(expected), /"status":404/, route.path)
        assert.deepEqual(seen(await ask(request)), expected, `${route.method} ${route.path}`)
      }
      const filtered = [
        { method: 'GET', path: '/v1/sandbox/messages?account=owner' },
        { method: 'DELETE', path: '/v1/sandbox/messages?account=owner' },
        { method: 'GET', path: '/v1/sandbox/wait?timeout=0&account=owner' }
      ]
      for (const request of filtered) {
        const response = await ask({ ...request, token: other.token })
        assert.match(response.text, /AccountNotFound/, request.path)
        const unknown = { ...request, path: request.path.replace('owner', 'nobody') }
        assert.deepEqual(seen(await ask({ ...unknown, token: other.token })), seen(response))
      }
      const { json } = sandboxOf(nonet)
      const { total } = await json({ path: '/v1/sandbox/messages', token: other.token })
      assert.equal(total, 0)
      const removed = { method: 'DELETE', path: '/v1/sandbox/messages', token: other.token }
      assert.deepEqual(await json(removed), { deleted: 0 })
      await json({ path: `/v1/sandbox/messages/${message}`, token: owner.token })
    })

    test('an account reads and changes its own, and adds no accounts', async () => {
      for (const route of ROUTES) {
        const isOfOperators = route.path === '/v1/sandbox/accounts'
        if (route.path.endsWith(':account') && route.method === 'DELETE') continue
        const id = await deliver()
        const { status, text } = await ask({
          ...requestOf(route, 'owner', id),
          token: owner.token
        })
        assert.equal(status, isOfOperators ? 403 : 200, `${route.method} ${route.path}: ${text}`)
      }
    })

    test('operators may use every route: with the admin token, and with one for all accounts', async () => {
      const { secret } = await createToken({ admin: true })
      for (const token of [ADMIN_TOKEN, secret]) {
        const { account } = await sandboxOf(nonet).account()
        for (const route of ROUTES) {
          const id = await deliver()
          const { status, text } = await ask({ ...requestOf(route, account, id), token })
          assert.equal(status, 200, `${route.method} ${route.path}: ${text}`)
        }
      }
    })

    test('a token for several accounts names the one it means', async () => {
      const { secret: token } = await createToken({ account: 'owner,other' })
      const path = '/v1/sandbox/messages'
      const { status, text } = await ask({ path, token })
      assert.equal(status, 400)
      assert.equal(JSON.parse(text).fields[0].key, 'account')
      await sandboxOf(nonet).json({ path: `${path}?account=other`, token })
    })

    test('a removed account takes its mail and tokens with it', async () => {
      const { account, json, deliver, ask } = sandboxOf(nonet)
      const gone = await account({ account: 'gone' })
      await deliver({ to: [gone.address], source: MESSAGE })
      const path = '/v1/sandbox/accounts/gone'
      const deleted = await json({ method: 'DELETE', path, token: gone.token })
      assert.deepEqual(deleted, { account: 'gone', deleted: true })
      await json({ path, token: ADMIN_TOKEN }, 404)
      const again = await account({ account: 'gone' })
      assert.equal((await ask({ path, token: gone.token })).status, 401)
      const { messages } = await json({ path, token: again.token })
      assert.equal(messages, 0)
    })
  })
}
