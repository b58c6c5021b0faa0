import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import {
  type Oauth2Server,
  openOauth2Server,
  sendJson,
  type TokenRequest
} from '../../../../../test/support/oauth2-server.ts'
import { createOutbound } from '../../../../kernel/outbound.ts'
import { requestTokens, type TokenGrant } from './request-tokens.ts'
import { TokenError } from './token-error.ts'
import { isTokenUrl } from './token-url.ts'

const SECRET = 'the+secret/of the client'
const outbound = createOutbound({ loopback: true, allow: [] })
let server: Oauth2Server
before(async () => {
  server = await openOauth2Server()
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await outbound.close()
})

function grantOf(fields: Partial<TokenGrant> = {}): TokenGrant {
  return {
    tokenUrl: server.tokenUrl,
    isPublic: false,
    clientId: 'the-client',
    clientSecret: SECRET,
    refreshToken: server.grant('jo@example.test'),
    scopes: undefined,
    ...fields
  }
}

/** The error of a request to which the server responds so. */
async function failsWith(
  respond: (response: ServerResponse, request: TokenRequest) => void,
  fields?: Partial<TokenGrant>
): Promise<TokenError> {
  server.intercept = async (response, request) => {
    respond(response, request)
    return true
  }
  const error = await requestTokens(outbound, grantOf(fields)).then(
    () => assert.fail('There are tokens'),
    (thrown: unknown) => thrown
  )
  server.intercept = undefined
  assert.ok(error instanceof TokenError, String(error))
  const shown = JSON.stringify([error.message, error.accountError])
  for (const secret of ['refresh-', SECRET, encodeURIComponent(SECRET)]) {
    assert.ok(!shown.includes(secret), shown)
  }
  return error
}

const json = (status: number, body: object) => (response: ServerResponse) =>
  sendJson(response, status, body)

describe('a token request', () => {
  test('is a form with the refresh token and the client', async () => {
    const { accessToken, refreshToken, expiresInMs } = await requestTokens(
      outbound,
      grantOf({ scopes: ['mail.read', 'mail.send'] })
    )
    assert.match(accessToken, /^access-/)
    assert.match(refreshToken ?? '', /^refresh-/)
    assert.equal(expiresInMs, 3_600_000)
    const { fields, headers } = server.requests.at(-1) ?? assert.fail()
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
    assert.equal(headers.authorization, undefined)
    const { refresh_token: sent, ...others } = Object.fromEntries(fields)
    assert.match(sent ?? '', /^refresh-/)
    assert.deepEqual(others, {
      grant_type: 'refresh_token',
      client_id: 'the-client',
      client_secret: SECRET,
      scope: 'mail.read mail.send'
    })
  })

  test('of a client without a secret has none', async () => {
    await requestTokens(outbound, grantOf({ clientSecret: undefined }))
    const { fields } = server.requests.at(-1) ?? assert.fail()
    assert.ok(!fields.has('client_secret') && !fields.has('scope'))
  })

  test('is repeated with the secret in the header if the server wants it there', async () => {
    const before = server.requests.length
    server.intercept = async (response, { headers }) => {
      if (headers.authorization !== undefined) return false
      sendJson(response, 401, { error: 'invalid_client' })
      return true
    }
    await requestTokens(outbound, grantOf())
    server.intercept = undefined
    assert.equal(server.requests.length, before + 2)
    const { fields, headers } = server.requests.at(-1) ?? assert.fail()
    assert.ok(!fields.has('client_secret') && !fields.has('client_id'))
    const [user, password] = Buffer.from(headers.authorization?.slice(6) ?? '', 'base64')
      .toString()
      .split(':')
    assert.equal(user, 'the-client')
    assert.equal(new URLSearchParams(`x=${password}`).get('x'), SECRET)
  })

  test('keeps the refresh token if the server sends no other', async () => {
    server.rotates = false
    server.expiresIn = undefined
    const tokens = await requestTokens(outbound, grantOf())
    server.rotates = true
    server.expiresIn = 3600
    assert.equal(tokens.refreshToken, undefined)
    assert.equal(tokens.expiresInMs, undefined)
  })
})

describe('an error of the token server', () => {
  test('that is final says what the server said, without secrets', async () => {
    const error = await failsWith((response, { fields }) => {
      const description = `Token ${fields.get('refresh_token')}\r\nof ${SECRET} is expired`
      sendJson(response, 400, { error: 'invalid_grant', error_description: description, x: 1 })
    })
    assert.equal(error.isTemporary, false)
    const said = { error: 'invalid_grant', error_description: 'Token ****** of ****** is expired' }
    assert.deepEqual(error.accountError, {
      response: 'Token request failed',
      description: `The token server responded 400 (${said.error}: ${said.error_description})`,
      tokenRequest: { grant: 'refresh_token', clientId: 'the-client', status: 400, response: said },
      serverResponseCode: 'OauthRenewError'
    })
  })

  test('may end by itself', async () => {
    for (const status of [408, 429, 500, 502, 503]) {
      assert.equal((await failsWith(json(status, {}))).isTemporary, true)
    }
    const cut = await failsWith((response) => response.destroy())
    assert.equal(cut.isTemporary, true)
    assert.match(cut.message, /cannot be reached/)
    await using gone = await openOauth2Server()
    await gone[Symbol.asyncDispose]()
    const unreachable = await failsWith(() => {}, { tokenUrl: gone.tokenUrl })
    assert.equal(unreachable.message, 'The token server cannot be reached (ECONNREFUSED)')
    assert.equal(unreachable.isTemporary, true)
  })

  test('may be any bytes', async () => {
    const huge = { error: 'x'.repeat(10_000), error_description: 'ü'.repeat(10_000) }
    const { accountError } = await failsWith(json(400, huge))
    assert.equal(accountError.tokenRequest?.response?.error?.length, 300)
    for (const body of [[], { error: 1 }, { error: { a: 1 } }, { error: '' }]) {
      const error = await failsWith(json(401, body), { clientSecret: undefined })
      assert.equal(error.message, 'The token server responded 401')
    }
    for (const bytes of ['', '<html>', 'null', '"x"', '\xff', 'x'.repeat(100_000)]) {
      await failsWith((response) => void response.writeHead(400).end(bytes))
      const error = await failsWith((response) => void response.writeHead(200).end(bytes))
      assert.equal(error.isTemporary, true)
    }
  })

  test('may be tokens that no protocol can send', async () => {
    const token = 'x'.repeat(100)
    for (const body of [
      ...[{}, { access_token: '' }, { access_token: 1 }, { access_token: `${token}\r\nQUIT` }],
      ...[{ access_token: 'a\x01b' }, { access_token: 'a b' }, { access_token: 'ü' }],
      ...[{ access_token: 'x'.repeat(16_385) }, { access_token: token, token_type: 'mac' }],
      ...[
        { access_token: token, refresh_token: '' },
        { access_token: token, refresh_token: 'ü' }
      ]
    ]) {
      const error = await failsWith(json(200, body))
      assert.match(error.message, /^The response of the token server has /)
    }
    for (const expires of [-1, 0, 'soon', null, 1e12, {}]) {
      server.intercept = async (response) => {
        sendJson(response, 200, { access_token: token, expires_in: expires })
        return true
      }
      assert.equal((await requestTokens(outbound, grantOf())).expiresInMs, undefined)
    }
    server.intercept = undefined
  })

  test('may be a redirect, which is not followed', async () => {
    const before = server.requests.length
    const error = await failsWith(
      (response) => void response.writeHead(307, { location: server.tokenUrl }).end()
    )
    assert.equal(error.message, 'The token server responded 307')
    assert.equal(server.requests.length, before + 1)
  })
})

describe('a token URL', () => {
  test('has https, or is of this machine', async () => {
    for (const url of [
      ...['https://id.example/token', 'https://id.example:8443/a?b', 'http://127.0.0.1:80/x'],
      ...['http://localhost/x', 'http://[::1]:1/', 'http://127.1/']
    ]) {
      assert.ok(isTokenUrl(url), url)
    }
    for (const url of [
      ...['http://id.example/token', 'http://10.0.0.1/', 'http://localhost.example/', 'x', ''],
      ...['https://u@id.example/', 'https://u:p@id.example/', 'ftp://id.example/', '//id.example/'],
      ...['http://notlocalhost/', 'file:///token', 'http://0.0.0.0/', 'http://a.localhost/']
    ]) {
      assert.ok(!isTokenUrl(url), url)
      const before = server.requests.length
      await assert.rejects(requestTokens(outbound, grantOf({ tokenUrl: url })), TokenError)
      assert.equal(server.requests.length, before)
    }
  })

  test('may not be private, or of this machine if the token of an account named it', async () => {
    for (const tokenUrl of ['https://10.0.0.1/token', 'https://169.254.169.254/token']) {
      const error = await failsWith(() => {}, { tokenUrl })
      assert.match(error.message, /are not allowed; an operator can allow its host/)
      assert.equal(error.isTemporary, false)
    }
    const before = server.requests.length
    assert.match((await failsWith(() => {}, { isPublic: true })).message, /are not allowed/)
    assert.equal(server.requests.length, before)
  })
})
