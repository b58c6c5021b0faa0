import { Readable } from 'node:stream'
import type { Files, StoredFile } from '../../../../kernel/files/files.ts'
import { createCharsetDecoder } from './charset.ts'
import type { MessagePart } from './facts.ts'
import type { Section } from './section.ts'
import { createTransferDecoder } from './transfer-decoding.ts'

/** A message whose parts are read; `MessageContent` of the store is one. */
export interface ReadableMessage {
  readonly file: StoredFile
  readonly root: MessagePart
}

/** The file of a message is not where its row says. */
export class MessageFileMissing extends Error {
  override name = 'MessageFileMissing'
}

/** The bytes of a section as they were received. The stream must be read or destroyed. */
export async function openSection(
  files: Files,
  { hash }: StoredFile,
  [start, end]: Section
): Promise<Readable> {
  if (end <= start) return Readable.from([])
  const opened = await files.open(hash, { start, end: end - 1 })
  if (opened === undefined) throw new MessageFileMissing(`The file ${hash} is missing`)
  return opened.stream
}

/** At most the first `maxBytes`. */
export async function readSection(
  files: Files,
  file: StoredFile,
  [start, end]: Section,
  maxBytes: number
): Promise<Buffer> {
  const chunks: Buffer[] = []
  const stream = await openSection(files, file, [start, Math.min(end, start + maxBytes)])
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The content of a part, without its transfer encoding. */
export async function* decodePart(
  files: Files,
  file: StoredFile,
  part: MessagePart
): AsyncGenerator<Buffer> {
  const decoder = createTransferDecoder(part.encoding)
  for await (const chunk of await openSection(files, file, part.body)) {
    const decoded = decoder.write(chunk)
    if (decoded.length > 0) yield decoded
  }
  const rest = decoder.end()
  if (rest.length > 0) yield rest
}

/** Like `decodePart`, as a stream. */
export function openPart(files: Files, file: StoredFile, part: MessagePart): Readable {
  return Readable.from(decodePart(files, file, part), { objectMode: false })
}

/** The text of a part in pieces. */
export async function* decodePartText(
  files: Files,
  file: StoredFile,
  part: MessagePart
): AsyncGenerator<string> {
  const decoder = createCharsetDecoder(part.parameters.charset)
  for await (const bytes of decodePart(files, file, part)) {
    const text = decoder.write(bytes)
    if (text !== '') yield text
  }
  yield decoder.end()
}
