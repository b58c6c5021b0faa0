import type { Files, StoredFile } from '../../../../kernel/files/files.ts'
import { fieldLines, parseHeader } from './header.ts'
import { decodeHeaderText } from './header-text.ts'
import { type ReadableMessage, readSection } from './read-part.ts'
import type { Section } from './section.ts'

/** Of one header; the rest is left out. */
const MAX_HEADER_BYTES = 1024 * 1024

const LF = 10

export interface DecodedField {
  readonly name: string
  readonly value: string
}

/** Fields of the header of a message in order, decoded. */
export async function readHeaders(
  files: Files,
  { file, root }: ReadableMessage
): Promise<readonly DecodedField[]> {
  const bytes = await readSection(files, file, root.header, MAX_HEADER_BYTES)
  return parseHeader(bytes).map(({ name, value }) => ({
    name: decodeHeaderText(name),
    value: decodeHeaderText(value)
  }))
}

/** `BODY[HEADER.FIELDS (names)]`, or `.NOT`: the lines as they were received. */
export async function readHeaderFields(
  files: Files,
  file: StoredFile,
  header: Section,
  { names, isNot }: { readonly names: readonly string[]; readonly isNot: boolean }
): Promise<Buffer> {
  const bytes = await readSection(files, file, header, MAX_HEADER_BYTES)
  return selectFields(bytes, names, isNot)
}

/** Names without regard to case. An empty line follows selected fields even if the header has none. */
export function selectFields(header: Buffer, names: readonly string[], isNot: boolean): Buffer {
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  const lines: Buffer[] = []
  let after = 0
  for (const { start, end } of fieldLines(header)) {
    const colon = header.indexOf(':', start)
    const nameEnd = colon === -1 || colon > end ? end : colon
    const name = header.toString('latin1', start, nameEnd).trimEnd().toLowerCase()
    if (wanted.has(name) !== isNot) lines.push(header.subarray(start, end))
    after = end
  }
  if (isNot) return Buffer.concat([...lines, header.subarray(after)])
  const isUnended = lines.length > 0 && lines.at(-1)?.at(-1) !== LF
  return Buffer.concat([...lines, Buffer.from(isUnended ? '\r\n\r\n' : '\r\n')])
}
