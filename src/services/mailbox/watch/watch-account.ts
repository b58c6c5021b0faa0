import { setTimeout as delay } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import { isStorageError } from '../../../kernel/errors.ts'
import type { Account } from '../accounts/account.ts'
import { hasImap } from '../accounts/has-imap.ts'
import { ConnectError } from '../connections/connect.ts'
import { connectionLost } from '../connections/contract.ts'
import { describeCommandError } from '../connections/describe-error.ts'
import type { MailboxContext } from '../context.ts'
import { AccountChanged, MailboxChanged } from '../store/watched-mailboxes.ts'
import { createNotices, type Notices } from './notices.ts'
import type { Openings } from './openings.ts'
import { runSession } from './watch-session.ts'
import { createWatchStates } from './watch-states.ts'

/**
 * After an error that is not of the mail server, such as one of the database, or if another process
 * watches the account too.
 */
const PAUSE_MS = 2000
const MIN_PAUSE_MS = 50
/**
 * A faulty list of mailboxes is a reason to replace the connection, for each path once in this time.
 * The list of Dovecot 2.3 is faulty until the end of the connection if mailboxes are renamed or
 * deleted within a second after a list; other servers may have such mailboxes always.
 */
const FAULTY_LIST_MS = 60 * 60_000
const MAX_FAULTY_PATHS = 1000

export interface AccountWatch {
  /** Revision of the account that is watched; undefined before the first connection. */
  revision: () => number | undefined
  /** Closes the connection and opens another one, with the settings as they are now. */
  restart: () => void
  /** Compares all mailboxes now. */
  sync: () => void
  stop: () => Promise<void>
}

export interface WatchOptions {
  readonly context: MailboxContext
  readonly openings: Openings
  /** Tells the operator. */
  readonly report: (error: unknown) => void
  /** The account cannot be watched any more. */
  readonly onEnd: () => void
}

/** Watches an account until it is stopped, over one connection after the other. */
export function watchAccount(
  { context, openings, report, onEnd }: WatchOptions,
  id: string
): AccountWatch {
  const stopping = new AbortController()
  const { signal } = stopping
  let revision: number | undefined
  let client: ImapFlow | undefined
  let currentNotices: Notices | undefined
  let attempt = new AbortController()
  let faultySince = performance.now()
  const faultyPaths = new Set<string>()

  function onFaultyList(paths: readonly string[]): void {
    const time = performance.now()
    if (time - faultySince > FAULTY_LIST_MS) {
      faultySince = time
      faultyPaths.clear()
    }
    const isNew = paths.some((path) => !faultyPaths.has(path))
    if (!isNew || faultyPaths.size > MAX_FAULTY_PATHS) return
    for (const path of paths) faultyPaths.add(path)
    throw connectionLost('The mail server has a faulty list of mailboxes')
  }

  function pause(ms: number): Promise<void> {
    const ended = AbortSignal.any([signal, attempt.signal])
    return delay(ms, undefined, { signal: ended, ref: false })
  }

  async function watchOnce(account: Account): Promise<void> {
    const { connections } = await context.daemon()
    await pause(Math.max(connections.waitMs(account), MIN_PAUSE_MS * Math.random()))
    const states = await createWatchStates(context, account)
    const notices = createNotices()
    const ended = AbortSignal.any([signal, attempt.signal])
    const host = account.settings.imap ? account.settings.imap.host : ''
    try {
      client = await openings.run(host, ended, async () => {
        states.connecting()
        return connections.watch(account, ended, notices.onLine)
      })
    } catch (error) {
      if (error instanceof ConnectError && !ended.aborted) await states.failed(error)
      throw error
    }
    client.once('close', notices.onClose)
    currentNotices = notices
    try {
      await states.syncing()
      await runSession({
        context,
        account,
        client,
        notices,
        states,
        onFaultyList,
        signal: ended
      })
    } finally {
      currentNotices = undefined
      const isLost = !ended.aborted
      client.close()
      client = undefined
      if (isLost) states.lost()
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      attempt = new AbortController()
      try {
        const { accounts } = await context.daemon()
        const account = await accounts.find(id)
        if (account === undefined || !hasImap(account)) return
        revision = account.revision
        await watchOnce(account)
      } catch (error) {
        if (signal.aborted || attempt.signal.aborted) continue
        if (error instanceof ConnectError || error instanceof AccountChanged) continue
        if (isOfServer(error)) continue
        if (!(error instanceof MailboxChanged)) report(error)
        await pause(PAUSE_MS).catch(() => {})
      }
    }
  }

  const running = run()
    .catch(() => {})
    .finally(() => {
      if (!signal.aborted) onEnd()
    })

  return {
    revision: () => revision,
    restart() {
      attempt.abort()
      client?.close()
    },
    sync: () => currentNotices?.onList(),
    async stop() {
      stopping.abort()
      client?.close()
      await running
    }
  }
}

/** Whether the mail server is the reason: how soon it is called again is known then. */
function isOfServer(error: unknown): boolean {
  return !isStorageError(error) && describeCommandError(error, undefined, true) !== undefined
}
