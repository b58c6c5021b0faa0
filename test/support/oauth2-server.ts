/** A token server of the tests: refreshes access tokens and tells mail servers who has one. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface TokenRequest {
  readonly fields: URLSearchParams
  readonly headers: IncomingHttpHeaders
}

export interface Oauth2Server extends AsyncDisposable {
  readonly tokenUrl: string
  /** For mail servers: the access token is added to it. */
  readonly tokenInfoUrl: string
  readonly requests: TokenRequest[]
  /** A new refresh token of this user. */
  grant: (user: string) => string
  /** A new access token of this user. */
  issue: (user: string) => string
  /** Ends an access token before its time. */
  revoke: (accessToken: string) => void
  /** Refresh tokens that were sent a second time. */
  readonly reused: string[]
  /** Responds to the next token requests instead; resolve to false for the usual response. */
  intercept: ((response: ServerResponse, request: TokenRequest) => Promise<boolean>) | undefined
  expiresIn: number | undefined
  /** Whether each refresh token is valid once. */
  rotates: boolean
  /** Whether new access tokens are valid. */
  issuesValid: boolean
}

/** A refresh token that is sent a second time ends all tokens of its user, as RFC 9700 advises. */
export async function openOauth2Server(): Promise<Oauth2Server> {
  const users = new Map<string, string>()
  const refreshTokens = new Map<string, string>()
  const used = new Map<string, string>()
  const http = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    if (url.pathname === '/tokeninfo') {
      const user = users.get(url.searchParams.get('access_token') ?? '')
      return sendJson(
        response,
        200,
        user === undefined ? { active: false } : { email: user, active: true }
      )
    }
    const received = { fields: new URLSearchParams(await text(request)), headers: request.headers }
    server.requests.push(received)
    if (server.intercept !== undefined && (await server.intercept(response, received))) return
    const sent = received.fields.get('refresh_token') ?? ''
    if (used.has(sent)) {
      server.reused.push(sent)
      for (const [token, user] of refreshTokens) {
        if (user === used.get(sent)) refreshTokens.delete(token)
      }
    }
    const user = refreshTokens.get(sent)
    if (user === undefined) return sendJson(response, 400, { error: 'invalid_grant' })
    if (server.rotates) {
      refreshTokens.delete(sent)
      used.set(sent, user)
    }
    sendJson(response, 200, {
      access_token: server.issuesValid ? server.issue(user) : newToken('invalid'),
      token_type: 'Bearer',
      ...(server.expiresIn !== undefined && { expires_in: server.expiresIn }),
      ...(server.rotates && { refresh_token: server.grant(user) })
    })
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const { port } = http.address() as AddressInfo
  const server: Oauth2Server = {
    tokenUrl: `http://127.0.0.1:${port}/token`,
    tokenInfoUrl: `http://127.0.0.1:${port}/tokeninfo?access_token=`,
    requests: [],
    reused: [],
    intercept: undefined,
    expiresIn: 3600,
    rotates: true,
    issuesValid: true,
    grant(user) {
      const token = newToken('refresh')
      refreshTokens.set(token, user)
      return token
    },
    issue(user) {
      const token = newToken('access')
      users.set(token, user)
      return token
    },
    revoke: (accessToken) => void users.delete(accessToken),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
    }
  }
  return server
}

function newToken(kind: string): string {
  return `${kind}-${randomBytes(18).toString('base64url')}`
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
