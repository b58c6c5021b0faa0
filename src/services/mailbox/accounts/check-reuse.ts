import { isDeepStrictEqual } from 'node:util'
import type { InvalidField } from '../contract.ts'
import type { AccountSettings, ServerSettings } from './account.ts'
import type { AccountInput } from './account-input.ts'

/**
 * A token of an account never reads its stored passwords and tokens, so it must not make nonet send
 * them to another server either: with a server it names, it also sends what signs in there.
 */
export function checkReuse(
  input: AccountInput,
  stored: AccountSettings,
  next: AccountSettings,
  fields: InvalidField[]
): void {
  const sendsOauth2 = input.oauth2 && input.oauth2.partial !== true
  for (const key of ['imap', 'smtp'] as const) {
    const server = next[key]
    if (!server || server.auth === false || isSameTarget(stored[key], server)) continue
    const { auth } = input[key] || {}
    const isSent = auth && (auth.pass !== undefined || auth.accessToken !== undefined)
    if (isSent || (sendsOauth2 && !auth)) continue
    const message = 'cannot be changed without sending the password or token again'
    fields.push({ key: `${key}.host`, message })
  }
  const { oauth2 } = next
  if (!oauth2 || !stored.oauth2 || sendsOauth2) return
  if (oauth2.tokenUrl !== stored.oauth2.tokenUrl) {
    const message = 'cannot be changed without sending the tokens again, and with partial'
    fields.push({ key: 'oauth2.tokenUrl', message })
  }
}

function isSameTarget(stored: ServerSettings | false | undefined, next: ServerSettings): boolean {
  if (!stored) return false
  const isSame = stored.host === next.host && stored.port === next.port
  return isSame && stored.secure === next.secure && isDeepStrictEqual(stored.tls, next.tls)
}
