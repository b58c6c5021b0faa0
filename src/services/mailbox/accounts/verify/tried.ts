/** What `POST /v1/verifyAccount` tells about a server. */
import { cutText } from '../../../../kernel/cut-text.ts'
import { isStorageError } from '../../../../kernel/errors.ts'
import { ConnectError } from '../../connections/connect.ts'
import { describeConnectError, tlsSentence } from '../../connections/describe-error.ts'
import type { SmtpError } from '../../submit/retry-rules.ts'
import { TokenError } from '../oauth2/token-error.ts'
import type { MailServer } from '../servers.ts'

export type Tried =
  | { readonly success: true }
  | {
      readonly success: false
      readonly error: string
      readonly code: string
      /** Of SMTP. */
      readonly statusCode?: number
      /** Of the server; only if its address may be any, because it would tell what else is there. */
      readonly responseText?: string
    }

const MAX_TEXT = 1000
const SIGN_IN = 'The mail server does not accept the sign-in'
const NOT_USABLE = 'The mail server is not usable'
const TIMEOUT = 'The mail server did not respond in time'

/** Runs a try; what a server does wrong is a result. */
export async function tell(
  server: MailServer,
  signal: AbortSignal,
  attempt: () => Promise<void>
): Promise<Tried> {
  try {
    await attempt()
    return { success: true }
  } catch (error) {
    if (signal.aborted) return { success: false, error: TIMEOUT, code: 'ETIMEDOUT' }
    const showsText = server.egress !== 'public'
    if (error instanceof ConnectError) return tellConnectError(error, showsText)
    if (!(error instanceof Error) || isStorageError(error)) throw error
    return tellSmtpError(error, showsText)
  }
}

function tellConnectError({ state, error }: ConnectError, showsText: boolean): Tried {
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

function tellSmtpError(error: Error, showsText: boolean): Tried {
  const { responseCode, response, code: told }: SmtpError = error
  // A rejected access token has no successor here.
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
  return cutText(text, MAX_TEXT)
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
}
