import type { Files } from '../../../../kernel/files/files.ts'
import type { Envelope, EnvelopeAddress, MessagePart } from './facts.ts'
import { fieldValues, headerLines, parseHeader } from './header.ts'
import { decodeAddresses, decodeHeaderText } from './header-text.ts'
import { decodePartText, type ReadableMessage, readSection } from './read-part.ts'
import type { Section } from './section.ts'
import { foldText, TextMatcher } from './text-matcher.ts'

const MAX_HEADER_BYTES = 1024 * 1024

export type EnvelopeKey = 'subject' | 'from' | 'to' | 'cc' | 'bcc'

/** SUBJECT, FROM, TO, CC and BCC of SEARCH, without reading the message. */
export function matchesEnvelope(envelope: Envelope, key: EnvelopeKey, text: string): boolean {
  const value =
    key === 'subject' ? decodeHeaderText(envelope.subject ?? '') : addressText(envelope[key])
  return foldText(value).includes(foldText(text))
}

function addressText(addresses: readonly EnvelopeAddress[]): string {
  return decodeAddresses(addresses)
    .map(({ name, address }) => (name === '' ? address : `${name} <${address}>`))
    .join(', ')
}

/** HEADER of SEARCH: a field of this name contains the text; any value if the text is empty. */
export async function matchesHeader(
  files: Files,
  { file, root }: ReadableMessage,
  name: string,
  text: string
): Promise<boolean> {
  const bytes = await readSection(files, file, root.header, MAX_HEADER_BYTES)
  const values = fieldValues(parseHeader(bytes), name)
  const wanted = foldText(text)
  return values.some((value) => foldText(decodeHeaderText(value)).includes(wanted))
}

/**
 * BODY of SEARCH, or TEXT, which searches headers too: those of the message and of its parts.
 * Parts that are no text are not searched.
 */
export async function matchesText(
  files: Files,
  message: ReadableMessage,
  text: string,
  scope: 'body' | 'text'
): Promise<boolean> {
  if (text === '') return true
  for (const part of allParts(message.root)) {
    const isFound =
      (scope === 'text' && (await matchesHeaderText(files, message, part.header, text))) ||
      (part.type.startsWith('text/') && (await matchesBodyText(files, message, part, text)))
    if (isFound) return true
  }
  return false
}

function* allParts(part: MessagePart): Iterable<MessagePart> {
  yield part
  for (const child of part.parts) yield* allParts(child)
}

async function matchesHeaderText(
  files: Files,
  { file }: ReadableMessage,
  header: Section,
  text: string
): Promise<boolean> {
  const bytes = await readSection(files, file, header, MAX_HEADER_BYTES)
  const wanted = foldText(text)
  return headerLines(bytes).some((line) => foldText(decodeHeaderText(line)).includes(wanted))
}

async function matchesBodyText(
  files: Files,
  { file }: ReadableMessage,
  part: MessagePart,
  text: string
): Promise<boolean> {
  const matcher = new TextMatcher(text)
  for await (const piece of decodePartText(files, file, part)) {
    if (matcher.write(piece)) return true
  }
  return matcher.end()
}
