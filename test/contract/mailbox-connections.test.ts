/** Connections to the mail servers of accounts: shared, limited, never opened too often. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type ImapServer, openImapServer } from '../support/imap-server.ts'
import { withoutPause } from '../support/pauses.ts'
import { ADMIN_TOKEN, type Sandbox, sandboxes } from './mailbox-site.ts'

const LISTING = 'messages?path=INBOX'
let accounts = 0

interface Problem {
  statusCode: number
  code: string
  state?: string
  message: string
}

sandboxes('connections of accounts', { mailbox: { watch: false } }, (sandbox) => {
  async function register({ port }: ImapServer, more: object = {}, pass = 'right') {
    const account = `connected-${++accounts}`
    const imap = { host: '127.0.0.1', port, auth: { user: 'a', pass } }
    const body = { account, name: 'A', imap, ...more }
    await admin().json({ method: 'POST', path: '/v1/account', body })
    return account
  }

  /** Requests with the token of the operator. */
  function admin(): Sandbox {
    const { ask, json, ...rest } = sandbox()
    return {
      ...rest,
      ask: (request) => ask({ token: ADMIN_TOKEN, ...request }),
      json: (request, status) => json({ token: ADMIN_TOKEN, ...request }, status)
    }
  }

  const of = (account: string, path: string) => `/v1/account/${account}/${path}`
  const stateOf = async (account: string) =>
    admin().json<{ state: string; connections: number; lastError: { response: string } | null }>({
      path: `/v1/account/${account}`
    })

  /** The state is stored after the response to the request that caused it. */
  async function untilState(account: string, wanted: string) {
    for (let tried = 0; tried < 600; tried++) {
      const shown = await stateOf(account)
      if (shown.state === wanted) return shown
      await wait(50)
    }
    return assert.fail(`the account is never ${wanted}`)
  }

  test('one connection is opened when it is needed, and shared by all requests', async () => {
    await using server = await openImapServer()
    const account = await register(server)
    const request = { path: of(account, LISTING) }
    await Promise.all(Array.from({ length: 10 }, () => admin().json(request)))
    assert.equal(server.countOf('LOGIN'), 1)
    assert.equal(server.openSockets(), 1)
    const shown = await untilState(account, 'connected')
    assert.equal(shown.connections, 1)
    assert.equal(shown.lastError, null)
  })

  test('a wrong password is not tried again at once, but after reconnect or a change', () =>
    withoutPause(1_500, async () => {
      await using server = await openImapServer()
      const account = await register(server, {}, 'wrong password')
      await untilState(account, 'authenticationError')
      const tried = server.countOf('LOGIN')
      for (let count = 0; count < 3; count++) {
        const path = of(account, LISTING)
        const { status, text, headers } = await admin().ask({ path })
        const problem: Problem = JSON.parse(text)
        assert.deepEqual(
          [status, problem.code, problem.state],
          [503, 'AuthenticationFails', 'authenticationError']
        )
        assert.match(problem.message, /Wrong password/)
        assert.ok(Number(headers.get('retry-after')) > 0)
      }
      assert.equal(server.countOf('LOGIN'), tried)
      const reconnect = { method: 'PUT', path: of(account, 'reconnect'), body: { reconnect: true } }
      await admin().json(reconnect)
      const again = await admin().json<Problem>({ path: of(account, LISTING) }, 503)
      assert.equal(again.code, 'AuthenticationFails')
      assert.equal(server.countOf('LOGIN'), tried + 1)
      assert.equal(
        (await untilState(account, 'authenticationError')).lastError?.response,
        'Wrong password'
      )
      const imap = { partial: true, auth: { user: 'a', pass: 'right' } }
      await admin().json({ method: 'PUT', path: `/v1/account/${account}`, body: { imap } })
      await admin().json({ path: of(account, LISTING) })
      await untilState(account, 'connected')
    }))

  test('a server that cannot be reached is not called again at once', async () => {
    const server = await openImapServer()
    await server[Symbol.asyncDispose]()
    const account = await register(server)
    const { code, state } = await admin().json<Problem>({ path: of(account, LISTING) }, 503)
    assert.deepEqual([code, state], ['ConnectionError', 'connectError'])
    const { lastError } = await untilState(account, 'connectError')
    assert.match(lastError?.response ?? '', /does not accept connections/)
  })

  test('a connection that is lost is replaced at once, but not again and again', () =>
    withoutPause(1_500, async () => {
      await using server = await openImapServer()
      const account = await register(server)
      await admin().json({ path: of(account, LISTING) })
      server.behave(({ name, socket, tag }) => {
        if (name !== 'FETCH') return undefined
        socket.destroy()
        return `${tag} OK\r\n`
      })
      const path = of(account, LISTING)
      const lost = await admin().json<Problem>({ path }, 502)
      assert.equal(lost.code, 'IMAPUnavailable')
      await admin().json<Problem>({ path }, 502)
      const logins = server.countOf('LOGIN')
      const later = await admin().json<Problem>({ path }, 503)
      assert.deepEqual([later.code, later.state], ['NoAvailable', 'disconnected'])
      assert.equal(server.countOf('LOGIN'), logins)
    }))

  test('a request ends after x-ee-timeout, and its connection serves the next ones', async () => {
    await using server = await openImapServer()
    const account = await register(server)
    await admin().json({ path: of(account, LISTING) })
    const { promise, resolve } = Promise.withResolvers<undefined>()
    server.behave(({ name }) => (name === 'FETCH' ? promise : undefined))
    const path = of(account, LISTING)
    const headers = { 'x-ee-timeout': '300' }
    const late = await admin().json<Problem>({ path, headers }, 504)
    assert.equal(late.code, 'Timeout')
    const waiting = await admin().json<Problem>({ path, headers }, 504)
    assert.equal(waiting.code, 'Timeout')
    resolve(undefined)
    await admin().json({ path })
    assert.equal(server.countOf('LOGIN'), 1)
  })

  test('an x-ee-timeout of 0 is the default, and one out of range is rejected', async () => {
    await using server = await openImapServer()
    const path = of(await register(server), LISTING)
    for (const timeout of ['0', '7200000']) {
      await admin().json({ path, headers: { 'x-ee-timeout': timeout } })
    }
    for (const timeout of ['-1', '7200001', '1.5', '1e3', 'soon']) {
      const headers = { 'x-ee-timeout': timeout }
      const { message } = await admin().json<Problem>({ path, headers }, 400)
      assert.equal(message, 'Invalid input', timeout)
    }
  })

  test('a request that waits does not run when its client is gone', async () => {
    await using server = await openImapServer()
    const account = await register(server)
    await admin().json({ path: of(account, LISTING) })
    const { promise, resolve } = Promise.withResolvers<undefined>()
    server.behave(({ name }) => (name === 'EXAMINE' || name === 'SELECT' ? promise : undefined))
    const first = admin().json({ path: of(account, LISTING) })
    const gone = new AbortController()
    const left = fetch(`${sandbox().url}${of(account, 'mailbox')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ path: 'Never' }),
      signal: gone.signal
    })
    await wait(200)
    gone.abort()
    await assert.rejects(left)
    await wait(100)
    resolve(undefined)
    await first
    await admin().json({ path: of(account, LISTING) })
    assert.equal(server.countOf('CREATE'), 0)
  })

  test('at most a hundred requests wait for one account; others are not concerned', async () => {
    await using server = await openImapServer()
    const account = await register(server)
    const other = await sandbox().account()
    await admin().json({ path: of(account, LISTING) })
    const { promise, resolve } = Promise.withResolvers<undefined>()
    server.behave(({ name }) => (name === 'EXAMINE' ? promise : undefined))
    // The last one waits for all others.
    const patient = { path: of(account, LISTING), headers: { 'x-ee-timeout': '60000' } }
    const all = Array.from({ length: 105 }, () => admin().ask(patient))
    const rejected = await Promise.race(all)
    assert.equal(rejected.status, 503)
    assert.equal(JSON.parse(rejected.text).code, 'WorkerNotAvailable')
    await sandbox().json({ path: of(other.account, 'mailboxes'), token: other.token })
    resolve(undefined)
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    assert.deepEqual(
      [200, 503].map((status) => statuses.filter((one) => one === status).length),
      [101, 4]
    )
  })

  test('other settings close the connection; without IMAP there is none', async () => {
    await using server = await openImapServer()
    const account = await register(server)
    const path = of(account, LISTING)
    await admin().json({ path })
    const change = (body: object) =>
      admin().json({ method: 'PUT', path: `/v1/account/${account}`, body })
    await change({ logs: true })
    await admin().json({ path })
    assert.equal(server.countOf('LOGIN'), 2)
    for (let tried = 0; tried < 100 && server.openSockets() > 1; tried++) await wait(20)
    assert.equal(server.openSockets(), 1)
    await change({ imap: { partial: true, disabled: true } })
    const { code, state } = await admin().json<Problem>({ path }, 503)
    assert.deepEqual([code, state], ['NotSyncing', 'unset'])
    await admin().json({ method: 'DELETE', path: `/v1/account/${account}` })
    await admin().json({ path }, 404)
    for (let tried = 0; tried < 100 && server.openSockets() > 0; tried++) await wait(20)
    assert.equal(server.openSockets(), 0)
  })

  test('what the server rejects has its code and its text', async () => {
    await using server = await openImapServer()
    const account = await register(server)
    server.behave(({ name, tag }) =>
      name === 'FETCH' ? `${tag} NO [INUSE] Try later\r\n` : undefined
    )
    const path = of(account, LISTING)
    const { code, message } = await admin().json<Problem>({ path }, 400)
    assert.equal(code, 'INUSE')
    assert.match(message, /Try later/)
  })

  test('the log of an account has the lines of its connections, but no secret', async () => {
    await using server = await openImapServer()
    const account = await register(server, { logs: true }, 'right')
    server.behave(({ name, tag }) =>
      name === 'NAMESPACE' ? `${tag} OK you sent cmlnaHQ= and right\r\n` : undefined
    )
    await admin().json({ path: of(account, LISTING) })
    const { status, text, headers } = await admin().ask({ path: `/v1/logs/${account}` })
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.match(String(headers.get('content-disposition')), /^attachment; filename="logs-/)
    assert.match(text, /^\d{4}-.*Z \d+ C \d+ LOGIN /m)
    assert.match(text, / S \* 3 EXISTS$/m)
    assert.ok(!/right/.test(text), text)
    const other = await sandbox().account()
    await sandbox().json({ path: `/v1/logs/${account}`, token: other.token }, 404)
    const empty = await sandbox().ask({ path: `/v1/logs/${other.account}`, token: other.token })
    assert.deepEqual([empty.status, empty.text], [200, ''])
  })

  test('a log has at most as many lines as the settings say', async () => {
    await using server = await openImapServer()
    const account = await register(server, { logs: true })
    const settings = (logs: object) =>
      admin().json({ method: 'POST', path: '/v1/settings', body: { logs } })
    await settings({ all: false, maxLogLines: 20 })
    for (let count = 0; count < 5; count++) await admin().json({ path: of(account, LISTING) })
    const { text } = await admin().ask({ path: `/v1/logs/${account}` })
    await settings({ all: false, maxLogLines: 10_000 })
    assert.equal(text.split('\n').length, 21)
    assert.match(text, / C \d+ UID FETCH | C \d+ FETCH /)
  })
})
