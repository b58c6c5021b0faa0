import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { SmtpSink } from '../support/smtp-sink.ts'
import { ADMIN_TOKEN, type NewAccount, type Sandbox } from './mailbox-site.ts'

export interface QueueEntry {
  queueId: string
  account: string
  source: string
  messageId: string
  subject: string
  envelope: { from: string; to: string[] }
  created: string
  scheduled: string
  nextAttempt: string | false
  attemptsMade: number
  attempts: number
  idempotencyKey?: string
  progress: {
    status: string
    response?: string
    error?: { message: string; code?: string; statusCode?: number }
    rejected?: { recipient: string; response: string }[]
    warning?: string
  }
}

export interface Queued {
  response: string
  messageId: string
  queueId: string
  sendAt: string
  reference?: { message: string; success: boolean; error?: string }
  idempotency?: { key: string; status: string }
}

export interface ListedMessage {
  id: string
  subject?: string
  flags: string[]
  messageId?: string
  inReplyTo?: string
  attachments?: { id: string; filename?: string; contentType: string }[]
}

const DEADLINE_MS = 60_000

/** An account of the API with mailboxes in the sandbox, whose mail goes to another server. */
export interface Sender {
  id: string
  mailboxes: NewAccount
  submit: (body: object, headers?: Record<string, string>) => Promise<Queued>
  /** With this status, and the parsed body. */
  rejected: (body: object, status: number, headers?: Record<string, string>) => Promise<ErrorBody>
  entry: (queueId: string, statuses: readonly string[]) => Promise<QueueEntry>
  /** When it was sent and all that follows is done. */
  submitted: (queueId: string) => Promise<QueueEntry>
  list: (path: string) => Promise<ListedMessage[]>
  source: (id: string) => Promise<string>
}

export interface ErrorBody {
  statusCode: number
  message: string
  code?: string
  fields?: { key: string; message: string }[]
}

export async function openSender(
  sandbox: Sandbox,
  sink: Pick<SmtpSink, 'port'> | undefined,
  more: object = {}
): Promise<Sender> {
  const { json } = sandbox
  const mailboxes = await sandbox.account()
  const token = ADMIN_TOKEN
  const smtp = sink && { host: '127.0.0.1', port: sink.port, secure: false, auth: false }
  const { account: id } = await json<{ account: string }>({
    method: 'POST',
    path: '/v1/account',
    token,
    body: {
      account: null,
      name: 'Ada',
      email: mailboxes.address,
      imap: mailboxes.imap,
      ...(smtp && { smtp }),
      ...more
    }
  })
  const path = `/v1/account/${id}`
  const request = (body: object, headers: Record<string, string> = {}) => {
    return { method: 'POST', path: `${path}/submit`, token, body, headers }
  }

  const entry = (queueId: string, statuses: readonly string[]) =>
    entryWith(sandbox, token, queueId, statuses)

  return {
    id,
    mailboxes,
    submit: (body, headers) => json<Queued>(request(body, headers)),
    rejected: (body, status, headers) => json<ErrorBody>(request(body, headers), status),
    entry,
    submitted: (queueId) => entry(queueId, ['submitted']),
    async list(mailbox) {
      const query = `path=${encodeURIComponent(mailbox)}`
      const found = await json<{ messages: ListedMessage[] }>({
        path: `${path}/messages?${query}`,
        token
      })
      return found.messages
    },
    async source(messageId) {
      const { status, text } = await sandbox.ask({
        path: `${path}/message/${messageId}/source`,
        token
      })
      assert.equal(status, 200, text)
      return text
    }
  }
}

/** Values of a header field in a message, unfolded. */
export function fieldOf(raw: string, name: string): string | undefined {
  const [head = ''] = raw.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const found = lines.filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  assert.ok(found.length <= 1, `${name} is there ${found.length} times`)
  return found[0]?.slice(name.length + 1).trim()
}

/** The entry of the outbox, when its status is one of these. */
export async function entryWith(
  { json }: Pick<Sandbox, 'json'>,
  token: string,
  queueId: string,
  statuses: readonly string[]
): Promise<QueueEntry> {
  const end = Date.now() + DEADLINE_MS
  for (;;) {
    const found = await json<QueueEntry>({ path: `/v1/outbox/${queueId}`, token })
    if (statuses.includes(found.progress.status)) return found
    assert.ok(Date.now() < end, JSON.stringify(found))
    await wait(50)
  }
}

export function submitted(
  sandbox: Pick<Sandbox, 'json'>,
  token: string,
  queueId: string
): Promise<QueueEntry> {
  return entryWith(sandbox, token, queueId, ['submitted'])
}
