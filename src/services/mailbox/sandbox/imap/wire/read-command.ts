import type { ByteReader } from './byte-reader.ts'
import { CommandError, ConnectionError } from './errors.ts'
import {
  createMessageLiteral,
  type LiteralLength,
  literalAtEnd,
  type MessageLiteral
} from './message-literal.ts'
import type { Output } from './output.ts'
import { createScanner, type Scanner } from './scanner.ts'

const START = /^([!#$&',-[\]-z|}~]{1,100}) ([A-Za-z]{1,32})(?= |$)/
const TAG = /^([!#$&',-[\]-z|}~]{1,100})(?: |$)/
const APPEND_NAME_LITERAL = /^\S+ append ~?\{\d+\+?\}$/i

export interface CommandText {
  readonly tag: string
  /** In capitals. */
  readonly name: string
  readonly scanner: Scanner
  readonly message: MessageLiteral | undefined
}

export interface ReadOptions {
  /** Of a command with its literals. */
  readonly maxBytes: number
  /** Whether the message of APPEND is left for the command to read. */
  readonly streamsMessages: boolean
  /** Whether `{n+}` is allowed. */
  readonly allowsLiteralPlus: boolean
}

/** A command that could not be read, but whose end is known. */
export class UnreadableCommand extends Error {
  override name = 'UnreadableCommand'
  readonly tag: string
  readonly reason: CommandError
  constructor(tag: string, reason: CommandError) {
    super(reason.message)
    this.tag = tag
    this.reason = reason
  }
}

/** Undefined at the end of the stream. Throws `UnreadableCommand`, or what ends the connection. */
export async function readCommand(
  reader: ByteReader,
  output: Output,
  options: ReadOptions
): Promise<CommandText | undefined> {
  const lines: string[] = []
  const literals: Buffer[] = []
  let left = options.maxBytes
  for (;;) {
    const line = await reader.readLine(left)
    if (line === undefined) return undefined
    left -= line.length
    const text = line.toString('latin1')
    lines.push(text)
    if (text.includes('\0')) throw new ConnectionError('A command line must not contain NUL')
    const length = literalAtEnd(text)
    if (length === undefined) return commandFrom(lines, literals, undefined)
    if (!length.isAwaited && !options.allowsLiteralPlus) {
      throw new ConnectionError('LITERAL+ is not offered')
    }
    if (options.streamsMessages && isMessage(lines)) {
      const message = createMessageLiteral(length, reader, output, options.maxBytes)
      return commandFrom(lines, literals, message)
    }
    literals.push(await readLiteral(length, left, reader, output, lines))
    left -= length.size
  }
}

function isMessage(lines: readonly string[]): boolean {
  const [first = ''] = lines
  if (!/^\S+ append /i.test(first)) return false
  return lines.length > 1 || !APPEND_NAME_LITERAL.test(first)
}

async function readLiteral(
  { size, isAwaited }: LiteralLength,
  maxBytes: number,
  reader: ByteReader,
  output: Output,
  lines: readonly string[]
): Promise<Buffer> {
  if (size > maxBytes) {
    if (!isAwaited) throw new ConnectionError('The literal is too long')
    const reason = new CommandError('NO', 'The literal is too long.', 'TOOBIG')
    throw new UnreadableCommand(tagOf(lines), reason)
  }
  if (isAwaited) {
    output.line('+ OK')
    output.flush()
  }
  const pieces: Buffer[] = []
  for (let left = size; left > 0; ) {
    const bytes = await reader.readSome(left)
    if (bytes === undefined) throw new ConnectionError('The connection was closed')
    pieces.push(bytes)
    left -= bytes.length
  }
  return Buffer.concat(pieces)
}

function commandFrom(
  lines: readonly string[],
  literals: readonly Buffer[],
  message: MessageLiteral | undefined
): CommandText {
  const [first = '', ...others] = lines
  const start = START.exec(first)
  if (start === null) {
    const text = TAG.test(first) ? 'Missing command.' : 'Invalid tag.'
    throw new UnreadableCommand(tagOf(lines), new CommandError('BAD', text))
  }
  const [whole, tag = '', name = ''] = start
  const scanner = createScanner([first.slice(whole.length), ...others], literals)
  return { tag, name: name.toUpperCase(), scanner, message }
}

/** `*` if the line does not begin with a tag. */
function tagOf([first = '']: readonly string[]): string {
  return TAG.exec(first)?.[1] ?? '*'
}
