import { createHash } from 'node:crypto'
import type { Database } from '../../src/kernel/database/database.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { query, type Transaction } from '../../src/kernel/database/transaction.ts'
import { createKey } from '../../src/kernel/secrets/keys.ts'
import { createSecrets } from '../../src/kernel/secrets/secrets.ts'
import type { NewContent } from '../../src/services/mailbox/sandbox/mail-store.ts'
import type { MessageFacts, MessagePart } from '../../src/services/mailbox/sandbox/message/facts.ts'
import { migrations } from '../../src/services/mailbox/store/migrations.ts'
import { mailStore, type OpenedMailStore } from '../../src/services/mailbox/store/store.ts'
import type { Limits } from '../../src/services/mailbox/store/totals.ts'
import { type TemporaryPlace, temporaryPlace } from '../support/engines.ts'
import { counted } from './cards-tables.ts'

export const START = Date.parse('2026-01-02T03:04:05.678Z')
export const LIMITS: Limits = { messages: 500, bytes: 100_000_000 }

export interface MailTables extends AsyncDisposable {
  store: OpenedMailStore
  database: Database
  place: TemporaryPlace
  /** Statements of all writes since the last call, without locks of PostgreSQL. */
  takeStatements: () => readonly string[]
  /** Milliseconds that the clock of the store is ahead of `START`. */
  clock: { ms: number }
}

/** A store of its own; with a location, one more process with the same tables. */
export async function openMail(
  where: Database['engine'] | TemporaryPlace,
  limits = LIMITS
): Promise<MailTables> {
  const place = typeof where === 'string' ? temporaryPlace(where) : where
  const database = await openDatabase(place, { service: 'mailbox', migrations })
  const clock = { ms: 0 }
  let statements: string[] = []
  const observed: Database = {
    ...database,
    write: (transaction, options) =>
      database.write(() => counted(transaction(), statements), options)
  }
  const kernel = {
    database: observed,
    secrets: createSecrets('mailbox', [createKey(new Uint8Array(32).fill(7))]),
    now: () => new Date(START + clock.ms)
  }
  const store = mailStore(kernel, limits)
  return {
    store,
    database,
    place,
    takeStatements() {
      const taken = statements.filter((sql) => !sql.includes('pg_advisory'))
      statements = []
      return taken
    },
    clock,
    async [Symbol.asyncDispose]() {
      store.stop()
      await database.close()
      if (typeof where === 'string') await place[Symbol.asyncDispose]()
    }
  }
}

export function addAccount({ store }: Pick<MailTables, 'store'>, id: string): Promise<boolean> {
  const address = `${id}@example.com`
  return store.addAccount({ id, address, name: id, createdAt: START, password: `of ${id}` })
}

/** The id of the INBOX, or of another mailbox. */
export async function mailboxId(
  { store }: Pick<MailTables, 'store'>,
  account: string,
  name = 'INBOX'
): Promise<number> {
  const mailbox = await store.findMailbox(account, name)
  if (mailbox === undefined) throw new Error(`${account} has no mailbox ${name}`)
  return mailbox.id
}

export interface Written {
  subject: string
  from?: string
  to?: string
  preview?: string
  size?: number
  messageId?: string
  references?: readonly string[]
  envelopeTo?: readonly string[]
}

/** Contents with the same subject have the same file. */
export function contentWith({
  subject,
  size = 1_000,
  envelopeTo = [],
  ...more
}: Written): NewContent {
  const hash = createHash('sha256').update(subject).digest('hex')
  const facts = factsWith({ subject, ...more })
  return { file: { hash, size }, facts, envelopeFrom: '', envelopeTo }
}

const ROOT: MessagePart = {
  type: 'text/plain',
  parameters: { charset: 'utf-8' },
  disposition: undefined,
  id: undefined,
  description: undefined,
  encoding: '7bit',
  md5: undefined,
  language: [],
  location: undefined,
  header: [0, 100],
  body: [100, 1_000],
  lines: 10,
  parts: [],
  envelope: undefined
}

function factsWith(written: Written): MessageFacts {
  const { subject, from = 'ada@example.com', to = 'bob@example.com', preview = '' } = written
  const none = { sender: [], replyTo: [], cc: [], bcc: [], inReplyTo: undefined }
  return {
    root: ROOT,
    envelope: {
      ...none,
      date: undefined,
      subject,
      from: [[null, null, 'ada', 'example.com']],
      to: [],
      messageId: written.messageId
    },
    subject,
    from: [{ name: 'Ada', address: from }],
    recipients: [{ name: 'Bob', address: to }],
    sentAt: START,
    references: written.references ?? [],
    preview
  }
}

export interface Disagreement {
  what: string
  id: string | number
}

/** Totals and counts of references that differ from the rows; none in correct tables. */
export function* findDisagreements(): Transaction<readonly Disagreement[]> {
  return yield* query<Disagreement>(`
    select 'totals' as what, a.id as id from sandbox_accounts a
      where a.messages <> (select count(*) from sandbox_messages m where m.account = a.id)
      or a.bytes <> (select coalesce(sum(m.size), 0) from sandbox_messages m where m.account = a.id)
    union all select 'refs of content', c.id from sandbox_contents c
      where c.refs = 0 or c.refs <> (select count(*) from sandbox_messages m where m.content = c.id)
    union all select 'content', m.content from sandbox_messages m
      where not exists (select 1 from sandbox_contents c where c.id = m.content)
    union all select 'refs of file', f.hash from files f
      where f.refs <> (select count(*) from sandbox_contents c where c.hash = f.hash)
    union all select 'uid', b.name from sandbox_mailboxes b
      where b.uid_next <= (select coalesce(max(m.uid), 0) from sandbox_messages m where m.mailbox = b.id)
    union all select 'modseq', b.name from sandbox_mailboxes b
      where b.modseq < (select coalesce(max(m.modseq), 0) from sandbox_messages m where m.mailbox = b.id)
    union all select 'account', m.account from sandbox_messages m
      join sandbox_mailboxes b on b.id = m.mailbox where b.account <> m.account`)
}

export function* countRows(table: string): Transaction<number> {
  const [row] = yield* query<{ count: number }>(`select count(*) as count from ${table}`)
  return row?.count ?? 0
}
