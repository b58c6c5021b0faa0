import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { type Answer, send } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { exchange } from '../support/exchange.ts'

type Headers = Readonly<Record<string, string>>

export interface TokenRequest {
  name?: string
  scopes?: readonly string[]
  expires?: string
  flags?: Readonly<Record<string, string | boolean>>
}

export interface CardsRequest {
  method?: string
  /** Sent as JSON, unless it is a form or a string. */
  body?: unknown
  headers?: Headers
  /** Sent as a bearer token. */
  token?: string | undefined
}

/** A running service and its console. */
export interface Site {
  url: string
  console: string
  /** Creates a token at the console; by default with all scopes of the only member. */
  token: (request?: TokenRequest) => Promise<{ secret: string; id: string }>
  /** The token of a new member. */
  member: (userName: string, request?: TokenRequest) => Promise<string>
  /** A publishable key of a board, by id, short link or slug. */
  publishable: (member: string, board: string) => Promise<string>
  revoke: (id: string) => Promise<void>
  /** Any path of the service. */
  ask: (path: string, request?: CardsRequest) => Promise<Answer>
  /** A path below `/1`. */
  api: (path: string, request?: CardsRequest) => Promise<Answer>
  /** The same; fails unless the status is 200. The caller knows what the JSON is. */
  json: (path: string, request?: CardsRequest) => Promise<CardsJson>
  /** A route of the service at the console; a body is sent as JSON unless it is bytes. */
  atConsole: (path: string, method?: string, body?: unknown) => Promise<Answer>
}

/** Parsed JSON, whose members the tests know. */
export type CardsJson = ReturnType<typeof JSON.parse>

/** Runs the tests on every engine; `site()` is valid inside a test. */
export function sites(title: string, options: object, play: (site: () => Site) => void): void {
  for (const engine of ENGINES) {
    describe(`${title}, on ${engine}`, () => {
      let nonet: Nonet<'cards'>
      before(async () => {
        nonet = await start({ services: ['cards'], ...options, ...engineOptions(engine) })
      })
      after(() => nonet.stop())
      play(() => siteOf(nonet))
    })
  }
}

export function siteOf(nonet: Pick<Nonet<'cards'>, 'cards' | 'console'>): Site {
  const { url } = nonet.cards
  const { url: console = '', token: admin } = nonet.console ?? {}
  const authorised: Headers = admin === undefined ? {} : { authorization: `Bearer ${admin}` }

  async function atConsole(path: string, method = 'GET', body?: unknown): Promise<Answer> {
    const isFile = body instanceof Uint8Array
    const type = isFile ? 'application/octet-stream' : 'application/json'
    return send(console, {
      method,
      path: `/cards${path}`,
      headers: { ...(body !== undefined && { 'content-type': type }), ...authorised },
      ...(body !== undefined && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) })
    })
  }

  async function token(request: TokenRequest = {}): Promise<{ secret: string; id: string }> {
    const { status, text } = await atConsole('/tokens', 'POST', request)
    assert.equal(status, 201, text)
    const created = JSON.parse(text)
    return { secret: created.secret, id: created.token.id }
  }

  async function ask(path: string, request: CardsRequest = {}): Promise<Answer> {
    const { method = 'GET', body, headers = {}, token: secret } = request
    const isForm = body instanceof FormData || body instanceof URLSearchParams
    const isPlain = body === undefined || isForm || typeof body === 'string'
    return exchange(url + path, {
      method,
      headers: {
        ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
        ...(!isPlain && { 'content-type': 'application/json' }),
        ...headers
      },
      body: isPlain ? body : JSON.stringify(body)
    })
  }

  const api: Site['api'] = (path, request) => ask(`/1${path}`, request)
  return {
    url,
    console,
    token,
    async member(userName, request = {}) {
      const flags = { member: userName, 'new-member': true, ...request.flags }
      return (await token({ ...request, flags })).secret
    },
    async publishable(member, board) {
      return (await token({ scopes: ['published'], flags: { member, board } })).secret
    },
    async revoke(id) {
      const { status, text } = await atConsole(`/tokens/${id}`, 'DELETE')
      assert.equal(status, 200, text)
    },
    ask,
    api,
    async json(path, request) {
      const { status, text } = await api(path, request)
      assert.equal(status, 200, `${request?.method ?? 'GET'} ${path}: ${text}`)
      return JSON.parse(text)
    },
    atConsole
  }
}
