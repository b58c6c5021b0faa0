import type { ImapFlow } from 'imapflow'
import type { Database } from '../../../kernel/database/database.ts'
import {
  findMailboxByNumber,
  findOrAddMailboxNumber,
  type MailboxIdentity
} from '../store/mailbox-numbers.ts'

/** Of one connection. */
const MAX_KNOWN = 1000

interface KnownNumbers {
  readonly byMailbox: Map<string, number>
  readonly byNumber: Map<number, MailboxIdentity>
}

/** By connection, because that is closed when its account and the numbers are removed. */
const known = new WeakMap<ImapFlow, KnownNumbers>()

/** The number of a mailbox in ids of messages; stored before an id with it is shown. */
export async function numberOfMailbox(
  database: Database,
  client: ImapFlow,
  account: string,
  { uidValidity, path }: MailboxIdentity
): Promise<number> {
  const { byMailbox, byNumber } = knownOf(client)
  const key = `${uidValidity} ${path}`
  const stored = byMailbox.get(key)
  if (stored !== undefined) return stored
  const number = await database.write(() =>
    findOrAddMailboxNumber(account, { uidValidity, path: storable(path) })
  )
  if (byMailbox.size >= MAX_KNOWN) {
    byMailbox.clear()
    byNumber.clear()
  }
  byMailbox.set(key, number)
  byNumber.set(number, { uidValidity, path })
  return number
}

export async function findMailbox(
  database: Database,
  client: ImapFlow,
  account: string,
  number: number
): Promise<MailboxIdentity | undefined> {
  return (
    knownOf(client).byNumber.get(number) ??
    (await database.read(() => findMailboxByNumber(account, number)))
  )
}

function knownOf(client: ImapFlow): KnownNumbers {
  const stored = known.get(client)
  if (stored !== undefined) return stored
  const added = { byMailbox: new Map(), byNumber: new Map() }
  known.set(client, added)
  return added
}

/** PostgreSQL has no text with NUL or with half a surrogate pair. */
function storable(path: string): string {
  return path.replaceAll('\0', '\ufffd').toWellFormed()
}
