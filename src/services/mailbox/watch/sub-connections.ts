import { setTimeout as delay } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import type { Account } from '../accounts/account.ts'
import { createAttempts } from '../connections/attempts.ts'
import { ConnectError } from '../connections/connect.ts'
import type { MailboxContext } from '../context.ts'
import { openMailbox } from '../messages/open-mailbox.ts'
import { createNotices } from './notices.ts'
import { idleMsOf } from './quirks.ts'
import { restFor, sendNoop } from './rest.ts'

const MAX_CONNECTIONS = 5
const MIN_PAUSE_MS = 1000
/** Shorter than the time after which a quiet connection counts as lost. */
const QUIET_MS = 100_000

export interface SubConnections {
  /** Paths of the mailboxes that have a connection of their own. */
  set: (paths: readonly string[]) => void
  count: () => number
  close: () => void
}

/**
 * Connections that wait for changes of one mailbox each, on servers that tell only of the selected
 * one. Their errors are not those of the account.
 */
export function createSubConnections(
  context: MailboxContext,
  account: Account,
  onChange: (path: string) => void
): SubConnections {
  const running = new Map<string, { readonly stop: () => void }>()
  let count = 0

  async function open(signal: AbortSignal, onLine: (line: string) => void): Promise<ImapFlow> {
    const { connections, serverOf } = await context.daemon()
    const server = serverOf(account, 'imap')
    if (server === undefined) throw new ConnectError('connectError', { response: 'No server' })
    return connections.connect({ account, server, signal, log: undefined, onLine })
  }

  async function watchOnce(path: string, signal: AbortSignal): Promise<void> {
    const notices = createNotices()
    const client = await open(signal, notices.onLine)
    const close = () => client.close()
    client.once('close', notices.onClose)
    signal.addEventListener('abort', close, { once: true })
    count++
    try {
      if (!client.capabilities.has('IDLE')) return
      await openMailbox(client, path, 'read')
      // What changed before is found by comparing, not by waiting.
      onChange(path)
      notices.rest(true)
      const restMs = Math.min(idleMsOf(client.host), QUIET_MS)
      while (client.usable) {
        const isUseful = await restFor(client, notices, 'idle', restMs)
        if (!notices.isEmpty()) onChange(path)
        else if (!isUseful) return
        else if (client.usable) await sendNoop(client)
        notices.take()
      }
    } finally {
      count--
      signal.removeEventListener('abort', close)
      client.close()
    }
  }

  async function watchPath(path: string, signal: AbortSignal): Promise<void> {
    const attempts = createAttempts()
    while (!signal.aborted) {
      const began = performance.now()
      try {
        await watchOnce(path, signal)
        attempts.lost(performance.now() - began)
      } catch (error) {
        if (error instanceof ConnectError) attempts.failed('connectError', '')
        else attempts.lost(performance.now() - began)
      }
      const waitMs = Math.max(attempts.waitMs(), MIN_PAUSE_MS)
      await delay(waitMs, undefined, { signal, ref: false })
    }
  }

  function stopOthers(paths: readonly string[]): void {
    for (const [path, { stop }] of running) {
      if (paths.includes(path)) continue
      running.delete(path)
      stop()
    }
  }

  return {
    set(paths) {
      const wanted = paths.slice(0, MAX_CONNECTIONS)
      stopOthers(wanted)
      for (const path of wanted) {
        if (running.has(path)) continue
        const stopping = new AbortController()
        running.set(path, { stop: () => stopping.abort() })
        watchPath(path, stopping.signal).catch(() => {})
      }
    },
    count: () => count,
    close: () => stopOthers([])
  }
}
