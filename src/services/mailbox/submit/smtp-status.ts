import type { SmtpStatus } from '../accounts/account.ts'
import type { SmtpError } from './retry-rules.ts'

const MAX_LENGTH = 1000

/** What an account shows of its last attempt to send: a response, or an error. */
export function smtpStatusOf(
  result: SmtpError | { readonly response: string | undefined },
  time: number
): SmtpStatus {
  const created = new Date(time).toISOString()
  const { response } = result
  const shown = response === undefined ? {} : { response: response.slice(0, MAX_LENGTH) }
  if (!('message' in result)) return { created, status: 'ok', ...shown }
  const { message, code, responseCode, command } = result
  return {
    created,
    status: 'error',
    ...shown,
    description: message.slice(0, MAX_LENGTH),
    ...(code !== undefined && { code }),
    ...(responseCode !== undefined && { responseCode }),
    ...(command !== undefined && { command })
  }
}
