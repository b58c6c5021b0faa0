/** Sign-in to mail servers by OAuth2: Dovecot asks the token server of the test who has a token. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { entryWith } from '../contract/mailbox-queue-entry.ts'
import { ADMIN_TOKEN, type Sandbox, sandboxes, sandboxOf } from '../contract/mailbox-site.ts'
import { type Dovecot, openDovecot } from '../support/dovecot.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { launchNonet, temporaryFolder } from '../support/launcher.ts'
import { type Oauth2Server, openOauth2Server, sendJson } from '../support/oauth2-server.ts'

const admin = { token: ADMIN_TOKEN }
const CLIENT_SECRET = 'the-secret-of-the-client'

let tokens: Oauth2Server
/** It offers both mechanisms, so OAUTHBEARER is used. */
let dovecot: Dovecot
let onlyXoauth2: Dovecot
before(async () => {
  tokens = await openOauth2Server()
  const { tokenInfoUrl } = tokens
  const mechanisms = ['oauthbearer', 'xoauth2']
  dovecot = await openDovecot({ oauth2: { tokenInfoUrl, mechanisms } })
  onlyXoauth2 = await openDovecot({ oauth2: { tokenInfoUrl, mechanisms: ['xoauth2'] } })
})
after(async () => {
  await dovecot?.close()
  await onlyXoauth2?.close()
  await tokens?.[Symbol.asyncDispose]()
})

interface ShownAccount {
  state: string
  lastError: {
    response: string
    serverResponseCode?: string
    tokenRequest?: { status?: number; response?: object }
  } | null
}

/** A user of both servers, with an account of the API. */
class User {
  readonly name = `${randomUUID().slice(0, 8)}@example.test`
  readonly refreshToken = tokens.grant(this.name)
  private readonly before = tokens.requests.length
  private readonly sandbox: Sandbox

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox
  }

  /** Token requests since the user is there. */
  get requests(): number {
    return tokens.requests.length - this.before
  }

  async register(more: object = {}, server = dovecot): Promise<void> {
    const body = {
      account: this.name,
      name: 'Jo',
      email: this.name,
      logs: true,
      imap: { host: server.host, port: server.imapPort },
      oauth2: {
        auth: { user: this.name },
        tokenUrl: tokens.tokenUrl,
        clientId: 'the-client',
        clientSecret: CLIENT_SECRET,
        refreshToken: this.refreshToken,
        ...more
      }
    }
    await this.sandbox.json({ method: 'POST', path: '/v1/account', body, ...admin })
  }

  change(body: object): Promise<unknown> {
    return this.sandbox.json({ method: 'PUT', path: this.path(), body, ...admin })
  }

  show(): Promise<ShownAccount> {
    return this.sandbox.json({ path: this.path(), ...admin })
  }

  list(status = 200, sandbox = this.sandbox): Promise<Record<string, unknown>> {
    return sandbox.json({ path: this.path('/mailboxes'), ...admin }, status)
  }

  async reconnect(): Promise<void> {
    const body = { reconnect: true }
    await this.sandbox.json({ method: 'PUT', path: this.path('/reconnect'), body, ...admin })
  }

  path(more = ''): string {
    return `/v1/account/${encodeURIComponent(this.name)}${more}`
  }

  async log(): Promise<string> {
    const path = `/v1/logs/${encodeURIComponent(this.name)}`
    return (await this.sandbox.ask({ path, ...admin })).text
  }
}

// Without watching, whose connections would use tokens too: requests for tokens are counted.
sandboxes('OAuth2', { mailbox: { watch: false } }, (sandbox) => {
  test('an access token alone signs in until the server rejects it', async () => {
    for (const server of [dovecot, onlyXoauth2]) {
      const user = new User(sandbox())
      const accessToken = tokens.issue(user.name)
      const none = { tokenUrl: undefined, clientId: undefined, clientSecret: undefined }
      await user.register({ accessToken, refreshToken: undefined, ...none }, server)
      await user.list()
      tokens.revoke(accessToken)
      await user.reconnect()
      assert.equal((await user.list(503)).code, 'AuthenticationFails')
      const { lastError } = await user.show()
      assert.match(lastError?.response ?? '', /Authentication failed/)
      assert.equal(user.requests, 0)
    }
  })

  test('a refresh token signs in; the access token is kept until it expires', async () => {
    for (const server of [dovecot, onlyXoauth2]) {
      const user = new User(sandbox())
      await user.register({}, server)
      await user.list()
      assert.equal(user.requests, 1)
      await user.reconnect()
      await user.list()
      assert.equal(user.requests, 1)
      assert.equal((await user.show()).state, 'connected')
    }
  })

  test('an access token that expires soon is refreshed before it is used', async () => {
    const user = new User(sandbox())
    const accessToken = tokens.issue(user.name)
    await user.register({ accessToken, expires: new Date(Date.now() + 30_000).toISOString() })
    await user.list()
    assert.equal(user.requests, 1)
    // The server sends a token that expires at once, with another refresh token each time.
    tokens.expiresIn = 1
    await user.change({ oauth2: { partial: true, expires: '2020-01-01T00:00:00Z' } })
    for (const number of [2, 3, 4]) {
      await user.reconnect()
      await user.list()
      assert.ok(user.requests >= number, String(user.requests))
    }
    tokens.expiresIn = 3600
    assert.deepEqual(tokens.reused, [])
  })

  test('an access token that the server rejects is refreshed once', async () => {
    const user = new User(sandbox())
    const accessToken = tokens.issue(user.name)
    tokens.revoke(accessToken)
    await user.register({ accessToken })
    await user.list()
    assert.equal(user.requests, 1)
    const other = new User(sandbox())
    tokens.issuesValid = false
    await other.register()
    assert.equal((await other.list(503)).code, 'AuthenticationFails')
    // One for the first token and one after it was rejected.
    assert.equal(other.requests, 2)
    assert.equal((await other.list(503)).code, 'AuthenticationFails')
    assert.equal(other.requests, 2)
    tokens.issuesValid = true
    await other.reconnect()
    await other.list()
    assert.equal(other.requests, 3)
  })

  test('many requests at the same time refresh a token once', async () => {
    const user = new User(sandbox())
    tokens.intercept = async () => {
      await wait(100)
      return false
    }
    await user.register()
    await Promise.all(Array.from({ length: 20 }, () => user.list()))
    tokens.intercept = undefined
    assert.equal(user.requests, 1)
  })

  test('a change of the account during a refresh loses no refresh token', async () => {
    const user = new User(sandbox())
    tokens.intercept = async () => {
      await user.change({ name: 'Another name' })
      return false
    }
    await user.register()
    // The change ends what waits for the connection.
    await sandbox().ask({ path: user.path('/mailboxes'), ...admin })
    tokens.intercept = undefined
    await user.list()
    assert.equal(user.requests, 1)
    await user.change({ oauth2: { partial: true, expires: '2020-01-01T00:00:00Z' } })
    await user.reconnect()
    await user.list()
    assert.deepEqual(tokens.reused, [])
  })

  test('another refresh token that is stored during a refresh stays', async () => {
    const user = new User(sandbox())
    const replacement = tokens.grant(user.name)
    tokens.intercept = async (response) => {
      tokens.intercept = undefined
      await user.change({ oauth2: { partial: true, refreshToken: replacement } })
      sendJson(response, 200, { access_token: tokens.issue(user.name), refresh_token: 'old-one' })
      return true
    }
    await user.register()
    await sandbox().ask({ path: user.path('/mailboxes'), ...admin })
    await user.list()
    assert.equal(tokens.requests.at(-1)?.fields.get('refresh_token'), replacement)
  })

  test('a rejected refresh token is an error of the account that shows no secret', async () => {
    const user = new User(sandbox())
    tokens.intercept = async (response, { fields }) => {
      const description = `${fields.get('refresh_token')} of ${CLIENT_SECRET} is revoked`
      sendJson(response, 400, { error: 'invalid_grant', error_description: description })
      return true
    }
    await user.register()
    const rejected = await user.list(503)
    assert.equal(rejected.code, 'AuthenticationFails')
    assert.equal(rejected.state, 'authenticationError')
    const requests = user.requests
    await user.list(503)
    assert.equal(user.requests, requests)
    const shown = await user.show()
    assert.equal(shown.state, 'authenticationError')
    assert.equal(shown.lastError?.response, 'Token request failed')
    assert.equal(shown.lastError?.serverResponseCode, 'OauthRenewError')
    assert.deepEqual(shown.lastError?.tokenRequest, {
      grant: 'refresh_token',
      clientId: 'the-client',
      status: 400,
      response: { error: 'invalid_grant', error_description: '****** of ****** is revoked' }
    })
    tokens.intercept = undefined
    await user.reconnect()
    await user.list()
    assert.equal((await user.show()).lastError, null)
    const texts = [JSON.stringify([rejected, shown, await user.show()]), await user.log()]
    for (const secret of [
      user.refreshToken,
      CLIENT_SECRET,
      /access-[\w-]{10}/,
      /refresh-[\w-]{10}/
    ]) {
      for (const text of texts) assert.ok(!text.match(secret), `${secret} in ${text}`)
    }
  })

  test('a token server that cannot be reached is no error of the account', async () => {
    const user = new User(sandbox())
    tokens.intercept = async (response) => {
      response.destroy()
      return true
    }
    await user.register()
    const unreachable = await user.list(503)
    assert.equal(unreachable.code, 'ConnectionError')
    assert.equal((await user.show()).state, 'connectError')
    tokens.intercept = undefined
    await user.reconnect()
    await user.list()
  })

  test('token URLs without TLS or with a password are not stored', async () => {
    for (const tokenUrl of ['http://id.example.test/token', 'https://u:p@id.example.test/', 'x']) {
      const body = {
        account: 'not-stored',
        name: 'Jo',
        imap: { host: 'imap.example.test', port: 993 },
        oauth2: { auth: { user: 'jo' }, tokenUrl, clientId: 'c', refreshToken: 'r' }
      }
      const { text } = await sandbox().ask({ method: 'POST', path: '/v1/account', body, ...admin })
      const { statusCode, fields } = JSON.parse(text)
      assert.equal(statusCode, 400)
      assert.deepEqual(
        fields.map(({ key }: { key: string }) => key),
        ['oauth2.tokenUrl']
      )
    }
    await sandbox().json({ path: '/v1/account/not-stored', ...admin }, 404)
  })

  test('a message is sent by XOAUTH2, with a refreshed token after a rejection', async () => {
    const user = new User(sandbox())
    const received: string[] = []
    const rejected: string[] = []
    const server = new SMTPServer({
      authMethods: ['XOAUTH2'],
      allowInsecureAuth: true,
      hideSTARTTLS: true,
      onAuth({ method, username, accessToken = '' }, _session, done) {
        const isValid = accessToken.startsWith('access-') && method === 'XOAUTH2'
        if (!isValid) rejected.push(accessToken)
        done(null, isValid ? { user: username } : { data: { status: '401', schemes: 'bearer' } })
      },
      onData(stream, { user: name }, done) {
        received.push(String(name))
        stream.on('end', done).resume()
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.server.address() as { port: number }
    try {
      await user.register({ accessToken: 'expired-token' })
      await user.change({ smtp: { host: '127.0.0.1', port } })
      const body = { to: [{ address: 'ada@example.test' }], subject: 'Hello', text: 'Hello' }
      const { queueId } = await sandbox().json<{ queueId: string }>({
        ...{ method: 'POST', path: user.path('/submit'), body, ...admin }
      })
      await entryWith(sandbox(), queueId, 'submitted')
      assert.deepEqual(received, [user.name])
      assert.ok(rejected.length <= 1, String(rejected))
    } finally {
      await new Promise<void>((resolve) => server.close(resolve))
    }
  })

  test('a message is not sent without a token: at once if the account must change', async () => {
    const user = new User(sandbox())
    tokens.intercept = async (response) => {
      sendJson(response, 400, { error: 'invalid_grant' })
      return true
    }
    await user.register()
    await user.change({ smtp: { host: '127.0.0.1', port: 9 } })
    const body = { to: [{ address: 'ada@example.test' }], subject: 'Hello', text: 'Hello' }
    const { queueId } = await sandbox().json<{ queueId: string }>({
      ...{ method: 'POST', path: user.path('/submit'), body, ...admin }
    })
    const entry = await entryWith(sandbox(), queueId, 'error')
    tokens.intercept = undefined
    assert.equal(entry.nextAttempt, false)
    assert.match(entry.progress.error?.message ?? '', /invalid_grant/)
  })
})

describe('two processes', { skip: !ENGINES.includes('postgres') }, () => {
  test('refresh the token of an account once', async () => {
    await using stack = new AsyncDisposableStack()
    const { url } = stack.use(await temporaryDatabase())
    const env = { NONET_SECRET_KEY: '7'.repeat(64), NONET_ADMIN_TOKEN: ADMIN_TOKEN }
    const open = async () => {
      const data = stack.use(temporaryFolder()).path
      const args = ['mailbox', '--data', data, '--database', url]
      const { ready } = stack.use(await launchNonet(args, { env }))
      return sandboxOf({ mailbox: { url: ready.services.mailbox ?? '', ports: {} } })
    }
    const first = await open()
    const second = await open()
    const user = new User(first)
    tokens.intercept = async () => {
      await wait(200)
      return false
    }
    await user.register()
    const requests = Array.from({ length: 10 }, (_, number) =>
      user.list(200, number % 2 === 0 ? first : second)
    )
    await Promise.all(requests)
    assert.equal(user.requests, 1)
    await user.change({ oauth2: { partial: true, expires: '2020-01-01T00:00:00Z' } })
    await user.reconnect()
    await Promise.all([user.list(200, second), user.list(200, first)])
    tokens.intercept = undefined
    assert.equal(user.requests, 2)
    assert.deepEqual(tokens.reused, [])
  })
})
