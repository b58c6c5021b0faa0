import { imapString } from '../../message/imap-strings.ts'
import { encodeUtf7 } from './utf7.ts'

/** Name of a mailbox, as an atom if it can be one. */
export function mailboxName(name: string): string {
  const encoded = encodeUtf7(name)
  return /^[A-Za-z0-9_.,/&+-]+$/.test(encoded) && encoded !== 'NIL' ? encoded : imapString(encoded)
}
