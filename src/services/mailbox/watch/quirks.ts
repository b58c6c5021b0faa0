/** How long servers let a connection rest. */

/** RFC 2177: a server may close a connection after 29 minutes of IDLE. */
const IDLE_MS = 25 * 60_000
const SHORT_IDLES: readonly (readonly [RegExp, number])[] = [
  [/(?:^|\.)(?:rambler\.ru|163\.com|126\.com|yeah\.net)$/i, 50_000],
  [/(?:^|\.)(?:yahoo\.com|yahoo\.co\.jp|aol\.com|ymail\.com)$/i, 3 * 60_000]
]

/** Milliseconds after which IDLE is ended and begun again, for the host of a server. */
export function idleMsOf(host: string): number {
  return SHORT_IDLES.find(([hosts]) => hosts.test(host))?.[1] ?? IDLE_MS
}

/** Between two comparisons of all mailboxes on servers that tell only of one. */
const POLL_MS = 60_000
/** Without LIST-STATUS each mailbox is a command of its own. */
const STATUS_MS = 2000
const RESYNC_MS = 15 * 60_000
const MIN_RESYNC_MS = 60_000

export interface Intervals {
  /** Between two comparisons of all mailboxes. */
  readonly pollMs: number
  /** The longest time without a command. */
  readonly restMs: number
}

/** Shorter than the time after which a quiet connection counts as lost. */
const QUIET_MS = 60_000

export interface ServerKind {
  readonly host: string
  readonly hasNotify: boolean
  readonly hasListStatus: boolean
  readonly mailboxes: number
  /** Of the settings of the account, in seconds. */
  readonly resyncDelay: number | undefined
}

export function intervalsOf(server: ServerKind): Intervals {
  const resyncMs =
    server.resyncDelay === undefined
      ? RESYNC_MS
      : Math.max(server.resyncDelay * 1000, MIN_RESYNC_MS)
  const restMs = Math.min(idleMsOf(server.host), QUIET_MS)
  if (server.hasNotify) return { pollMs: resyncMs, restMs }
  const costMs = server.hasListStatus ? 0 : server.mailboxes * STATUS_MS
  return { pollMs: Math.min(Math.max(POLL_MS, costMs), resyncMs), restMs }
}
