import { normaliseHost } from '../../../kernel/host-name.ts'
import type { InvalidField } from '../contract.ts'
import type { Egress, ImapSettings, ServerSettings } from './account.ts'
import type { AuthInput, ImapInput, ServerInput } from './account-input.ts'

/** Of one server: a password, or an access token that is never refreshed. */
export interface ServerSecrets {
  readonly pass?: string | undefined
  readonly accessToken?: string | undefined
}

export interface ServerAndSecrets {
  readonly settings: ImapSettings | false | undefined
  readonly secrets: ServerSecrets
}

export interface ServerChange {
  readonly key: 'imap' | 'smtp'
  /** Undefined leaves the server as it is. */
  readonly input: ImapInput | ServerInput | false | undefined
  readonly stored: ServerAndSecrets
  /** Depends on who sent the request. */
  readonly egress: Egress
}

/** The server of an account after a request; adds to `fields` what is wrong. */
export function changeServer(
  { key, input, stored, egress }: ServerChange,
  fields: InvalidField[]
): ServerAndSecrets {
  if (input === undefined) return stored
  if (input === false) return { settings: false, secrets: {} }
  const { partial = false, auth: sentAuth, useAuthServer, ...sent } = input
  const isPartial = partial && stored.settings !== undefined && stored.settings !== false
  const before: Partial<ImapSettings> = isPartial ? stored.settings : {}
  const host = sent.host === undefined ? before.host : normaliseHost(sent.host)
  const port = sent.port ?? before.port
  if (host === '') fields.push({ key: `${key}.host`, message: 'is not a valid host name' })
  if (host === undefined) fields.push({ key: `${key}.host`, message: 'is required' })
  if (port === undefined) fields.push({ key: `${key}.port`, message: 'is required' })
  const { auth, secrets } = changeAuth(before.auth, isPartial ? stored.secrets : {}, sentAuth)
  if (auth !== false && auth.user === '' && sentAuth !== undefined) {
    fields.push({ key: `${key}.auth.user`, message: 'is required' })
  }
  if (secrets.pass !== undefined && secrets.accessToken !== undefined) {
    fields.push({ key: `${key}.auth`, message: 'must have either pass or accessToken' })
  }
  const tls = { ...before.tls, ...sent.tls }
  return {
    settings: {
      secure: false,
      ...before,
      ...sent,
      host: host ?? '',
      port: port ?? 0,
      auth,
      ...(Object.keys(tls).length > 0 && { tls }),
      egress: serverEgress(stored.settings, { host, port }, egress)
    },
    secrets
  }
}

/** A server that an operator named keeps its policy if the token of the account sends it again. */
function serverEgress(
  stored: ServerSettings | false | undefined,
  next: { readonly host: string | undefined; readonly port: number | undefined },
  egress: Egress
): Egress {
  const isSame = stored && stored.host === next.host && stored.port === next.port
  const isOperator = egress === 'any'
  return isSame && !isOperator ? (stored.egress ?? egress) : egress
}

/** Without a user the account signs in with its OAuth2 user, if it has one. */
function changeAuth(
  before: ServerSettings['auth'] | undefined,
  stored: ServerSecrets,
  sent: AuthInput | false | undefined
): { auth: ServerSettings['auth']; secrets: ServerSecrets } {
  if (sent === false) return { auth: false, secrets: {} }
  if (sent === undefined) return { auth: before ?? { user: '' }, secrets: stored }
  const { pass, accessToken } = sent
  const user = sent.user ?? (before ? before.user : '')
  const isSent = pass !== undefined || accessToken !== undefined
  return { auth: { user }, secrets: isSent ? { pass, accessToken } : stored }
}
