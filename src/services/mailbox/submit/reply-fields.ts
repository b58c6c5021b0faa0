import type { MailAddressInput } from '../api/schemas/compose.ts'
import type { Original } from './original.ts'
import type { ReferenceAction } from './submission.ts'

const REPLY = /^\s*(?:re|aw|antw|sv|vs|odp|ref?)(?:\[\d+\])?\s*[:：]/i
const FORWARD = /^\s*(?:fwd?|wg|tr|rv|doorst)\s*[:：]/i

/** As the subject of the original, with a prefix unless it has one. */
export function subjectOf(subject: string, action: ReferenceAction): string {
  if (action === 'forward') return FORWARD.test(subject) ? subject : `Fwd: ${subject}`
  return REPLY.test(subject) ? subject : `Re: ${subject}`
}

export interface Recipients {
  readonly to: readonly MailAddressInput[]
  readonly cc: readonly MailAddressInput[]
}

type AddressedMessage = Pick<Original, 'from' | 'replyTo' | 'to' | 'cc'>

/** `own` are addresses of the account, which are left out of a reply to all. */
export function replyRecipients(
  { from, replyTo, to, cc }: AddressedMessage,
  action: ReferenceAction,
  own: readonly string[]
): Recipients {
  if (action === 'forward') return { to: [], cc: [] }
  const authors = unique(replyTo.length > 0 ? replyTo : from, [])
  if (action === 'reply') return { to: authors, cc: [] }
  const others = unique([...authors, ...to], own)
  // A message to oneself alone.
  const first = others.length > 0 ? others : authors
  return { to: first, cc: unique(cc, [...own, ...first.map(({ address }) => address)]) }
}

/** Each address once, without some. */
function unique(
  addresses: readonly MailAddressInput[],
  without: readonly string[]
): readonly MailAddressInput[] {
  const seen = new Set(without.map((address) => address.toLowerCase()))
  return addresses.filter(({ address }) => {
    const key = address.toLowerCase()
    if (address === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}
