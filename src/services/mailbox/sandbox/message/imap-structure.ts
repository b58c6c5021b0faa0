import type { Envelope, EnvelopeAddress, MessagePart } from './facts.ts'
import { imapNullable, imapString, imapText } from './imap-strings.ts'

const DEFAULT_CHARSET = '"charset" "us-ascii"'
/** IMAP has no multipart without parts. */
const EMPTY_TEXT = `"text" "plain" (${DEFAULT_CHARSET}) NIL NIL "7bit" 0 0`

/** ENVELOPE of IMAP (RFC 3501 7.4.2) as a binary string; it may contain literals. */
export function formatEnvelope(envelope: Envelope): string {
  const { from } = envelope
  const orFrom = (addresses: readonly EnvelopeAddress[]) =>
    addresses.length === 0 ? from : addresses
  const addressLists = [
    from,
    orFrom(envelope.sender),
    orFrom(envelope.replyTo),
    envelope.to,
    envelope.cc,
    envelope.bcc
  ]
  return `(${[
    imapNullable(envelope.date),
    imapText(envelope.subject),
    ...addressLists.map(formatAddresses),
    imapNullable(envelope.inReplyTo),
    imapNullable(envelope.messageId)
  ].join(' ')})`
}

function formatAddresses(addresses: readonly EnvelopeAddress[]): string {
  if (addresses.length === 0) return 'NIL'
  return `(${addresses.map(formatAddress).join('')})`
}

function formatAddress([name, route, mailbox, host]: EnvelopeAddress): string {
  return `(${[imapText(name), ...[route, mailbox, host].map(imapNullable)].join(' ')})`
}

/** BODYSTRUCTURE of IMAP, or BODY if it is not extended; a binary string, maybe with literals. */
export function formatBodyStructure(part: MessagePart, isExtended: boolean): string {
  const fields = part.type.startsWith('multipart/')
    ? formatMultipart(part, isExtended)
    : formatLeaf(part, isExtended)
  return `(${fields})`
}

function formatMultipart(part: MessagePart, isExtended: boolean): string {
  const parts = part.parts.map((child) => formatBodyStructure(child, isExtended)).join('')
  const [, subtype] = splitType(part.type)
  const empty = isExtended ? `(${EMPTY_TEXT} NIL NIL NIL NIL)` : `(${EMPTY_TEXT})`
  const base = `${parts || empty} ${imapString(subtype)}`
  if (!isExtended) return base
  return [base, formatParameters(part.parameters, false), ...extensionOf(part)].join(' ')
}

function formatLeaf(part: MessagePart, isExtended: boolean): string {
  const [message] = part.type === 'message/rfc822' ? part.parts : []
  // A message deeper than the scanner reads has no structure.
  const isUnread = part.type === 'message/rfc822' && message === undefined
  const [type, subtype] = splitType(isUnread ? 'application/octet-stream' : part.type)
  const isText = type === 'text'
  const fields = [
    imapString(type),
    imapString(subtype),
    formatParameters(part.parameters, isText),
    imapNullable(part.id),
    imapNullable(part.description),
    imapString(part.encoding),
    String(part.body[1] - part.body[0])
  ]
  if (message !== undefined) {
    const envelope = part.envelope === undefined ? NO_ENVELOPE : formatEnvelope(part.envelope)
    fields.push(envelope, formatBodyStructure(message, isExtended), String(part.lines))
  } else if (isText) fields.push(String(part.lines))
  if (isExtended) fields.push(imapNullable(part.md5), ...extensionOf(part))
  return fields.join(' ')
}

const NO_ENVELOPE = `(${Array.from({ length: 10 }, () => 'NIL').join(' ')})`

/** Disposition, language and location. */
function extensionOf({ disposition, language, location }: MessagePart): readonly string[] {
  return [
    disposition === undefined
      ? 'NIL'
      : `(${imapString(disposition.type)} ${formatParameters(disposition.parameters, false)})`,
    language.length === 0 ? 'NIL' : `(${language.map(imapString).join(' ')})`,
    imapNullable(location)
  ]
}

function formatParameters(
  parameters: Readonly<Record<string, string>>,
  hasDefaultCharset: boolean
): string {
  const entries = Object.entries(parameters).flat().map(imapString)
  if (hasDefaultCharset && !Object.hasOwn(parameters, 'charset')) entries.push(DEFAULT_CHARSET)
  return entries.length === 0 ? 'NIL' : `(${entries.join(' ')})`
}

function splitType(type: string): readonly [type: string, subtype: string] {
  const slash = type.indexOf('/')
  return [type.slice(0, slash), type.slice(slash + 1)]
}
