import { TokenError } from '../accounts/oauth2/token-error.ts'
import type { SubmissionError } from './submission.ts'

/** What nodemailer's errors tell. */
export interface SmtpError {
  readonly message: string
  readonly code?: string | undefined
  readonly responseCode?: number | undefined
  readonly response?: string | undefined
  readonly command?: string | undefined
}

const FIRST_MS = 5_000
const JITTER = 0.2
/** Reached only with more than the default of 10 attempts. */
const LONGEST_MS = 60 * 60_000

/** Errors without a reply of the server that another attempt would only repeat. */
const PERMANENT_CODES = new Set([
  ...['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS', 'EENVELOPE', 'EMESSAGE', 'EPROTOCOL'],
  // The egress policy does not allow the address of the server.
  'ADDRESS_REFUSED'
])
/** "Bad sequence of commands", which some servers send while they are overloaded. */
const BAD_SEQUENCE = 503

const MAX_MESSAGE_LENGTH = 1000

/** What is known of an error; one of an access token is permanent unless it is temporary. */
export function smtpErrorOf(error: unknown): SmtpError {
  const { message, code, responseCode, response, command } = error as SmtpError
  // What another kind of server says is not shown: accounts must not become a way to read it.
  const isForeign = response !== undefined && responseCode === undefined
  const text = isForeign ? 'The server does not speak SMTP' : String(message)
  const isToken = error instanceof TokenError
  return {
    message: text.slice(0, MAX_MESSAGE_LENGTH),
    ...{ responseCode, command },
    response: isForeign ? undefined : response,
    code: isToken ? (error.isTemporary ? undefined : 'EOAUTH2') : code
  }
}

export function isPermanent({ responseCode, code = '' }: SmtpError): boolean {
  if (responseCode !== undefined) return responseCode >= 500 && responseCode !== BAD_SEQUENCE
  return PERMANENT_CODES.has(code)
}

/** Milliseconds after a number of failed attempts: 5, 10, 20 s …, a fifth more or less. */
export function retryDelay(attempts: number, random: () => number = Math.random): number {
  const delay = Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS)
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random()))
}

export function progressError({ message, code, responseCode }: SmtpError): SubmissionError {
  return {
    message,
    ...(code !== undefined && { code }),
    ...(responseCode !== undefined && { statusCode: responseCode })
  }
}
