import { checkNewName, scanMailbox } from '../mailbox-names.ts'
import { accountOf, type Command, unselect } from '../session/session.ts'
import { CommandError, mailboxMissing, syntaxError } from '../wire/errors.ts'
import type { Scanner } from '../wire/scanner.ts'

const SPECIAL_USES = new Map(
  ['\\All', '\\Archive', '\\Drafts', '\\Flagged', '\\Junk', '\\Sent', '\\Trash'].map((use) => [
    use.toLowerCase(),
    use
  ])
)

export const create: Command = {
  state: 'authenticated',
  async run(session, { scanner }) {
    scanner.space()
    // RFC 3501 6.3.3: a separator at the end announces mailboxes below.
    const name = scanMailbox(scanner).replace(/\/$/, '')
    const specialUse = scanSpecialUse(scanner, session.server.extensions)
    checkNewName(name)
    const { store } = session.server.context
    const account = accountOf(session).id
    if (specialUse !== undefined) {
      const mailboxes = await store.listMailboxes(account)
      if (mailboxes.some((other) => other.specialUse === specialUse)) {
        throw new CommandError('NO', 'Another mailbox has this use.', 'USEATTR')
      }
    }
    const created = await store.createMailbox(account, name, specialUse)
    if (created === undefined) {
      throw new CommandError('NO', 'Mailbox already exists', 'ALREADYEXISTS')
    }
    const hasIds = session.server.extensions.has('OBJECTID')
    const code = hasIds ? `MAILBOXID (${mailboxId(created.id)})` : undefined
    return { text: 'Create completed.', code }
  }
}

/** OBJECTID: the same as long as the mailbox exists, also after a rename. */
export function mailboxId(id: number): string {
  return `F${id}`
}

function scanSpecialUse(scanner: Scanner, extensions: ReadonlySet<string>): string | undefined {
  if (scanner.isAtEnd()) return undefined
  scanner.space()
  if (!extensions.has('CREATE-SPECIAL-USE')) throw syntaxError('Unexpected arguments.')
  scanner.expect('(USE ')
  const uses = scanner.list(scanner.flag)
  scanner.expect(')')
  scanner.end()
  const [use, ...others] = uses.map((name) => SPECIAL_USES.get(name.toLowerCase()))
  if (uses.length > 0 && (use === undefined || others.length > 0)) {
    throw new CommandError('NO', 'A mailbox can have one use, which must be known.', 'USEATTR')
  }
  return use
}

export const remove: Command = {
  state: 'authenticated',
  async run(session, { scanner }) {
    scanner.space()
    const name = scanMailbox(scanner)
    scanner.end()
    if (name === 'INBOX') throw new CommandError('NO', "INBOX can't be deleted.", 'CANNOT')
    const account = accountOf(session).id
    const { store } = session.server.context
    const mailbox = await store.findMailbox(account, name)
    const result = await store.removeMailbox(account, name)
    if (result === 'missing') throw mailboxMissing(name)
    if (result === 'hasChildren') {
      throw new CommandError('NO', 'Mailbox has children, delete them first.', 'HASCHILDREN')
    }
    if (session.selected?.id === mailbox?.id) unselect(session)
    return { text: 'Delete completed.' }
  }
}

export const rename: Command = {
  state: 'authenticated',
  async run(session, { scanner }) {
    scanner.space()
    const from = scanMailbox(scanner)
    scanner.space()
    const to = scanMailbox(scanner).replace(/\/$/, '')
    scanner.end()
    checkNewName(to)
    if (to.startsWith(`${from}/`)) {
      throw new CommandError('NO', "Can't rename a mailbox to below itself.", 'CANNOT')
    }
    const { store } = session.server.context
    const result =
      from === to ? 'exists' : await store.renameMailbox(accountOf(session).id, from, to)
    if (result === 'missing') throw mailboxMissing(from)
    if (result === 'exists') {
      throw new CommandError('NO', 'Target mailbox already exists', 'ALREADYEXISTS')
    }
    return { text: 'Rename completed.' }
  }
}

export const subscribe: Command = {
  state: 'authenticated',
  async run(session, { scanner }) {
    scanner.space()
    const name = scanMailbox(scanner)
    scanner.end()
    const { store } = session.server.context
    const account = accountOf(session).id
    if ((await store.findMailbox(account, name)) === undefined) throw mailboxMissing(name)
    await store.subscribe(account, name, true)
    return { text: 'Subscribe completed.' }
  }
}

export const unsubscribe: Command = {
  state: 'authenticated',
  async run(session, { scanner }) {
    scanner.space()
    const name = scanMailbox(scanner)
    scanner.end()
    await session.server.context.store.subscribe(accountOf(session).id, name, false)
    return { text: 'Unsubscribe completed.' }
  }
}
