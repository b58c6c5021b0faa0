import assert from 'node:assert/strict'
import { ImapFlow } from 'imapflow'
import type { ServerSettings } from '../contract/mailbox-site.ts'
import { type Answer, send } from './contract.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses are compared field by field
export type Body = any

export interface Asked {
  method?: string
  /** Below the account. */
  path: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/** An account whose mail is read over HTTP, with a way to put mail there. */
export interface Reader {
  account: string
  ask: (request: Asked) => Promise<Answer>
  /** Asserts the status. */
  json: (path: string, request?: Omit<Asked, 'path'>, status?: number) => Promise<Body>
  /** The bytes of a download, and its headers. */
  bytes: (path: string) => Promise<{ headers: Headers; bytes: Buffer }>
  /** Stores a message as another mail program does; resolves to its UID. */
  append: (source: string | Buffer, options?: AppendOptions) => Promise<number>
  /** Another connection to the mail server. */
  withClient: <T>(use: (client: ImapFlow) => Promise<T>) => Promise<T>
}

export interface AppendOptions {
  path?: string
  flags?: readonly string[]
  date?: Date
}

export interface ReaderLogin {
  url: string
  account: string
  token: string
  imap: Pick<ServerSettings, 'host' | 'port' | 'auth'>
}

export function readerOf({ url, account, token, imap }: ReaderLogin): Reader {
  const base = `${url}/v1/account/${encodeURIComponent(account)}`
  const authorization = `Bearer ${token}`

  function ask({ method = 'GET', path, body, headers = {} }: Asked): Promise<Answer> {
    const isJson = body !== undefined
    return send(base, {
      method,
      path,
      headers: { authorization, ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(isJson && { body: JSON.stringify(body) })
    })
  }

  async function withClient<T>(use: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = new ImapFlow({
      ...{ host: imap.host, port: imap.port, auth: imap.auth, secure: false },
      // One for each message that arrives, so it does without the handshake of TLS.
      ...{ doSTARTTLS: false, logger: false, disableAutoIdle: true }
    })
    client.on('error', () => {})
    await client.connect()
    try {
      return await use(client)
    } finally {
      await client.logout()
    }
  }

  return {
    account,
    ask,
    async json(path, request = {}, wanted = 200) {
      const { status, text } = await ask({ path, ...request })
      assert.equal(status, wanted, `${request.method ?? 'GET'} ${path}: ${text}`)
      return JSON.parse(text)
    },
    async bytes(path) {
      const response = await fetch(base + path, { headers: { authorization } })
      const bytes = Buffer.from(await response.arrayBuffer())
      assert.equal(response.status, 200, bytes.toString('latin1', 0, 500))
      return { headers: response.headers, bytes }
    },
    append: (source, { path = 'INBOX', flags = [], date } = {}) =>
      withClient(async (client) => {
        const added = await client.append(path, Buffer.from(source), [...flags], date)
        assert.ok(added && added.uid !== undefined)
        return added.uid
      }),
    withClient
  }
}

/** A message of lines. */
export function lines(...text: readonly string[]): string {
  return text.map((line) => `${line}\r\n`).join('')
}
