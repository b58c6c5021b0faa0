import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Asked, ServerSettings } from './mailbox-site.ts'

/** `server`: commands of a mail server. `store`: rows of tables. `stream`: the response never ends. */
export type Touches = 'server' | 'store' | 'stream' | 'nothing'

/** An account to send the example requests to. */
export interface TableSite {
  url: string
  account: string
  /** Bound to the account. */
  token: string
  imap: ServerSettings
  /** Receives all mail; `GET /v1/sandbox/wait` shows it. */
  smtp: object
  /** With the admin token; asserts the status. */
  json: <T = Record<string, unknown>>(request: Asked, status?: number) => Promise<T>
  /** Puts a message into the inbox. */
  deliver: (message: string) => Promise<void>
}

export interface ExampleResponse {
  status: number
  headers: Headers
  bytes: Buffer
  text: string
}

export interface Example {
  /** Values of the parameters of the path; that of the account by default. */
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: object
  /** Instead of that of the account or the operator. */
  token?: string
  /** Gets the parsed body, or the text if the response is not JSON. */
  check: (body: never, response: ExampleResponse) => unknown
}

export interface TableRow {
  touches: Touches
  prepare: (site: TableSite) => Promise<Example>
}

export function row(touches: Touches, prepare: TableRow['prepare']): TableRow {
  return { touches, prepare }
}

export interface Entry {
  id: string
  uid: number
  subject: string
  flags: string[]
  attachments?: { id: string; filename?: string; contentType: string }[]
  text: { id: string }
}

export const ATTACHED = Buffer.from('one,two\r\n1,2\r\n')

/** A message with plain text, HTML and an attachment. */
export function letter(subject: string): string {
  return [
    'From: Zoe <zoe@example.test>',
    'To: Ada <ada@example.test>',
    `Subject: ${subject}`,
    `Message-ID: <${subject}@example.test>`,
    'Date: Tue, 3 Feb 2026 04:05:06 +0100',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: multipart/alternative; boundary=c',
    '',
    '--c',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'The numbers',
    '--c',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>The <b>numbers</b></p>',
    '--c--',
    '--b',
    'Content-Type: text/csv; name=numbers.csv',
    'Content-Disposition: attachment; filename=numbers.csv',
    'Content-Transfer-Encoding: base64',
    '',
    ATTACHED.toString('base64'),
    '--b--',
    ''
  ].join('\r\n')
}

/** Delivers a message with a subject of its own and finds it in the inbox. */
export async function arrive(site: TableSite): Promise<Entry> {
  const subject = randomUUID()
  await site.deliver(letter(subject))
  return find(site, 'INBOX', subject)
}

export async function find(site: TableSite, path: string, subject: string): Promise<Entry> {
  const found = await list(site, path, subject)
  const [entry] = found
  assert.equal(found.length, 1)
  return entry ?? assert.fail()
}

/** Messages of a mailbox with this subject. */
export async function list(site: TableSite, path: string, subject: string): Promise<Entry[]> {
  const { messages } = await site.json<{ messages: Entry[] }>({
    path: `${of(site)}/messages?pageSize=100&path=${encodeURIComponent(path)}`
  })
  return messages.filter((entry) => entry.subject === subject)
}

/** Path of the account. */
export function of({ account }: TableSite): string {
  return `/v1/account/${account}`
}
