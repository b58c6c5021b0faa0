import type { FetchMessageObject, MessageAddressObject } from 'imapflow'
import { cleanText } from '../sandbox/message/header-text.ts'
import { parseMailDate } from '../sandbox/message/mail-date.ts'
import { attachmentIdOf, textIdOf } from './content-ids.ts'
import { type MessageKey, messageIdOf } from './message-id.ts'
import { type MessageLeaf, type MessageParts, parameterOf, partsOf } from './structure.ts'

export interface AddressEntry {
  readonly name: string
  readonly address: string
}

export interface AttachmentEntry {
  readonly id: string
  readonly contentType: string
  readonly encodedSize: number
  readonly embedded: boolean
  readonly inline: boolean
  /** Whether it is part of an attached message. */
  readonly encodedInMessage: boolean
  readonly contentId?: string
  readonly filename?: string
  /** Of an invitation. */
  readonly method?: string
}

/** A message in a list. What is empty or false is left out. */
export interface MessageEntry {
  readonly id: string
  readonly uid: number
  readonly path: string
  readonly emailId?: string
  readonly threadId?: string
  readonly date?: string
  readonly draft?: true
  readonly unseen?: true
  readonly flagged?: true
  readonly answered?: true
  readonly size: number
  readonly subject?: string
  readonly from?: AddressEntry
  readonly replyTo?: readonly AddressEntry[]
  readonly to?: readonly AddressEntry[]
  readonly cc?: readonly AddressEntry[]
  readonly messageId?: string
  readonly inReplyTo?: string
  readonly flags: readonly string[]
  readonly labels?: readonly string[]
  readonly attachments?: readonly AttachmentEntry[]
  readonly text?: TextEntry
  readonly messageSpecialUse?: string
}

export interface TextEntry {
  readonly id: string
  readonly encodedSize: { readonly plain?: number; readonly html?: number }
}

/** Where a message is. */
export interface EntryMailbox {
  readonly number: number
  readonly path: string
  readonly specialUse: string | undefined
}

/** Of one field; more than any mail program shows. */
const MAX_ADDRESSES = 1000

export function entryOf(message: FetchMessageObject, mailbox: EntryMailbox): MessageEntry {
  const { uid, envelope = {}, flags = new Set() } = message
  const key = { mailbox: mailbox.number, uid }
  const parts = partsOf(message.bodyStructure)
  const [from] = addressesOf(envelope.from) ?? []
  return withoutEmpty({
    id: messageIdOf(key),
    uid,
    path: mailbox.path,
    emailId: message.emailId,
    threadId: message.threadId,
    date: dateOf(message),
    draft: flags.has('\\Draft') || undefined,
    unseen: !flags.has('\\Seen') || undefined,
    flagged: flags.has('\\Flagged') || undefined,
    answered: flags.has('\\Answered') || undefined,
    size: message.size ?? 0,
    subject: lineOf(envelope.subject),
    from,
    replyTo: addressesOf(envelope.replyTo),
    to: addressesOf(envelope.to),
    cc: addressesOf(envelope.cc),
    messageId: lineOf(envelope.messageId),
    inReplyTo: lineOf(envelope.inReplyTo),
    flags: [...flags].filter((flag) => flag !== '\\Recent'),
    labels: message.labels?.size ? [...message.labels] : undefined,
    attachments: attachmentsOf(parts, key),
    text: textOf(parts, key),
    messageSpecialUse: specialUseOf(mailbox, message.labels)
  })
}

/** Labels of Gmail that tell where a message of "All Mail" is shown, the most important first. */
const LABEL_USES = [
  ['\\Inbox', '\\Inbox'],
  ['\\Sent', '\\Sent'],
  ['\\Draft', '\\Drafts']
] as const

function specialUseOf(
  { specialUse }: EntryMailbox,
  labels: ReadonlySet<string> | undefined
): string | undefined {
  if (specialUse !== '\\All' || labels === undefined) return specialUse
  const found = LABEL_USES.find(([label]) => labels.has(label))
  return found === undefined ? specialUse : found[1]
}

/** The date of the header, or that of its arrival. */
function dateOf({ envelope, internalDate }: FetchMessageObject): string | undefined {
  for (const date of [envelope?.date, internalDate]) {
    if (date instanceof Date && Number.isFinite(date.getTime())) return date.toISOString()
    const time = typeof date === 'string' ? parseMailDate(date)?.time : undefined
    if (time !== undefined) return new Date(time).toISOString()
  }
  return undefined
}

export function addressesOf(
  addresses: readonly MessageAddressObject[] | undefined
): readonly AddressEntry[] | undefined {
  const entries = addresses?.slice(0, MAX_ADDRESSES).flatMap(({ name, address }) => {
    const entry = { name: cleanText(name ?? '').trim(), address: cleanText(address ?? '').trim() }
    return entry.name === '' && entry.address === '' ? [] : [entry]
  })
  return entries?.length === 0 ? undefined : entries
}

export function lineOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cleanText(String(text)).trim()
}

function attachmentsOf(
  { attachments }: MessageParts,
  key: MessageKey
): readonly AttachmentEntry[] | undefined {
  return attachments.length === 0 ? undefined : attachments.map((leaf) => attachmentOf(leaf, key))
}

export function attachmentOf(leaf: MessageLeaf, key: MessageKey): AttachmentEntry {
  const { disposition, isRelated, type } = leaf
  return withoutEmpty({
    id: attachmentIdOf({ ...key, number: leaf.number }),
    contentType: type,
    encodedSize: leaf.size,
    embedded: isRelated,
    inline: disposition === 'inline' || (disposition === undefined && isRelated),
    encodedInMessage: leaf.isInMessage,
    contentId: leaf.contentId,
    filename: leaf.filename,
    method: type === 'text/calendar' ? parameterOf(leaf.parameters, 'method') : undefined
  })
}

export function textOf({ plain, html }: MessageParts, key: MessageKey): TextEntry | undefined {
  if (plain.length === 0 && html.length === 0) return undefined
  const numbers = (leaves: readonly MessageLeaf[]) => leaves.map(({ number }) => number)
  return {
    id: textIdOf({ ...key, plain: numbers(plain), html: numbers(html) }),
    encodedSize: withoutEmpty({ plain: sizeOf(plain), html: sizeOf(html) })
  }
}

function sizeOf(leaves: readonly MessageLeaf[]): number | undefined {
  return leaves.length === 0 ? undefined : leaves.reduce((sum, { size }) => sum + size, 0)
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
}

/** Without keys whose value is undefined or an empty string. */
export function withoutEmpty<T extends object>(object: T): Defined<T> {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(entries) as Defined<T>
}
