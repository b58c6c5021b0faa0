import { isDeepStrictEqual } from 'node:util'
import type { InvalidField } from '../contract.ts'
import type { AccountSecrets, AccountSettings, ServerSettings } from './account.ts'
import type { AccountInput } from './account-input.ts'

export interface SettingsAndSecrets {
  readonly settings: AccountSettings
  readonly secrets: AccountSecrets
}

const MESSAGE = 'cannot be changed without sending the password or token again'

/**
 * A token of an account never reads its stored passwords and tokens, so it must not make nonet send
 * them to another server either: a request that names another server must contain the credentials.
 */
export function checkReuse(
  input: AccountInput,
  stored: SettingsAndSecrets,
  next: SettingsAndSecrets,
  fields: InvalidField[]
): void {
  const sendsOauth2 = Boolean(input.oauth2 && input.oauth2.partial !== true)
  for (const key of ['imap', 'smtp'] as const) {
    const server = next.settings[key]
    if (!server || server.auth === false) continue
    const isOwn = hasOwnSecrets(next.secrets, key)
    const isSent = isOwn ? sendsSecrets(input, key) : sendsOauth2
    if (isSent) continue
    const before = stored.settings[key]
    // Sign-in by OAuth2 must have been allowed for this server.
    const wasUsed = before && before.auth !== false && hasOwnSecrets(stored.secrets, key) === isOwn
    if (wasUsed && isSameTarget(before, server)) continue
    fields.push({ key: `${key}.host`, message: MESSAGE })
  }
  const { oauth2 } = next.settings
  const { oauth2: known } = stored.settings
  if (!oauth2 || !known || sendsOauth2 || oauth2.tokenUrl === known.tokenUrl) return
  const message = 'cannot be changed with partial; send all fields of oauth2, with the tokens'
  fields.push({ key: 'oauth2.tokenUrl', message })
}

/** A server without a password or token of its own signs in with those of `oauth2`. */
function hasOwnSecrets(secrets: AccountSecrets, key: 'imap' | 'smtp'): boolean {
  const { imapPass, imapAccessToken, smtpPass, smtpAccessToken } = secrets
  return (
    (key === 'imap' ? (imapPass ?? imapAccessToken) : (smtpPass ?? smtpAccessToken)) !== undefined
  )
}

function sendsSecrets(input: AccountInput, key: 'imap' | 'smtp'): boolean {
  const { auth } = input[key] || {}
  return Boolean(auth && (auth.pass !== undefined || auth.accessToken !== undefined))
}

function isSameTarget(stored: ServerSettings, next: ServerSettings): boolean {
  const isSame = stored.host === next.host && stored.port === next.port
  return isSame && stored.secure === next.secure && isDeepStrictEqual(stored.tls, next.tls)
}
