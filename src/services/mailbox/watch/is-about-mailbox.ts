import { isRejected } from '../messages/rejected-command.ts'
import { MailboxChanged } from '../store/watched-mailboxes.ts'

/** Of errors of the contract: the mailbox is gone, or what the server sent cannot be read. */
const STATUS_CODES: readonly unknown[] = [400, 404, 502]

/**
 * Whether the server rejects a command about a mailbox, or the mailbox is gone. The connection may
 * be lost as well.
 */
export function isAboutMailbox(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof MailboxChanged) return false
  return isRejected(error) || STATUS_CODES.includes(Reflect.get(error, 'statusCode'))
}
