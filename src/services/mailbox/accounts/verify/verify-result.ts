/** What `POST /v1/verifyAccount` reports about a server. */
import { isStorageError } from '../../../../kernel/errors.ts'
import { ConnectError } from '../../connections/connect.ts'
import { describeConnectError, tlsSentence } from '../../connections/describe-error.ts'
import { oneLine } from '../../one-line.ts'
import type { SmtpError } from '../../submit/retry-rules.ts'
import { TokenError } from '../oauth2/token-error.ts'
import type { MailServer } from '../servers.ts'

export type VerifyResult =
  | { readonly success: true }
  | {
      readonly success: false
      readonly error: string
      readonly code: string
      /** Of SMTP. */
      readonly statusCode?: number
      /** Of the server; not with the policy `public`, where it could reveal other services. */
      readonly responseText?: string
    }

const MAX_TEXT = 1000
const SIGN_IN = 'The mail server does not accept the sign-in'
const NOT_USABLE = 'The mail server is not usable'
const TIMEOUT = 'The mail server did not respond in time'

/** Runs an attempt; errors of the server are results. */
export async function resultOf(
  server: MailServer,
  signal: AbortSignal,
  attempt: () => Promise<void>
): Promise<VerifyResult> {
  try {
    await attempt()
    return { success: true }
  } catch (error) {
    if (signal.aborted) return { success: false, error: TIMEOUT, code: 'ETIMEDOUT' }
    const showsText = server.egress !== 'public'
    if (error instanceof ConnectError) return connectErrorResult(error, showsText)
    if (!(error instanceof Error) || isStorageError(error)) throw error
    return smtpErrorResult(error, showsText)
  }
}

function connectErrorResult({ state, error }: ConnectError, showsText: boolean): VerifyResult {
  const { response, description, serverResponseCode } = error
  const isSignIn = state === 'authenticationError'
  const code = serverResponseCode ?? (isSignIn ? 'EAUTH' : 'ECONNECTION')
  const responseText = isSignIn ? response : description
  return {
    success: false,
    error: isSignIn ? SIGN_IN : response,
    code,
    ...(showsText && responseText !== undefined && { responseText: clean(responseText) })
  }
}

function smtpErrorResult(error: Error, showsText: boolean): VerifyResult {
  const { responseCode, response, code: told }: SmtpError = error
  // The access token was rejected, and verification has no other one.
  const code = error instanceof TokenError ? 'EAUTH' : (told ?? 'ECONNECTION')
  const known = describeConnectError(error, false)?.error.response ?? NOT_USABLE
  const about = known === NOT_USABLE && showsText ? clean(tlsSentence(error.message)) : known
  return {
    success: false,
    error: code === 'EAUTH' ? SIGN_IN : about,
    code: clean(code),
    ...(responseCode !== undefined && { statusCode: responseCode }),
    ...(showsText && response !== undefined && { responseText: clean(response) })
  }
}

function clean(text: string): string {
  return oneLine(text, MAX_TEXT)
}
