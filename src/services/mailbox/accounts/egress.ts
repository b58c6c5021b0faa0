import type { MailboxOptions } from '../settings.ts'
import type { Egress } from './account.ts'

/**
 * Which mail servers may be connected to. `namedBy` is stored with an account: operators may name
 * servers of their own network, tokens of accounts may not, so that they cannot explore it.
 */
export function egressOf(
  { mailEgress }: Pick<MailboxOptions, 'mailEgress'>,
  namedBy: Egress
): Egress {
  return mailEgress === 'any' || mailEgress === 'public' ? mailEgress : namedBy
}
