import assert from 'node:assert/strict'
import { join } from 'node:path'
import { ImapFlow } from 'imapflow'
import { type Nonet, start } from '../../src/host/start.ts'
import type { Engine } from '../../src/kernel/database/database.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { query } from '../../src/kernel/database/transaction.ts'
import { migrations } from '../../src/services/mailbox/store/migrations.ts'
import { ADMIN_TOKEN, type Sandbox, sandboxOf } from '../contract/mailbox-site.ts'
import { until } from './delivery-receiver.ts'
import { temporaryDatabase } from './engines.ts'
import { type EventDelivery, type EventReceiver, openEventReceiver } from './event-receiver.ts'
import { temporaryFolder } from './launcher.ts'
import { type ImapAccess, untilInitialized } from './watching-daemon.ts'

const WAIT_MS = 30_000
/** For servers that do not tell of changes: comparisons are requested so often. */
const SYNC_MS = 300

/** Of events about messages and mailboxes. */
export interface ChangeData {
  id?: string
  uid?: number
  subject?: string
  renamedFrom?: string
  renamedTo?: string
  movedFrom?: string
  movedTo?: string
  reason?: string
  changes?: { flags?: { added?: string[]; deleted?: string[]; value?: string[] } }
}

export interface AppendOptions {
  flags?: readonly string[]
  date?: Date
}

/**
 * A daemon that watches one account as soon as it is registered, the receiver of its webhooks, and
 * another client of the mail server. The mail server is not part of the daemon: mail arrives also
 * while the daemon is stopped.
 */
export interface WatchedAccount extends AsyncDisposable {
  account: string
  client: ImapFlow
  /** Of the running daemon. */
  site: () => Sandbox
  receiver: EventReceiver
  /** Changes the tables of the daemon, which is stopped. */
  change: (sql: string) => Promise<void>
  /** Stores a message by the other client, which arrived now or then; resolves to its UID. */
  append: (path: string, subject: string, options?: AppendOptions) => Promise<number>
  /** Registers the account and waits until all its mailboxes were read. */
  register: () => Promise<void>
  startDaemon: () => Promise<void>
  stopDaemon: () => Promise<void>
  /**
   * Waits for exactly these changes, in any order, since the last call. Then a comparison of all
   * mailboxes and another message, whose event comes last, show that there are no more.
   */
  expectChanges: (expected: readonly string[]) => Promise<readonly EventDelivery[]>
}

/** Events that are not about messages or mailboxes. */
const ACCOUNT_EVENTS = [
  'accountAdded',
  'accountInitialized',
  'authenticationSuccess',
  'authenticationError',
  'connectError'
]

export async function watchAccount(
  engine: Engine,
  imap: ImapAccess,
  fields: object = {},
  options: { syncs?: boolean } = {}
): Promise<WatchedAccount> {
  const folder = temporaryFolder()
  const database = engine === 'postgres' ? await temporaryDatabase() : undefined
  const receiver = await openEventReceiver()
  const client = new ImapFlow({ ...imap, tls: { rejectUnauthorized: false }, logger: false })
  await client.connect()
  const account = 'watched'
  const subjects = new Map<string, string>()
  let daemon: Nonet<'mailbox'> | undefined
  let taken = 0
  let sentinels = 0

  async function startDaemon(): Promise<void> {
    daemon = await start({
      services: ['mailbox'],
      adminToken: ADMIN_TOKEN,
      data: folder.path,
      ...(database !== undefined && { database: database.url })
    })
  }
  async function stopDaemon(): Promise<void> {
    await daemon?.stop()
    daemon = undefined
  }
  const site = () => sandboxOf(daemon ?? assert.fail('the daemon is stopped'))
  const admin = { token: ADMIN_TOKEN }

  async function append(path: string, subject: string, options: AppendOptions = {}) {
    const { flags = [], date } = options
    const added = await client.append(path, mailOf(subject), [...flags], date)
    assert.ok(added && added.uid !== undefined, `${path} has UIDs`)
    const { uid } = added
    subjects.set(`${path} ${uid}`, subject)
    return uid
  }

  /** One line that says what happened. */
  function describe({ body }: EventDelivery): string {
    const { event, path = '' } = body
    const data: ChangeData = body.data
    const { uid, subject = subjects.get(`${path} ${uid}`) ?? `uid ${uid}`, changes } = data
    if (event === 'messageNew') subjects.set(`${path} ${uid}`, subject)
    if (event === 'messageUpdated') {
      const { added = [], deleted = [] } = changes?.flags ?? {}
      const flags = [...added.map((flag) => `+${flag}`), ...deleted.map((flag) => `-${flag}`)]
      return `${event} ${path}: ${subject} ${flags.sort().join(' ')}`
    }
    if (event.startsWith('message')) return `${event} ${path}: ${subject}`
    if (data.renamedFrom !== undefined) return `${event} ${path}, was ${data.renamedFrom}`
    if (data.renamedTo !== undefined) return `${event} ${path}, is ${data.renamedTo}`
    return data.reason === undefined ? `${event} ${path}` : `${event} ${path}, ${data.reason}`
  }

  function changes(): EventDelivery[] {
    return receiver.first().filter(({ body }) => !ACCOUNT_EVENTS.includes(body.event))
  }

  async function register(): Promise<void> {
    await site().json({
      ...{ method: 'POST', path: '/v1/account', ...admin },
      body: { account, name: 'Test', imap, ...fields }
    })
    await untilInitialized(receiver, [account])
  }

  function sync() {
    const path = `/v1/account/${account}/sync`
    return site().json({ method: 'PUT', path, ...admin, body: { sync: true } })
  }

  async function expectChanges(expected: readonly string[]): Promise<readonly EventDelivery[]> {
    const timer = options.syncs && setInterval(() => void sync().catch(() => {}), SYNC_MS)
    try {
      return await findChanges(expected)
    } finally {
      if (timer) clearInterval(timer)
    }
  }

  async function findChanges(expected: readonly string[]): Promise<readonly EventDelivery[]> {
    const since = taken
    const seen = () => changes().slice(since)
    const isThere = () => {
      const lines = seen().map(describe)
      return expected.every((line) => lines.includes(line))
    }
    await until(isThere, 'all changes', WAIT_MS).catch(() => {
      assert.deepEqual(seen().map(describe).toSorted(), expected.toSorted())
    })
    await sync()
    const sentinel = `sentinel ${++sentinels}`
    await append('INBOX', sentinel)
    const isLast = ({ body: { event, data } }: EventDelivery) =>
      event === 'messageNew' && data.subject === sentinel
    await until(() => seen().some(isLast), sentinel, WAIT_MS)
    const all = seen()
    taken = since + all.length
    const lines = all.filter((event) => !isLast(event)).map(describe)
    // A client deletes a message with two commands; the daemon may see what the first has done.
    const counted = lines.filter((line) => !/^messageUpdated .* \+\\Deleted$/.test(line))
    assert.deepEqual(counted.toSorted(), expected.toSorted())
    receiver.assertSingle()
    return all
  }

  await startDaemon()
  await site().json({
    ...{ method: 'POST', path: '/v1/settings', ...admin },
    body: { webhooksEnabled: true, webhooks: receiver.url }
  })
  return {
    ...{ account, client, site, append, register, startDaemon, stopDaemon, expectChanges },
    receiver,
    async change(sql) {
      const url = database?.url
      const location =
        url === undefined
          ? { engine: 'sqlite' as const, file: join(folder.path, 'mailbox.sqlite'), durable: true }
          : { engine: 'postgres' as const, url, schema: 'nonet_mailbox', durable: true }
      const tables = await openDatabase(location, { service: 'mailbox', migrations })
      await tables.write(() => query(sql))
      await tables.close()
    },
    async [Symbol.asyncDispose]() {
      await client.logout()
      await stopDaemon()
      await receiver[Symbol.asyncDispose]()
      await database?.[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    }
  }
}

function mailOf(subject: string): string {
  return [
    'From: App <app@example.test>',
    `Message-ID: <${encodeURIComponent(subject)}@example.test>`,
    `Subject: ${subject}`,
    '',
    `Text of ${subject}`,
    ''
  ].join('\r\n')
}
