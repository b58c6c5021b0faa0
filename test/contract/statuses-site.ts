import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { type Nonet, start } from '../../src/host/start.ts'
import type {
  ImportedAccount,
  ImportedPost,
  StoredFile
} from '../../src/services/statuses/import/protocol.ts'
import { type Answer, send } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { exchange } from '../support/exchange.ts'

type Headed = Readonly<Record<string, string>>

/** A running service and its import routes. */
export interface Site {
  url: string
  console: string
  ask: (path: string, headers?: Headed, method?: string) => Promise<Answer>
  /** A console route of the import; `body` is sent as JSON unless it is bytes. */
  receive: (step: string, body: unknown) => Promise<Answer>
  account: (more?: Partial<ImportedAccount>, newAccount?: boolean) => Promise<string>
  posts: (account: string, ...posts: ImportedPost[]) => Promise<unknown[]>
  file: (bytes: Uint8Array) => Promise<StoredFile>
  /** Creates a token at the console. */
  token: (request?: object) => Promise<{ secret: string; id: string }>
  revoke: (id: string) => Promise<void>
  /** A request of an owner; `body` is sent as JSON unless it is a form. */
  own: (secret: string | undefined, request: OwnRequest) => Promise<Answer>
}

export interface OwnRequest {
  method?: string
  path?: string
  body?: unknown
  headers?: Headed
}

/** Runs the tests on every engine; `site()` is valid inside a test. */
export function sites(title: string, options: object, play: (site: () => Site) => void): void {
  for (const engine of ENGINES) {
    describe(`${title}, on ${engine}`, () => {
      let nonet: Nonet<'statuses'>
      before(async () => {
        nonet = await start({ services: ['statuses'], ...options, ...engineOptions(engine) })
      })
      after(() => nonet.stop())
      play(() => siteOf(nonet))
    })
  }
}

export function siteOf(nonet: Pick<Nonet<'statuses'>, 'statuses' | 'console'>): Site {
  const { url } = nonet.statuses
  const { url: console = '', token } = nonet.console ?? {}
  const authorised: Headed = token === undefined ? {} : { authorization: `Bearer ${token}` }
  async function receive(step: string, body: unknown): Promise<Answer> {
    const isFile = body instanceof Uint8Array
    const type = isFile ? 'application/octet-stream' : 'application/json'
    return send(console, {
      method: 'POST',
      path: `/statuses/import/${step}`,
      headers: { 'content-type': type, ...authorised },
      body: isFile ? new Uint8Array(body) : JSON.stringify(body)
    })
  }
  async function succeed<T>(step: string, body: unknown): Promise<T> {
    const { status, text } = await receive(step, body)
    assert.equal(status, 200, `${step}: ${text}`)
    return JSON.parse(text)
  }
  return {
    url,
    console,
    ask: (path, headers = {}, method = 'GET') => send(url, { method, path, headers }),
    receive,
    async account(more = {}, newAccount = false) {
      const account = { ...ADA, ...more }
      const { id } = await succeed<{ id: string }>('account', {
        account,
        newAccount,
        dryRun: false
      })
      return id
    },
    async posts(account, ...posts) {
      const body = { account, posts, dryRun: false }
      return (await succeed<{ results: unknown[] }>('posts', body)).results
    },
    file: (bytes) => succeed('files', bytes),
    async token(request = {}) {
      const { status, text } = await send(console, {
        method: 'POST',
        path: '/statuses/tokens',
        headers: { 'content-type': 'application/json', ...authorised },
        body: JSON.stringify(request)
      })
      assert.equal(status, 201, text)
      const { secret, token } = JSON.parse(text)
      return { secret, id: token.id }
    },
    async revoke(id) {
      const path = `/statuses/tokens/${id}`
      const { status, text } = await send(console, { method: 'DELETE', path, headers: authorised })
      assert.equal(status, 200, text)
    },
    async own(secret, { method = 'GET', path = '/api/statuses', body, headers = {} }) {
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
  }
}

/** A form with images; each has a description. */
export function imageForm(fields: Headed, ...images: [bytes: Uint8Array, alt: string][]): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const [bytes, alt] of images) {
    form.append('media', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'a.png')
    form.append('alt', alt)
  }
  return form
}

export const ADA: ImportedAccount = {
  id: '12',
  userName: 'ada',
  name: 'Ada Lovelace',
  bio: 'Writes about engines.',
  formerNames: [],
  source: 'x_archive'
}

export function post(id: string, more: Partial<ImportedPost> = {}): ImportedPost {
  return {
    id,
    visibility: 'public',
    kind: 'post',
    text: `Text of ${id}`,
    entities: [],
    createdAt: '2009-03-01T10:00:00.000Z',
    media: [],
    counts: { likes: null, reposts: null, replies: null, quotes: null },
    sensitive: false,
    source: 'x_archive',
    ...more
  }
}

/** A PNG image of one pixel. */
export const PIXEL: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64'
)

/** Another PNG image of one pixel. */
export function pixel(colour: number): Uint8Array {
  const chunk = (name: string, data: Uint8Array) => {
    const content = Buffer.concat([Buffer.from(name), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    frame.writeUInt32BE(crc32(content), 4)
    return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)])
  }
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  return Buffer.concat([
    PIXEL.subarray(0, 8),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, colour]))),
    chunk('IEND', Buffer.alloc(0))
  ])
}

/** The start of an MP4 file and some bytes, each the lower eight bits of its position. */
export function video(size: number): Uint8Array {
  const bytes = Uint8Array.from({ length: size }, (_, index) => index & 255)
  bytes.set(Buffer.from('\0\0\0\x18ftypmp42'))
  return bytes
}

/** Everything that a client sees, without what differs between any two responses. */
export function seen({ status, headers, text }: Answer): object {
  const {
    date: _date,
    connection: _connection,
    'keep-alive': _keepAlive,
    ...rest
  } = Object.fromEntries(headers)
  return { status, headers: rest, text }
}
