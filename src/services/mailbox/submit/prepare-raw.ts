import type { Account } from '../accounts/account.ts'
import type { MailAddressInput } from '../api/schemas/compose.ts'
import { type InvalidField, invalidInput } from '../contract.ts'
import { fieldValues, type HeaderField, parseHeader } from '../sandbox/message/header.ts'
import { decodeHeaderText } from '../sandbox/message/header-text.ts'
import { composeMessage, createMessageId, inAngleBrackets } from './compose.ts'
import { type ControlFields, readControlFields } from './control-fields.ts'
import { decodeBase64 } from './decode-base64.ts'
import { headerAddresses } from './envelope.ts'
import { joinMessage, replaceLines, splitMessage, withMailLines } from './header-block.ts'
import { messageIdsIn } from './message-ids.ts'
import { defaultSender, envelopeOf, type FieldInput, requireSize } from './prepare-message.ts'
import type { PreparedMessage } from './prepared-message.ts'
import type { Envelope } from './submission.ts'

const MAX_HEADER_BYTES = 1024 * 1024
const HEADER_END = '\r\n\r\n'
const ADDRESS = /^[^\s<>"(),:;\\@]+@[^\s<>"(),;\\@]+$/
/** Written by servers on delivery. */
const DROPPED = new Set(['return-path', 'delivered-to'])

export interface RawParts {
  /** Base64, or the bytes of a message. */
  readonly raw: string | Buffer
  /** Of a message without `Date`, or of each one. */
  readonly date: Date
  readonly replacesDate?: boolean
  readonly inReplyTo?: string | undefined
  readonly references?: readonly string[] | undefined
}

/** A whole message, whose header fields are replaced by those of the request. */
export async function prepareRaw(
  account: Pick<Account, 'name' | 'email'>,
  input: FieldInput & { readonly envelope?: Partial<Envelope> },
  parts: RawParts
): Promise<PreparedMessage> {
  const { bytes, messageId, header, control } = await replaceFields(account, input, parts)
  requireSize(bytes)
  const [subject = ''] = fieldValues(header, 'subject')
  const [from] = headerAddresses(header, ['from'])
  const recipients = headerAddresses(header, ['to', 'cc', 'bcc']).map(({ address }) => address)
  const sender = from?.address ?? ''
  const { envelope = {} } = input
  requireAddresses([
    ...(envelope.from === undefined ? [sender] : []),
    ...(envelope.to === undefined ? recipients : [])
  ])
  return {
    bytes,
    messageId,
    subject: decodeHeaderText(subject),
    envelope: envelopeOf(input, sender, recipients),
    ...control
  }
}

export interface ReplacedMessage {
  readonly bytes: Buffer
  /** In angle brackets. */
  readonly messageId: string
  readonly header: readonly HeaderField[]
  readonly control: ControlFields
}

/** The message with the fields of the request, and those that every message has. */
export async function replaceFields(
  account: Pick<Account, 'name' | 'email'>,
  input: FieldInput,
  parts: RawParts
): Promise<ReplacedMessage> {
  const raw = typeof parts.raw === 'string' ? decodeBase64(parts.raw) : parts.raw
  if (raw === undefined) throw invalidRaw('must be base64')
  if (raw.includes(0)) throw invalidRaw('must not contain NUL bytes')
  const message = withMailLines(raw)
  requireHeaderSize(message)
  const sent = splitMessage(message)
  if (sent.lines.length === 0) throw invalidRaw('must be a message with a header')
  const { control, lines } = readControlFields(sent.lines)
  const given = lines.filter(({ name }) => !DROPPED.has(name))
  const fields = parseHeader(Buffer.concat(given.map(({ bytes }) => bytes)))
  const { composed, names, messageId } = await newFields(account, input, fields, parts)
  const replaced = splitMessage(composed).lines.filter(({ name }) => names.has(name))
  const block = replaceLines({ lines: given, body: sent.body }, replaced)
  const header = joinMessage({ lines: block.lines, body: Buffer.alloc(0) })
  requireHeaderSize(header)
  return { bytes: joinMessage(block), messageId, header: parseHeader(header), control }
}

/** Fields that replace others are composed, so that they are encoded; `names` are in lower case. */
async function newFields(
  account: Pick<Account, 'name' | 'email'>,
  input: FieldInput,
  fields: readonly HeaderField[],
  { date, replacesDate = false, inReplyTo, references }: RawParts
): Promise<{ composed: Buffer; names: ReadonlySet<string>; messageId: string }> {
  const { to, cc, bcc, replyTo, subject, headers = {} } = input
  const hasField = (name: string) => fieldValues(fields, name).length > 0
  const [given] = headerAddresses(fields, ['from'])
  const from: MailAddressInput | undefined =
    input.from ?? (given === undefined ? defaultSender(account) : undefined)
  const [known] = fieldValues(fields, 'message-id').flatMap(messageIdsIn)
  const address = from?.address ?? given?.address ?? ''
  const messageId = inAngleBrackets(input.messageId ?? known ?? createMessageId(address))
  const composed = await composeMessage({
    ...{ from, to, cc, bcc, replyTo, subject, headers, messageId, date, inReplyTo, references }
  })
  const replaced: Readonly<Record<string, boolean>> = {
    from: from !== undefined,
    to: to !== undefined,
    cc: cc !== undefined,
    bcc: bcc !== undefined,
    'reply-to': replyTo !== undefined,
    subject: subject !== undefined,
    'in-reply-to': inReplyTo !== undefined,
    references: references !== undefined,
    'message-id': messageId !== known,
    date: replacesDate || !hasField('date'),
    'mime-version': !hasField('mime-version')
  }
  const names = Object.keys(replaced).filter((name) => replaced[name])
  const own = Object.keys(headers).map((name) => name.toLowerCase())
  return { composed, names: new Set([...names, ...own]), messageId }
}

/** Before it is split: millions of short fields would take gigabytes. */
function requireHeaderSize(message: Buffer): void {
  const end = message.indexOf(HEADER_END)
  if ((end === -1 ? message.length : end) <= MAX_HEADER_BYTES) return
  throw invalidRaw(`must have a header of at most ${MAX_HEADER_BYTES} bytes`)
}

function requireAddresses(addresses: readonly string[]): void {
  if (addresses.every((address) => ADDRESS.test(address))) return
  throw invalidRaw('has an address that cannot be read; name the recipients in envelope')
}

function invalidRaw(message: string): Error {
  const field: InvalidField = { key: 'raw', message }
  return invalidInput([field])
}
