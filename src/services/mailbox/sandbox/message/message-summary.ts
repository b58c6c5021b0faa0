import type { Envelope, MessageFacts, MessagePart } from './facts.ts'
import { fieldValues, type HeaderField } from './header.ts'
import { cleanText, decodeAddresses, decodeHeaderText } from './header-text.ts'
import { parseMailDate } from './mail-date.ts'

const MAX_REFERENCES = 100
const MAX_ID_CHARACTERS = 998

/** What lists and threads need, from the header of a message. */
export function summarise(
  root: MessagePart,
  envelope: Envelope,
  fields: readonly HeaderField[],
  preview: string
): MessageFacts {
  return {
    root,
    envelope,
    subject: decodeHeaderText(envelope.subject ?? '').trim(),
    from: decodeAddresses(envelope.from),
    recipients: decodeAddresses([...envelope.to, ...envelope.cc]),
    sentAt: parseMailDate(envelope.date ?? '')?.time,
    references: readReferences(envelope, fields),
    preview
  }
}

/** The id of the message first, then the oldest one that it refers to. */
function readReferences(envelope: Envelope, fields: readonly HeaderField[]): readonly string[] {
  const texts = [
    envelope.messageId ?? '',
    ...fieldValues(fields, 'references'),
    envelope.inReplyTo ?? ''
  ]
  const ids = texts.flatMap((text) => text.match(/<[^<>\s]+>/g) ?? [])
  return [...new Set(ids.filter((id) => id.length <= MAX_ID_CHARACTERS).map(cleanText))].slice(
    0,
    MAX_REFERENCES
  )
}
