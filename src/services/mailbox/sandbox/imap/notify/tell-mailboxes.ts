import type { ListedMailbox, MailboxStatus } from '../../mail-store.ts'
import { attributesOf, listLine } from '../commands/list.ts'
import { statusLine } from '../commands/status-items.ts'
import { accountOf, type Session } from '../session/session.ts'
import { mailboxName } from '../wire/quoting.ts'
import { eventsOf, type KnownMailbox, type NotifyEvent, type NotifySettings } from './settings.ts'

/** Reads the mailboxes of the account, which the client knows from now on. */
export async function readMailboxes(session: Session): Promise<Map<number, KnownMailbox>> {
  const known = new Map<number, KnownMailbox>()
  for (const mailbox of await listMailboxes(session)) {
    const status = await session.server.context.store.status(mailbox.id)
    if (status !== undefined) known.set(mailbox.id, knownFrom(mailbox, status))
  }
  return known
}

/** The initial STATUS responses of NOTIFY SET STATUS. */
export async function tellAllStatus(session: Session, { groups }: NotifySettings): Promise<void> {
  for (const mailbox of await listMailboxes(session)) {
    if (!eventsOf(groups, mailbox).has('MessageNew')) continue
    if (mailbox.id === session.selected?.id) continue
    const status = await session.server.context.store.status(mailbox.id)
    if (status !== undefined) session.output.line(statusLine(status, itemsOf(session)))
  }
}

/** Tells what has changed in mailboxes that are not selected, and in their names. */
export async function tellMailboxes(session: Session, settings: NotifySettings): Promise<void> {
  const { known } = settings
  const mailboxes = await listMailboxes(session)
  const existing = new Set(mailboxes.map(({ id }) => id))
  for (const [id, before] of known) {
    if (existing.has(id)) continue
    known.delete(id)
    if (eventsOf(settings.groups, before).has('MailboxName')) {
      session.output.line(listLine(['\\NonExistent'], before.name))
    }
  }
  for (const mailbox of mailboxes) await tellMailbox(session, settings, mailbox)
}

async function tellMailbox(
  session: Session,
  { known, groups }: NotifySettings,
  mailbox: ListedMailbox
): Promise<void> {
  const before = known.get(mailbox.id)
  const events = eventsOf(groups, mailbox)
  tellName(session, mailbox, before, events)
  if (before?.modseq === mailbox.modseq && before.uidNext === mailbox.uidNext) {
    const { name, isSubscribed } = mailbox
    known.set(mailbox.id, { ...before, name, isSubscribed })
    return
  }
  const status = await session.server.context.store.status(mailbox.id)
  if (status === undefined) return
  known.set(mailbox.id, knownFrom(mailbox, status))
  const isSelected = session.selected?.id === mailbox.id
  if (before === undefined || isSelected || !events.has(changeOf(before, status))) return
  session.output.line(statusLine(status, itemsOf(session)))
}

function tellName(
  session: Session,
  mailbox: ListedMailbox,
  before: KnownMailbox | undefined,
  events: ReadonlySet<NotifyEvent>
): void {
  const { name, isSubscribed } = mailbox
  const attributes = attributesOf(mailbox, session)
  if (isSubscribed) attributes.push('\\Subscribed')
  const line = listLine(attributes, name)
  if (before !== undefined && before.name !== name) {
    const old = `("OLDNAME" (${mailboxName(before.name)}))`
    if (events.has('MailboxName')) session.output.line(`${line} ${old}`)
    return
  }
  const isNew = before === undefined && events.has('MailboxName')
  const isSubscriptionChanged =
    before !== undefined && before.isSubscribed !== isSubscribed && events.has('SubscriptionChange')
  if (isNew || isSubscriptionChanged) session.output.line(line)
}

/** New and removed messages are always told together, flags maybe not. */
function changeOf(before: KnownMailbox, { uidNext, messages }: MailboxStatus): NotifyEvent {
  if (uidNext !== before.uidNext) return 'MessageNew'
  return messages !== before.messages ? 'MessageExpunge' : 'FlagChange'
}

function itemsOf({ server }: Session): readonly string[] {
  const items = ['MESSAGES', 'UIDNEXT', 'UIDVALIDITY', 'UNSEEN']
  return server.extensions.has('CONDSTORE') ? [...items, 'HIGHESTMODSEQ'] : items
}

function knownFrom({ isSubscribed }: ListedMailbox, status: MailboxStatus): KnownMailbox {
  const { name, modseq, uidNext, messages } = status
  return { name, isSubscribed, modseq, uidNext, messages }
}

function listMailboxes(session: Session): Promise<readonly ListedMailbox[]> {
  return session.server.context.store.listMailboxes(accountOf(session).id)
}
