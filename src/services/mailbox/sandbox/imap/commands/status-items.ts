import type { MailboxStatus } from '../../mail-store.ts'
import type { Session } from '../session/session.ts'
import { syntaxError } from '../wire/errors.ts'
import { mailboxName } from '../wire/quoting.ts'
import type { Scanner } from '../wire/scanner.ts'
import { mailboxId } from './mailboxes.ts'

interface StatusItem {
  readonly extension?: string
  readonly value: (status: MailboxStatus) => string
}

const ITEMS: Readonly<Record<string, StatusItem>> = {
  MESSAGES: { value: ({ messages }) => `${messages}` },
  // No message is recent: IMAP4rev2 has dropped this flag.
  RECENT: { value: () => '0' },
  UIDNEXT: { value: ({ uidNext }) => `${uidNext}` },
  UIDVALIDITY: { value: ({ uidValidity }) => `${uidValidity}` },
  UNSEEN: { value: ({ unseen }) => `${unseen}` },
  DELETED: { value: ({ deleted }) => `${deleted}` },
  SIZE: { extension: 'STATUS=SIZE', value: ({ bytes }) => `${bytes}` },
  HIGHESTMODSEQ: { extension: 'CONDSTORE', value: ({ modseq }) => `${modseq}` },
  MAILBOXID: { extension: 'OBJECTID', value: ({ id }) => `(${mailboxId(id)})` }
}

/** Names in parentheses; HIGHESTMODSEQ enables CONDSTORE (RFC 7162 3.1). */
export function scanStatusItems(session: Session, scanner: Scanner): string[] {
  const names = scanner.list(scanner.keyword)
  for (const name of names) {
    const item = Object.hasOwn(ITEMS, name) ? ITEMS[name] : undefined
    const isOffered = item?.extension === undefined || session.server.extensions.has(item.extension)
    if (item === undefined || !isOffered) throw syntaxError(`Invalid status item ${name}`)
  }
  if (names.length === 0) throw syntaxError('Empty status list.')
  if (names.includes('HIGHESTMODSEQ')) session.enabled.add('CONDSTORE')
  return [...new Set(names)]
}

export function statusLine(status: MailboxStatus, names: readonly string[]): string {
  const values = names.map((name) => `${name} ${ITEMS[name]?.value(status) ?? ''}`)
  return `* STATUS ${mailboxName(status.name)} (${values.join(' ')})`
}
