import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { MailAddressInput } from '../api/schemas/compose.ts'
import { textOfHtml } from './text-of-html.ts'

export interface ComposedAttachment {
  readonly content: Buffer
  readonly filename?: string | undefined
  readonly contentType?: string | undefined
  readonly contentDisposition?: string | undefined
  readonly cid?: string | undefined
}

export interface MessageFields {
  readonly from?: MailAddressInput | undefined
  readonly to?: readonly MailAddressInput[] | undefined
  readonly cc?: readonly MailAddressInput[] | undefined
  readonly bcc?: readonly MailAddressInput[] | undefined
  readonly replyTo?: readonly MailAddressInput[] | undefined
  readonly subject?: string | undefined
  readonly text?: string | undefined
  readonly html?: string | undefined
  readonly attachments?: readonly ComposedAttachment[] | undefined
  /** In angle brackets. */
  readonly messageId: string
  readonly inReplyTo?: string | undefined
  readonly references?: readonly string[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly date: Date
}

/** The message with its `Bcc`; a message with HTML alone also gets its text. */
export async function composeMessage(fields: MessageFields): Promise<Buffer> {
  const { html, text = html === undefined ? '' : textOfHtml(html) } = fields
  const composer = new MailComposer({
    from: fields.from && addressOf(fields.from),
    to: fields.to?.map(addressOf),
    cc: fields.cc?.map(addressOf),
    bcc: fields.bcc?.map(addressOf),
    replyTo: fields.replyTo?.map(addressOf),
    subject: fields.subject,
    text,
    html,
    attachments: fields.attachments?.map(attachmentOf) ?? [],
    messageId: fields.messageId,
    inReplyTo: fields.inReplyTo,
    references: fields.references && [...fields.references],
    headers: { ...fields.headers },
    date: fields.date,
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true
  })
  const root = composer.compile()
  root.keepBcc = true
  return root.build()
}

function addressOf({ name = '', address }: MailAddressInput) {
  return { name, address }
}

function attachmentOf({ content, ...more }: ComposedAttachment) {
  const set = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined))
  // Without a name the library would derive one, and a type from it.
  return { filename: false as const, ...set, content }
}

/** In angle brackets, in the domain of an address. */
export function createMessageId(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return `<${randomUUID()}@${domainToASCII(domain) || 'localhost'}>`
}

export function inAngleBrackets(messageId: string): string {
  return messageId.startsWith('<') ? messageId : `<${messageId}>`
}
