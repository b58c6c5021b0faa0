import type { ImapFlow } from 'imapflow'
import type { MailboxStatus } from './needs-comparison.ts'

/** A mailbox that is listed but cannot be selected is skipped after so many attempts. */
const MAX_REJECTIONS = 3
const SKIPPED_MS = 6 * 60 * 60_000
/** Mailboxes of one connection; a server may list many. */
const MAX_MAILBOXES = 1000

interface Rejections {
  readonly count: number
  readonly until: number
  readonly status: string
}

/** By connection; on a new one the mailbox is tried again. */
const known = new WeakMap<ImapFlow, Map<string, Rejections>>()

/** False while a mailbox is skipped: for six hours, or until its status changes. */
export function canBeSelected(
  client: ImapFlow,
  path: string,
  status: MailboxStatus | undefined,
  time: number
): boolean {
  const rejections = known.get(client)?.get(path)
  if (rejections === undefined || rejections.count < MAX_REJECTIONS) return true
  const hasChanged = status !== undefined && textOf(status) !== rejections.status
  return time >= rejections.until || hasChanged
}

export function countRejection(
  client: ImapFlow,
  path: string,
  status: MailboxStatus | undefined,
  time: number
): void {
  const rejections = known.get(client) ?? new Map<string, Rejections>()
  known.set(client, rejections)
  if (rejections.size >= MAX_MAILBOXES && !rejections.has(path)) rejections.clear()
  const count = (rejections.get(path)?.count ?? 0) + 1
  rejections.set(path, { count, until: time + SKIPPED_MS, status: textOf(status) })
}

export function forgetRejections(client: ImapFlow, path: string): void {
  known.get(client)?.delete(path)
}

function textOf(status: MailboxStatus | undefined): string {
  if (status === undefined) return ''
  const { messages, uidNext, uidValidity, highestModseq } = status
  return [messages, uidNext, uidValidity, highestModseq].join(' ')
}
