import { setTimeout as delay } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import type { Account } from '../accounts/account.ts'
import type { AccountStates } from '../connections/account-states.ts'
import type { MailboxContext } from '../context.ts'
import { EVENT_WRITES } from '../events/record-events.ts'
import { compareAccount } from './compare-account.ts'
import type { Notices } from './notices.ts'
import { foreignPrefixes, reportMailboxLines, setNotify } from './notify-adapter.ts'
import { intervalsOf } from './quirks.ts'
import { type Rest, restFor, sendNoop } from './rest.ts'
import { createSubConnections } from './sub-connections.ts'
import { storeInitialized } from './watch-states.ts'

const MAX_OVERFLOWS = 3
/**
 * After something was told: some servers do not tell of names that change soon after, and a mailbox
 * may have changed while it was compared.
 */
const LOOK_AGAIN_MS = [2000, 5000, 15_000]
const MAX_SHORT_IDLES = 3
const SHORT_IDLE_PAUSE_MS = 1000

export interface SessionOptions {
  readonly context: MailboxContext
  readonly account: Account
  readonly client: ImapFlow
  readonly notices: Notices
  readonly states: AccountStates
  /** The list of the server is wrong about these paths. */
  readonly onFaultyList: (paths: readonly string[]) => void
  /** Aborted when the account is no longer watched by this process. */
  readonly signal: AbortSignal
}

/** Watches an account on an open connection; rejects when that ends. */
export async function runSession(options: SessionOptions): Promise<never> {
  const { context, account, client, notices, states, signal } = options
  const { database, now } = context.kernel
  const subConnections = createSubConnections(context, account, notices.onMailbox)
  let rest: Rest = 'noop'
  let overflows = 0
  let isNotifyLost = false
  let shortIdles = 0
  /** Quiet times since something was told. */
  let quietTimes = 0
  const comparison = await compareAccount({
    context,
    account,
    client,
    signal,
    rest: () => rest,
    onFaultyList: options.onFaultyList,
    setSubPaths: subConnections.set
  })

  async function chooseRest(): Promise<Rest> {
    if (overflows <= MAX_OVERFLOWS && (await setNotify(client))) return 'notify'
    return client.capabilities.has('IDLE') && shortIdles < MAX_SHORT_IDLES ? 'idle' : 'noop'
  }

  async function restUntil(time: number): Promise<void> {
    const isUseful = await restFor(client, notices, rest, Math.max(0, time - performance.now()))
    comparison.checkOpen()
    if (isUseful) return
    shortIdles++
    if (shortIdles >= MAX_SHORT_IDLES) rest = 'noop'
    await delay(SHORT_IDLE_PAUSE_MS, undefined, { signal, ref: false })
  }

  function intervals() {
    const paths = comparison.paths()
    const foreign = foreignPrefixes(client)
    const isForeign = (path: string) => foreign.some((prefix) => path.startsWith(prefix))
    return intervalsOf({
      host: client.host,
      hasNotify: rest === 'notify' && !paths.some(isForeign),
      hasListStatus: client.capabilities.has('LIST-STATUS'),
      mailboxes: paths.length,
      resyncDelay: resyncDelayOf(comparison.account())
    })
  }

  /** Nothing was told for some time. */
  async function checkConnection(isDue: boolean): Promise<void> {
    if (rest === 'notify' && !isDue) {
      const isSoon = quietTimes <= LOOK_AGAIN_MS.length
      if (isSoon || (await comparison.haveNamesChanged())) notices.onList()
    } else if (rest !== 'idle' || isDue) await sendNoop(client)
  }

  reportMailboxLines(client, {
    onStatus: notices.onMailbox,
    onList(path, oldPath) {
      notices.onList(oldPath === undefined ? undefined : { from: oldPath, to: path })
    },
    onOverflow() {
      isNotifyLost = true
      overflows++
      notices.onList()
    }
  })
  try {
    rest = await chooseRest()
    await comparison.compareAll(new Map())
    await comparison.settle()
    const time = now().getTime()
    await database.write(() => storeInitialized(comparison.account(), time), EVENT_WRITES)
    comparison.setInitialized()
    await states.connected()
    let comparedAt = performance.now()
    for (;;) {
      const { pollMs, restMs } = intervals()
      const isSoon = rest === 'notify' || !comparison.isSettled()
      const quietMs = isSoon ? (LOOK_AGAIN_MS[quietTimes] ?? restMs) : restMs
      notices.rest(true)
      await restUntil(Math.min(comparedAt + pollMs, performance.now() + quietMs))
      const isDue = performance.now() >= comparedAt + pollMs
      // Names that change again and again are not a reason to look sooner.
      quietTimes = notices.isEmpty() ? quietTimes + 1 : 0
      if (notices.isEmpty()) await checkConnection(isDue)
      notices.rest(false)
      if (isNotifyLost) {
        isNotifyLost = false
        rest = await chooseRest()
      }
      if (isDue) notices.onList()
      if (notices.isEmpty()) {
        // A server may tell of changes that are never there.
        const isSoonAfter = quietTimes <= LOOK_AGAIN_MS.length
        if (isSoonAfter && !comparison.isSettled()) await comparison.settle()
        continue
      }
      const told = notices.take()
      if (told.isListChanged) comparedAt = performance.now()
      await comparison.compareNoticed(told)
    }
  } finally {
    subConnections.close()
  }
}

function resyncDelayOf({ settings: { imap } }: Account): number | undefined {
  return imap ? imap.resyncDelay : undefined
}
