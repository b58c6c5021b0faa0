import type { ListedMailbox } from '../../mail-store.ts'
import { matchesMailbox } from '../mailbox-names.ts'
import { accountOf, type Command, type Session } from '../session/session.ts'
import { mailboxName } from '../wire/quoting.ts'
import { type ListArguments, scanListArguments } from './list-arguments.ts'
import { statusLine } from './status-items.ts'

export const list: Command = {
  state: 'authenticated',
  async run(session, { scanner }) {
    const options = scanListArguments(session, scanner)
    if (!options.isExtended && options.patterns[0] === '') {
      session.output.line('* LIST (\\Noselect) "/" ""')
      return { text: 'List completed.' }
    }
    const { store } = session.server.context
    const mailboxes = await store.listMailboxes(accountOf(session).id)
    const isListed = (name: string) =>
      options.patterns.some((pattern) => matchesMailbox(pattern, name))
    for (const mailbox of mailboxes) {
      if (!isListed(mailbox.name)) continue
      const line = lineOf(mailbox, mailboxes, options, session)
      if (line === undefined) continue
      session.output.line(line)
      if (options.status !== undefined) await tellStatus(session, mailbox, options.status)
    }
    if (options.selection.has('SUBSCRIBED')) await listMissing(session, mailboxes, isListed)
    return { text: 'List completed.' }
  }
}

async function tellStatus(
  session: Session,
  { id }: ListedMailbox,
  items: readonly string[]
): Promise<void> {
  const status = await session.server.context.store.status(id)
  if (status !== undefined) session.output.line(statusLine(status, items))
}

/** Undefined if the selection options exclude the mailbox. */
function lineOf(
  mailbox: ListedMailbox,
  all: readonly ListedMailbox[],
  { selection, returned }: ListArguments,
  session: Session
): string | undefined {
  const wantsSubscribed = selection.has('SUBSCRIBED')
  const isSelected =
    (!wantsSubscribed || mailbox.isSubscribed) &&
    (!selection.has('SPECIAL-USE') || mailbox.specialUse !== undefined)
  const below = selection.has('RECURSIVEMATCH') && wantsSubscribed && hasSubscribed(mailbox, all)
  if (!isSelected && !below) return undefined
  const showsSubscribed = wantsSubscribed || returned?.has('SUBSCRIBED') === true
  const attributes = attributesOf(mailbox, session, returned)
  if (showsSubscribed && mailbox.isSubscribed) attributes.push('\\Subscribed')
  const line = listLine(attributes, mailbox.name)
  return below ? `${line} ("CHILDINFO" ("SUBSCRIBED"))` : line
}

function hasSubscribed({ name }: ListedMailbox, all: readonly ListedMailbox[]): boolean {
  return all.some((other) => other.isSubscribed && other.name.startsWith(`${name}/`))
}

/** With RETURN, only those that it names. */
export function attributesOf(
  { hasChildren, specialUse }: ListedMailbox,
  { server }: Session,
  returned?: ReadonlySet<string>
): string[] {
  const isShown = (name: string) =>
    server.extensions.has(name) && (returned === undefined || returned.has(name))
  const attributes: string[] = []
  if (isShown('CHILDREN')) attributes.push(hasChildren ? '\\HasChildren' : '\\HasNoChildren')
  if (specialUse !== undefined && isShown('SPECIAL-USE')) attributes.push(specialUse)
  return attributes
}

export function listLine(attributes: readonly string[], name: string): string {
  return `* LIST (${attributes.join(' ')}) "/" ${mailboxName(name)}`
}

async function listMissing(
  session: Session,
  mailboxes: readonly ListedMailbox[],
  isListed: (name: string) => boolean
): Promise<void> {
  const { store } = session.server.context
  const existing = new Set(mailboxes.map(({ name }) => name))
  for (const name of await store.listSubscriptions(accountOf(session).id)) {
    if (existing.has(name) || !isListed(name)) continue
    session.output.line(listLine(['\\NonExistent', '\\Subscribed'], name))
  }
}

export const lsub: Command = {
  state: 'authenticated',
  async run(session, { scanner }) {
    scanner.space()
    const reference = scanner.astring()
    scanner.space()
    const pattern = reference + scanner.listPattern()
    scanner.end()
    const { store } = session.server.context
    const names = await store.listSubscriptions(accountOf(session).id)
    for (const name of names) {
      if (!matchesMailbox(pattern, name)) continue
      session.output.line(`* LSUB () "/" ${mailboxName(name)}`)
    }
    tellParents(session, names, pattern)
    return { text: 'Lsub completed.' }
  }
}

/** RFC 3501 6.3.9: with `%`, a name above a subscribed one is told, as not selectable. */
function tellParents(session: Session, names: readonly string[], pattern: string): void {
  if (!pattern.includes('%')) return
  const parents = new Set<string>()
  for (const name of names) {
    const levels = name.split('/')
    for (let depth = 1; depth < levels.length; depth++) {
      parents.add(levels.slice(0, depth).join('/'))
    }
  }
  for (const parent of parents) {
    if (names.includes(parent) || !matchesMailbox(pattern, parent)) continue
    session.output.line(`* LSUB (\\Noselect) "/" ${mailboxName(parent)}`)
  }
}
