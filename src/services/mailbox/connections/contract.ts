/** Errors of requests that need the mail server of an account. */
import createError from '@fastify/error'
import { cutText } from '../../../kernel/cut-text.ts'
import type { AccountState } from '../accounts/account.ts'

const MAX_SERVER_TEXT = 1000

const NotUsable = createError<[string]>('NO_AVAILABLE', '%s', 503)

/** Codes of EmailEngine by the state of the account; all others have `NoAvailable`. */
const STATE_CODES: Partial<Record<AccountState, string>> = {
  init: 'NotYetConnected',
  authenticationError: 'AuthenticationFails',
  connectError: 'ConnectionError',
  unset: 'NotSyncing'
}

const STATE_MESSAGES: Partial<Record<AccountState, string>> = {
  authenticationError: 'The mail server does not accept the sign-in of the account',
  connectError: 'The mail server of the account cannot be reached',
  disconnected: 'The mail server keeps closing the connection of the account',
  unset: 'The account has no IMAP server, or IMAP is disabled'
}

/** The account cannot be used now. `waitMs`: no attempt is made before. */
export function accountNotUsable(state: AccountState, reason?: string, waitMs = 0): Error {
  const about = STATE_MESSAGES[state] ?? 'The account is not connected'
  const message = reason === undefined ? about : `${about}: ${reason}`
  return Object.assign(new NotUsable(message), {
    exactCode: STATE_CODES[state] ?? 'NoAvailable',
    body: { state },
    ...(waitMs > 0 && { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } })
  })
}

const Lost = createError<[string]>('IMAP_UNAVAILABLE', '%s', 502)

/** The connection ended, or what the server sent is not IMAP, while a command ran. */
export function connectionLost(message: string): Error {
  return Object.assign(new Lost(message), { exactCode: 'IMAPUnavailable' })
}

const Closing = createError(
  'IMAP_CONNECTION_CLOSING',
  'The connection of the account is closed',
  503
)

/** We closed it: the account has changed or was removed, or the service stops. */
export function connectionClosing(): Error {
  return Object.assign(new Closing(), { exactCode: 'IMAPConnectionClosing' })
}

/** Too many commands of an account, or connections or large bodies of all, at a time. */
export const WorkerNotAvailable = createError<[string]>('WORKER_NOT_AVAILABLE', '%s', 503)
export const TOO_MANY_COMMANDS = 'Too many requests wait for this account; try again later'
export const TOO_MANY_CONNECTIONS = 'Too many accounts are in use; try again later'
export const TOO_MANY_BODIES = 'Too many large requests at a time; try again later'

/** Only the log shows it: the client is gone. */
export const RequestEnded = createError('REQUEST_ENDED', 'The client closed the connection', 408)

const Rejected = createError<[string]>('COMMAND_FAILED', '%s', 400)
const NotUnderstood = createError<[string]>('COMMAND_FAILED', '%s', 502)

/** A response `NO` or `BAD`; `NO` is about the request, `BAD` is not. */
export function commandRejected(status: 'NO' | 'BAD', text: string, code?: string): Error {
  const response = cutText(text, MAX_SERVER_TEXT)
  const Failed = status === 'NO' ? Rejected : NotUnderstood
  const message = `The mail server rejects the command${response === '' ? '' : `: ${response}`}`
  return Object.assign(new Failed(message), {
    ...(code !== undefined && { exactCode: code }),
    body: { info: { response } }
  })
}

const ExtensionMissing = createError<[string]>('MISSING_SERVER_EXTENSION', '%s', 422)

/** The server lacks an extension of IMAP. */
export function extensionMissing(message: string): Error {
  return new ExtensionMissing(message)
}
