import type { Files, StoredFile } from '../../../../../kernel/files/files.ts'
import type { MessageContent, StoredMessage } from '../../mail-store.ts'
import { readHeaderFields } from '../../message/header-fields.ts'
import { formatBodyStructure, formatEnvelope } from '../../message/imap-structure.ts'
import { openSection } from '../../message/read-part.ts'
import { findSection, type Section, type SectionKind } from '../../message/section.ts'
import { formatDateTime } from '../dates.ts'
import type { Output } from '../wire/output.ts'
import type { AttributeName, FetchItem, SectionItem, SectionText } from './items.ts'

const SECTION_KINDS: Readonly<Record<SectionText, SectionKind>> = {
  '': 'all',
  HEADER: 'header',
  'HEADER.FIELDS': 'header',
  'HEADER.FIELDS.NOT': 'header',
  TEXT: 'text',
  MIME: 'mime'
}

/** A message as a FETCH response shows it. */
export interface FetchedMessage {
  readonly number: number
  readonly message: StoredMessage
  /** Undefined if no item needs it. */
  readonly content: MessageContent | undefined
}

/** Writes the FETCH response of one message; bytes of the message go out piece by piece. */
export async function writeMessage(
  output: Output,
  files: Files,
  fetched: FetchedMessage,
  items: readonly FetchItem[]
): Promise<void> {
  output.text(`* ${fetched.number} FETCH (`)
  for (const [index, item] of items.entries()) {
    if (index > 0) output.text(' ')
    if (item.kind === 'section') await writeSection(output, files, fetched, item)
    else output.text(`${item.kind} ${attributeOf(fetched, item.kind)}`)
  }
  output.line(')')
}

function attributeOf({ message, content }: FetchedMessage, kind: AttributeName): string {
  switch (kind) {
    case 'UID':
      return `${message.uid}`
    case 'FLAGS':
      return `(${message.flags.join(' ')})`
    case 'INTERNALDATE':
      return formatDateTime(message.internalDate)
    case 'RFC822.SIZE':
      return `${message.size}`
    case 'MODSEQ':
      return `(${message.modseq})`
    case 'EMAILID':
      return `(${message.content})`
    case 'THREADID':
      return content === undefined ? 'NIL' : `(${content.thread})`
    case 'ENVELOPE':
      return content === undefined ? 'NIL' : formatEnvelope(content.envelope)
    case 'BODY':
      return content === undefined ? 'NIL' : formatBodyStructure(content.root, false)
    case 'BODYSTRUCTURE':
      return content === undefined ? 'NIL' : formatBodyStructure(content.root, true)
  }
}

async function writeSection(
  output: Output,
  files: Files,
  { content }: FetchedMessage,
  item: SectionItem
): Promise<void> {
  output.text(`${item.label} `)
  const { file, root } = content ?? {}
  const section = root && findSection(root, item.path, SECTION_KINDS[item.text])
  if (file === undefined || section === undefined) {
    // Like Dovecot, for a part that the message does not have.
    output.text('""')
  } else if (item.fields.length > 0) {
    const isNot = item.text === 'HEADER.FIELDS.NOT'
    const bytes = await readHeaderFields(files, file, section, { names: item.fields, isNot })
    const [start, end] = cut([0, bytes.length], item.partial)
    output.text(`{${end - start}}\r\n`)
    output.bytes(bytes.subarray(start, end))
  } else {
    await streamLiteral(output, files, file, cut(section, item.partial))
  }
}

/** The part of a section that the client wants. */
function cut([start, end]: Section, partial: SectionItem['partial']): Section {
  if (partial === undefined) return [start, end]
  const first = Math.min(start + partial.offset, end)
  return [first, Math.min(first + partial.length, end)]
}

async function streamLiteral(
  output: Output,
  files: Files,
  file: StoredFile,
  section: Section
): Promise<void> {
  const stream = await openSection(files, file, section)
  output.text(`{${section[1] - section[0]}}\r\n`)
  for await (const chunk of stream) {
    output.bytes(chunk)
    await output.ready()
  }
}
