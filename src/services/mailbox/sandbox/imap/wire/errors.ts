import { encodeUtf7 } from './utf7.ts'

/** Thrown by a command: its tagged response. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly status: 'NO' | 'BAD'
  /** Response code of RFC 5530, without the brackets. */
  readonly code: string | undefined
  constructor(status: 'NO' | 'BAD', text: string, code?: string) {
    super(text)
    this.status = status
    this.code = code
  }
}

/** The connection cannot go on: the client gets BYE. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}

export function syntaxError(text: string): CommandError {
  return new CommandError('BAD', text)
}

export function mailboxMissing(name: string, code = 'NONEXISTENT'): CommandError {
  return new CommandError('NO', `Mailbox doesn't exist: ${encodeUtf7(name)}`, code)
}
