import type { InvalidField } from '../contract.ts'
import type { AccountSecrets, Egress, Oauth2Settings } from './account.ts'
import type { Oauth2Input } from './account-input.ts'
import { isTokenUrl, TOKEN_URL_MESSAGE } from './oauth2/token-url.ts'

export type Oauth2Secrets = Pick<AccountSecrets, 'accessToken' | 'refreshToken' | 'clientSecret'>

export interface Oauth2AndSecrets {
  readonly settings: Oauth2Settings | false | undefined
  readonly secrets: Oauth2Secrets
}

export interface Oauth2Change {
  /** Undefined leaves all as it is. */
  readonly input: Oauth2Input | false | undefined
  readonly stored: Oauth2AndSecrets
  /** Depends on who sent the request. */
  readonly egress: Egress
}

/** The OAuth2 sign-in of an account after a request; adds to `fields` what is wrong. */
export function changeOauth2(
  { input, stored, egress }: Oauth2Change,
  fields: InvalidField[]
): Oauth2AndSecrets {
  if (input === undefined) return stored
  if (input === false) return { settings: false, secrets: {} }
  const { partial = false, auth, authorize, useAuthServer, ...rest } = input
  const { accessToken, refreshToken, clientSecret, ...sent } = rest
  const isPartial = partial && stored.settings !== undefined && stored.settings !== false
  const before: Partial<Oauth2Settings> = isPartial ? stored.settings : {}
  const user = auth?.user ?? before.auth?.user ?? ''
  if (user === '') fields.push({ key: 'oauth2.auth.user', message: 'is required' })
  // An access token belongs to its refresh token.
  const { accessToken: storedToken, ...storedSecrets } = isPartial ? stored.secrets : {}
  const isKept = refreshToken === undefined && storedToken !== undefined
  const secrets = {
    ...storedSecrets,
    ...(isKept && { accessToken: storedToken }),
    ...(accessToken !== undefined && { accessToken }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(clientSecret !== undefined && { clientSecret })
  }
  // The time of another token says nothing about this one.
  const { expires: known, ...others } = before
  const isSameToken = isKept && accessToken === undefined
  const sentExpires = sent.expires === undefined ? undefined : new Date(sent.expires).toISOString()
  const expires = sentExpires ?? (isSameToken ? known : undefined)
  const { tokenUrl: storedUrl, egress: storedEgress } = stored.settings || {}
  const isSameUrl = (sent.tokenUrl ?? others.tokenUrl) === storedUrl
  const settings = {
    ...others,
    ...sent,
    auth: { user },
    ...(expires !== undefined && { expires }),
    egress: isSameUrl && egress === 'public' ? (storedEgress ?? egress) : egress
  }
  checkOauth2(settings, secrets, fields)
  return { settings, secrets }
}

function checkOauth2(
  { tokenUrl, clientId }: Oauth2Settings,
  { accessToken, refreshToken }: Oauth2Secrets,
  fields: InvalidField[]
): void {
  if (accessToken === undefined && refreshToken === undefined) {
    fields.push({ key: 'oauth2.refreshToken', message: 'is required without accessToken' })
  }
  if (refreshToken !== undefined) {
    for (const [name, value] of Object.entries({ tokenUrl, clientId })) {
      if (value !== undefined) continue
      fields.push({ key: `oauth2.${name}`, message: 'is required with refreshToken' })
    }
  }
  if (tokenUrl !== undefined && !isTokenUrl(tokenUrl)) {
    fields.push({ key: 'oauth2.tokenUrl', message: TOKEN_URL_MESSAGE })
  }
}
