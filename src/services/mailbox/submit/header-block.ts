import { fieldLines } from '../sandbox/message/header.ts'

const CRLF = Buffer.from('\r\n')
const COLON = 58

export interface HeaderLine {
  /** In lower case. */
  readonly name: string
  /** As it is written, with its folded lines and their line ends. */
  readonly bytes: Buffer
}

/** A message as its header fields and what follows them. */
export interface HeaderBlock {
  readonly lines: readonly HeaderLine[]
  readonly body: Buffer
}

/** Line ends must be CRLF. Lines of the header without a name are left out. */
export function splitMessage(message: Buffer): HeaderBlock {
  const lines: HeaderLine[] = []
  let end = 0
  for (const line of fieldLines(message)) {
    const bytes = message.subarray(line.start, line.end)
    const colon = bytes.indexOf(COLON)
    const name = bytes.toString('latin1', 0, Math.max(colon, 0)).trimEnd().toLowerCase()
    if (name !== '') lines.push({ name, bytes })
    end = line.end
  }
  const hasEmptyLine = message.indexOf(CRLF, end) === end
  return { lines, body: message.subarray(hasEmptyLine ? end + CRLF.length : end) }
}

export function joinMessage({ lines, body }: HeaderBlock): Buffer {
  const last = lines.at(-1)?.bytes
  const isUnended = last !== undefined && !last.subarray(-CRLF.length).equals(CRLF)
  const pieces = lines.map(({ bytes }) => bytes)
  return Buffer.concat([...pieces, ...(isUnended ? [CRLF] : []), CRLF, body])
}

/** Replaces the fields with the names of the new ones, which are the first of the header. */
export function replaceLines(block: HeaderBlock, replaced: readonly HeaderLine[]): HeaderBlock {
  const names = new Set(replaced.map(({ name }) => name))
  return { ...block, lines: [...replaced, ...block.lines.filter(({ name }) => !names.has(name))] }
}

/** What is sent: recipients do not learn of those of blind copies. */
export function withoutBcc(message: Buffer): Buffer {
  const block = splitMessage(message)
  const lines = block.lines.filter(({ name }) => name !== 'bcc' && name !== 'resent-bcc')
  return joinMessage({ ...block, lines })
}

/** All line ends as mail has them: a lone CR or LF would end a line for some servers only. */
export function withMailLines(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1')
  if (!/\r(?!\n)|(?<!\r)\n/.test(text)) return bytes
  return Buffer.from(text.replace(/\r\n?|\n/g, '\r\n'), 'latin1')
}
