/** What errors of imapflow and of sockets mean for an account and for a request. */

import { isStorageError } from '../../../kernel/errors.ts'
import { isObject } from '../../../kernel/json.ts'
import type { AccountError } from '../accounts/account.ts'
import { TokenError } from '../accounts/oauth2/token-error.ts'
import { oneLine } from '../one-line.ts'
import { accountNotUsable, commandRejected, connectionLost, extensionMissing } from './contract.ts'

const MAX_TEXT = 1000

/** What imapflow adds to its errors; any of it may be missing. */
interface ImapError extends Error {
  readonly code?: unknown
  readonly responseStatus?: unknown
  readonly responseText?: unknown
  readonly response?: unknown
  readonly serverResponseCode?: unknown
  readonly authenticationFailed?: unknown
  readonly reason?: unknown
  readonly throttleReset?: unknown
  readonly tlsFailed?: unknown
}

export interface ConnectProblem {
  readonly state: 'authenticationError' | 'connectError'
  readonly error: AccountError
}

/** RFC 5530: the server cannot check the credentials now. */
const TEMPORARY_CODES = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG']

const CERTIFICATE_UNKNOWN =
  'The certificate of the mail server is not trusted; set tls.rejectUnauthorized to false to accept it'

/** By the code of the error. */
const CONNECT_SENTENCES: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: 'The address of the mail server is not allowed',
  ECONNREFUSED: 'The mail server does not accept connections',
  ECONNRESET: 'The mail server closed the connection',
  EHOSTUNREACH: 'The mail server cannot be reached',
  ENETUNREACH: 'The mail server cannot be reached',
  ENOTFOUND: 'The host of the mail server is unknown',
  EAI_AGAIN: 'The host of the mail server cannot be resolved now',
  ETIMEDOUT: 'The mail server did not respond in time',
  TIMEOUT: 'The mail server did not respond in time',
  CONNECT_TIMEOUT: 'The mail server did not respond in time',
  UPGRADE_TIMEOUT: 'The mail server did not respond in time',
  GREETING_TIMEOUT: 'The mail server sent no greeting; does the port need TLS?',
  ClosedAfterConnectText: 'The mail server closed the connection; does the port need TLS?',
  ClosedAfterConnectTLS: 'The mail server closed the connection',
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE_UNKNOWN,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE_UNKNOWN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE_UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE_UNKNOWN,
  CERT_HAS_EXPIRED: 'The certificate of the mail server has expired'
}

/**
 * Why a connection was not opened; undefined if the error is not about the server. `showsText`:
 * whether text of the server that is not about the sign-in may be part of it.
 */
export function describeConnectError(
  thrown: unknown,
  showsText: boolean
): ConnectProblem | undefined {
  if (thrown instanceof TokenError) {
    const state = thrown.isTemporary ? 'connectError' : 'authenticationError'
    return { state, error: thrown.accountError }
  }
  if (!(thrown instanceof Error) || isStorageError(thrown)) return undefined
  const error: ImapError = thrown
  const code = text(error.code)
  if (error.authenticationFailed === true && !isClosed(code)) return describeSignIn(error)
  const isKnown = code !== undefined || error.tlsFailed === true
  if (!isKnown && error.responseStatus === undefined) return undefined
  const sentence = CONNECT_SENTENCES[code ?? '']
  const said = text(error.reason) ?? text(error.responseText)
  return {
    state: 'connectError',
    error: {
      response:
        sentence ??
        (isTls(error, code) ? tlsSentence(error.message) : 'The mail server is not usable'),
      ...(said !== undefined && showsText && { description: said }),
      ...(code !== undefined && { serverResponseCode: code })
    }
  }
}

function describeSignIn(error: ImapError): ConnectProblem {
  const code = text(error.serverResponseCode)
  const isTemporary = code !== undefined && TEMPORARY_CODES.includes(code.toUpperCase())
  return {
    state: isTemporary ? 'connectError' : 'authenticationError',
    error: {
      response: text(error.responseText) ?? text(error.response) ?? error.message,
      ...(code !== undefined && { serverResponseCode: code })
    }
  }
}

function isClosed(code: string | undefined): boolean {
  return code === 'NoConnection' || code === 'EConnectionClosed' || code === 'StateLogout'
}

/** For errors whose code nodemailer has replaced; the advice of Node is about its command line. */
export function tlsSentence(message: string): string {
  if (/self-signed certificate|unable to (?:verify|get)/.test(message)) return CERTIFICATE_UNKNOWN
  return message.replace(/; if the root CA is installed locally.*$/s, '')
}

/** Certificates and versions of TLS: the messages of Node say what is wrong with them. */
function isTls(error: ImapError, code = ''): boolean {
  return error.tlsFailed === true || /CERT|^ERR_TLS|^ERR_SSL|^EPROTO|SELF_SIGNED/.test(code)
}

/**
 * The error of a request whose command ended so; undefined if it is a defect of ours. `serverError`
 * is what ended the connection meanwhile.
 */
export function describeCommandError(
  thrown: unknown,
  serverError: unknown,
  isConnected: boolean
): Error | undefined {
  if (serverError instanceof Error) return describeProtocolError(serverError)
  if (!(thrown instanceof Error)) return undefined
  if ('statusCode' in thrown || isStorageError(thrown)) return thrown
  const error: ImapError = thrown
  const code = text(error.code)
  if (code === 'ETHROTTLE') {
    const waitMs = Number(error.throttleReset)
    return accountNotUsable('connected', 'too many commands', Math.min(waitMs, 3_600_000))
  }
  if (error.responseStatus === 'NO' || error.responseStatus === 'BAD') {
    const said = text(error.responseText) ?? ''
    return commandRejected(error.responseStatus, said, responseCode(error))
  }
  if (code === 'MissingServerExtension') return extensionMissing(error.message)
  if (!isConnected || isClosed(code)) return connectionLost('The mail server closed the connection')
  const isProtocol = code !== undefined && /^Parser|^Invalid|^Download/.test(code)
  return isProtocol ? describeProtocolError(error) : undefined
}

function describeProtocolError(error: ImapError): Error {
  if ('statusCode' in error) return error
  const code = text(error.code) ?? ''
  if (/TooLarge$|NESTING/.test(code)) return connectionLost('The mail server sends too much')
  if (/^E[A-Z]+$/.test(code)) return connectionLost('The connection to the mail server was lost')
  return connectionLost('The mail server sends what is not IMAP')
}

/** `INUSE` of `NO [INUSE] …`; some commands of imapflow leave it in the parsed response. */
function responseCode({ serverResponseCode, response }: ImapError): string | undefined {
  const parsed = isObject(response) ? response.attributes : undefined
  const first: unknown = Array.isArray(parsed) ? parsed[0] : undefined
  const section: unknown = isObject(first) ? first.section : undefined
  const atom: unknown = Array.isArray(section) ? section[0] : undefined
  return text(serverResponseCode) ?? (isObject(atom) ? text(atom.value)?.toUpperCase() : undefined)
}

function text(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  return oneLine(value, MAX_TEXT)
}
