import type { MessageEntry } from '../messages/entry.ts'

const DAY_MS = 24 * 60 * 60_000
/** Messages that the owner of the account wrote. */
const OWN_MAIL: readonly string[] = ['\\Sent', '\\Drafts']

interface Arrival {
  readonly entry: Pick<MessageEntry, 'draft' | 'messageSpecialUse'>
  /** Unix milliseconds, as the server says. */
  readonly arrivedAt: number | undefined
  /** Whether a message of the same id arrived before, in any mailbox. */
  readonly isKnown: boolean
  /** When the mailbox was compared before; undefined at the first time. */
  readonly comparedAt: number | undefined
}

/**
 * Whether a message has probably just arrived, rather than been moved or copied from another mailbox:
 * those keep the time of their arrival. Clocks of servers may differ by up to a day.
 */
export function seemsLikeNew({ entry, arrivedAt, isKnown, comparedAt }: Arrival): boolean {
  if (isKnown || entry.draft === true) return false
  if (OWN_MAIL.includes(entry.messageSpecialUse ?? '')) return false
  const isOld =
    arrivedAt !== undefined && comparedAt !== undefined && arrivedAt < comparedAt - DAY_MS
  return !isOld
}
