import { cutText } from '../../../kernel/cut-text.ts'
import { commandRejected } from '../connections/contract.ts'
import { cleanText } from '../sandbox/message/header-text.ts'
import { COMMAND_REJECTED, FolderNotFound } from './contract.ts'

/** What imapflow adds to the error of a command that the server rejected. */
interface CommandError {
  readonly responseStatus?: unknown
  readonly responseText?: unknown
  readonly serverResponseCode?: unknown
  readonly mailboxMissing?: unknown
}

/** Codes of servers for mailboxes that do not exist or have no messages. */
const MISSING_CODES = new Set<unknown>(['NONEXISTENT', 'TRYCREATE', 'NOSELECT'])

export function isMissingMailbox(error: unknown, path: string): boolean {
  const { responseStatus, mailboxMissing, serverResponseCode } = error as CommandError
  if (responseStatus !== 'NO') return false
  // imapflow looks for the path by LIST, where a wildcard finds other mailboxes.
  return mailboxMissing === true || MISSING_CODES.has(serverResponseCode) || /[*%]/.test(path)
}

/** Whether the server has rejected the command, and the connection can still be used. */
export function isRejected(error: unknown): boolean {
  const { responseStatus } = error as CommandError
  return responseStatus === 'NO' || responseStatus === 'BAD'
}

export function asFolderNotFound(error: unknown): never {
  throw isMissingMailbox(error, '') ? new FolderNotFound() : error
}

/** The code of the server, or `RenameFailed`. */
export function asRenameFailed(error: unknown): never {
  const { responseStatus, responseText, serverResponseCode } = error as CommandError
  if (responseStatus !== 'NO' || typeof serverResponseCode === 'string') throw error
  throw commandRejected('NO', String(responseText ?? ''), 'RenameFailed')
}

const MAX_TEXT = 200

/** What the server says about a command that it rejected; undefined for other errors. */
export function messageOfRejected(error: unknown): string | undefined {
  const { responseStatus, responseText } = error as CommandError
  if (responseStatus !== 'NO') return undefined
  const text = cleanText(String(responseText ?? '')).trim()
  return text === '' ? COMMAND_REJECTED : cutText(text, MAX_TEXT)
}
