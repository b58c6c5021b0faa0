import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import type {
  ImportedAccount,
  ImportedPost,
  StoredFile
} from '../../src/services/statuses/import/protocol.ts'
import { type Answer, send } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'

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
    file: (bytes) => succeed('files', bytes)
  }
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
