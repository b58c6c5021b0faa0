import type { ByteReader } from './byte-reader.ts'
import { ConnectionError } from './errors.ts'
import type { Output } from './output.ts'

/** Line end with the length of a literal: `{n}`, or `{n+}` if the client does not wait. */
const LENGTH = /(?:^|[ (])~?\{(\d{1,15})(\+?)\}$/

/** A literal that the command has rejected is read to its end only if it is not longer. */
const MAX_SKIPPED_BYTES = 256 * 1024 * 1024

export interface LiteralLength {
  readonly size: number
  /** Whether the client sends the literal only after a continuation request. */
  readonly isAwaited: boolean
}

export function literalAtEnd(line: string): LiteralLength | undefined {
  const found = LENGTH.exec(line)
  if (found === null) return undefined
  return { size: Number(found[1]), isAwaited: found[2] === '' }
}

/** The message that APPEND sends: read by the command, because it may be large. */
export interface MessageLiteral {
  readonly size: number
  /** Lets the client send it; to be read once. */
  read: () => AsyncGenerator<Buffer, void>
  /** Skips what was not read; resolves to the text after the literal. */
  finish: () => Promise<string>
}

export function createMessageLiteral(
  { size, isAwaited }: LiteralLength,
  reader: ByteReader,
  output: Output,
  maxLineBytes: number
): MessageLiteral {
  let left = size
  /** A client that waits sends nothing before it is told to. */
  let isOpen = !isAwaited
  let after: string | undefined

  async function readSome(): Promise<Buffer> {
    const bytes = await reader.readSome(left)
    if (bytes === undefined) throw new ConnectionError('The connection was closed')
    left -= bytes.length
    return bytes
  }

  return {
    size,
    async *read() {
      if (!isOpen) {
        output.line('+ OK')
        output.flush()
        isOpen = true
      }
      while (left > 0) yield await readSome()
    },
    async finish() {
      if (!isOpen) return ''
      if (left > MAX_SKIPPED_BYTES) throw new ConnectionError('The literal is too long')
      while (left > 0) await readSome()
      after ??= (await reader.readLine(maxLineBytes))?.toString('latin1') ?? ''
      if (literalAtEnd(after)?.isAwaited === false) {
        throw new ConnectionError('A command can append one message')
      }
      return after
    }
  }
}
