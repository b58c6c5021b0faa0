import { setTimeout as delay } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import type { Account } from '../accounts/account.ts'
import type { ChangeSession } from '../changes/change-session.ts'
import { type MailboxStatus, needsComparison } from '../changes/needs-comparison.ts'
import { reconcileList } from '../changes/reconcile-list.ts'
import { reconcileMailbox } from '../changes/reconcile-mailbox.ts'
import { connectionClosing, connectionLost } from '../connections/contract.ts'
import type { MailboxContext } from '../context.ts'
import { hintsOf, listFolders } from '../messages/folders.ts'
import { openMailbox } from '../messages/open-mailbox.ts'
import { listWatchedMailboxes } from '../store/watched-mailboxes.ts'
import { mainPathOf, subPathsOf } from './choose-mailboxes.ts'
import { createComparisonLimit } from './comparison-limit.ts'
import { readFirstTime } from './first-time.ts'
import { isAboutMailbox } from './is-about-mailbox.ts'
import type { NoticedChanges } from './notices.ts'
import { readNames } from './read-names.ts'
import { readStatus } from './read-status.ts'
import { type Rest, responded } from './rest.ts'

const STATUS_ITEMS = { messages: true, uidNext: true, uidValidity: true, highestModseq: true }
/** More mailboxes than these are read with one LIST instead of a STATUS each. */
const MAX_STATUS = 5
/** A mailbox is compared so often before others get a turn, if it changes meanwhile. */
const MAX_ROUNDS = 3
/** Flags that were read earlier are read again on a new connection, if the server has no CONDSTORE. */
const MIN_FLAGS_AGE_MS = 60_000

/** Compares the mailboxes of an account on one connection. */
export interface AccountComparison {
  /** All that may have changed; new paths by old ones are known to be renames. */
  compareAll: (renames: ReadonlyMap<string, string>) => Promise<void>
  /** What the server has told of. */
  compareNoticed: (changes: NoticedChanges) => Promise<void>
  /** Compares what changed while a mailbox was selected; then the connection waits for notices. */
  settle: () => Promise<void>
  /** False if mailboxes changed again and again meanwhile: `settle` is to be called again later. */
  isSettled: () => boolean
  /** Whether mailboxes were added, removed or renamed since they were listed. */
  haveNamesChanged: () => Promise<boolean>
  /** All mailboxes were read. */
  setInitialized: () => void
  /** Throws if the connection is closed. */
  checkOpen: () => void
  account: () => Account
  /** Of the mailboxes that are watched. */
  paths: () => readonly string[]
}

export interface ComparisonOptions {
  readonly context: MailboxContext
  readonly account: Account
  readonly client: ImapFlow
  readonly signal: AbortSignal
  readonly rest: () => Rest
  readonly onFaultyList: (paths: readonly string[]) => void
  /** Mailboxes that have a connection of their own. */
  readonly setSubPaths: (paths: readonly string[]) => void
}

export async function compareAccount(options: ComparisonOptions): Promise<AccountComparison> {
  const { context, client, signal, rest, setSubPaths } = options
  const { id } = options.account
  const { database, now } = context.kernel
  const beganAt = now().getTime()
  const nextDelay = createComparisonLimit()
  let session = await sessionOf(options.account)
  /** Special uses of the mailboxes that are watched, by path. */
  let watched = new Map<string, string | undefined>()
  /** All paths that the server lists. */
  let listedPaths = new Set<string>()
  /** Those that were selected since they were last known not to have changed. */
  let compared = new Set<string>()
  let main: string | undefined
  /** Messages of the main mailbox when it was selected. */
  let mainCount = 0
  /** Of the mailboxes when they were listed last. */
  let names = ''

  async function sessionOf(account: Account): Promise<ChangeSession> {
    const time = now().getTime()
    const { syncAt, ...first } = await database.write(() => readFirstTime(account, time))
    // After a start of the process or a request all flags are read, else once a minute at most.
    const flagsSince = Math.max(context.startedAt, beganAt - MIN_FLAGS_AGE_MS, syncAt)
    const times = { ...first, flagsSince, changedAt: syncAt }
    const { onFaultyList } = options
    return { context, client, account, hints: hintsOf(account), ...times, onFaultyList, signal }
  }

  /** With the settings as they are now; other servers need another connection. */
  async function readSession(): Promise<ChangeSession> {
    const { accounts } = await context.daemon()
    const account = await accounts.find(id)
    if (account?.revision !== session.account.revision) throw connectionClosing()
    return sessionOf(account)
  }

  async function readRows() {
    const rows = await database.read(() => listWatchedMailboxes(id))
    return new Map(rows.map((row) => [row.path, row]))
  }

  function checkOpen(): void {
    signal.throwIfAborted()
    if (!client.usable) throw connectionLost('The mail server closed the connection')
  }

  /** A server may tell of changes or of other names again and again. */
  async function waitForTurn(): Promise<void> {
    const waitMs = nextDelay()
    if (waitMs > 0) await delay(waitMs, undefined, { signal, ref: false })
    checkOpen()
  }

  async function compare(
    path: string,
    status: MailboxStatus | undefined,
    isNoticed: boolean
  ): Promise<void> {
    await waitForTurn()
    try {
      await reconcileMailbox(session, { path, specialUse: watched.get(path), status, isNoticed })
    } catch (error) {
      // A mailbox that cannot be read does not keep the others from being compared.
      if (!isAboutMailbox(error)) throw error
      checkOpen()
    }
    // What changes while a mailbox is selected is not told.
    if (client.mailbox && client.mailbox.path === path) compared.add(path)
  }

  async function compareChanged(
    mailboxes: readonly { readonly path: string; readonly status?: MailboxStatus | undefined }[]
  ): Promise<void> {
    const rows = await readRows()
    const time = now().getTime()
    for (const { path, status = {} } of mailboxes) {
      const row = rows.get(path)
      const isDue = needsComparison(row, status, time, session.flagsSince)
      if (isDue) await compare(path, status, false)
    }
  }

  async function compareAll(renames: ReadonlyMap<string, string>): Promise<void> {
    await waitForTurn()
    session = await readSession()
    if (rest() === 'notify') names = await readNames(client)
    const listed = await listFolders(client, session.hints, STATUS_ITEMS)
    // A line of NOTIFY that arrives meanwhile is the later one.
    const unique = [...new Map(listed.map((mailbox) => [mailbox.path, mailbox])).values()]
    listedPaths = new Set(unique.map(({ path }) => path))
    const mailboxes = await reconcileList(session, unique, renames)
    // A list that is not complete is an error of the server: what was watched still is.
    if (mailboxes.length === 0 && watched.size > 0) return
    watched = new Map(mailboxes.map(({ path, specialUse }) => [path, specialUse]))
    main = mainPathOf(client, mailboxes)
    const { subconnections = [] } = session.account.settings
    setSubPaths(rest() === 'idle' ? subPathsOf(mailboxes, subconnections, main) : [])
    await compareChanged(mailboxes)
  }

  /** What changed while a mailbox was selected is not told, so it is looked for. */
  async function settle(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const paths = [...compared].filter((path) => watched.has(path))
      compared = new Set()
      if (rest() === 'notify' && paths.length > 0) await settleUnselected(paths)
      else if (rest() !== 'notify' && (paths.length > 0 || !isMainKnown())) await settleSelected()
      if (compared.size === 0) return
    }
    if (rest() === 'notify') await client.mailboxClose()
  }

  /** False if a response to another command told of messages. */
  function isMainKnown(): boolean {
    const { mailbox } = client
    return mailbox !== false && mailbox.path === main && mailbox.exists === mainCount
  }

  async function settleUnselected(paths: readonly string[]): Promise<void> {
    await client.mailboxClose()
    if (paths.length > MAX_STATUS) {
      // Of all that are watched: imapflow takes a line of NOTIFY that arrives meanwhile for a response.
      const listed = await listFolders(client, session.hints, STATUS_ITEMS)
      await compareChanged(listed.filter(({ path }) => watched.has(path)))
      return
    }
    const read = []
    for (const path of paths) read.push({ path, status: await readStatus(client, path) })
    await compareChanged(read.filter(({ status }) => status !== undefined))
  }

  async function settleSelected(): Promise<void> {
    const status = await selectMain()
    if (main !== undefined && status !== undefined) await compareChanged([{ path: main, status }])
  }

  /** Selected mailboxes are those that IDLE and NOOP tell of. */
  async function selectMain(): Promise<MailboxStatus | undefined> {
    if (main === undefined) return undefined
    try {
      const opened = await openMailbox(client, main, 'read')
      const { highestModseq } = client.mailbox || {}
      const { exists: messages, uidNext, uidValidity } = opened
      mainCount = messages
      return { messages, uidNext, uidValidity: BigInt(uidValidity), highestModseq }
    } catch (error) {
      if (!isAboutMailbox(error)) throw error
      checkOpen()
      main = undefined
      return undefined
    }
  }

  /** Mailboxes that have more messages come first: a message that was moved is new, then gone. */
  async function comparePaths(paths: readonly string[]): Promise<void> {
    if (rest() !== 'notify' || paths.length < 2 || paths.length > MAX_STATUS) {
      for (const path of paths) await compare(path, undefined, true)
      return
    }
    const rows = await readRows()
    const read = []
    for (const path of paths) {
      const status = await readStatus(client, path)
      const growth = (status?.messages ?? 0) - (rows.get(path)?.messages ?? 0)
      read.push({ path, status, growth })
    }
    read.sort((one, other) => other.growth - one.growth)
    for (const { path, status } of read) await compare(path, status, true)
  }

  async function compareNoticed(changes: NoticedChanges): Promise<void> {
    const { paths, isSelectedChanged, isListChanged, renames } = changes
    const selected = client.mailbox ? client.mailbox.path : undefined
    const changed = new Set(paths)
    if (isSelectedChanged && selected !== undefined) changed.add(selected)
    await comparePaths([...changed].filter((path) => watched.has(path)))
    const isNew = [...changed].some((path) => !listedPaths.has(path))
    if (isListChanged || isNew) await compareAll(renames)
    await settle()
  }

  return {
    compareAll,
    compareNoticed,
    settle,
    isSettled: () => compared.size === 0,
    haveNamesChanged: async () => (await responded(client, readNames(client))) !== names,
    setInitialized() {
      session = { ...session, isInitialized: true }
    },
    checkOpen,
    account: () => session.account,
    paths: () => [...watched.keys()]
  }
}
