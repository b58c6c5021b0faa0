/** Accounts on mail servers, as the parts of the service see them. */
import type { CustomHeader } from '../webhooks/custom-headers.ts'

export const ACCOUNT_STATES = [
  'init',
  'connecting',
  'syncing',
  'connected',
  'authenticationError',
  'connectError',
  'disconnected',
  'unset',
  'paused'
] as const
export type AccountState = (typeof ACCOUNT_STATES)[number]

export interface TlsSettings {
  readonly rejectUnauthorized?: boolean
  readonly minVersion?: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'
}

/** Of one server; passwords and tokens are in `AccountSecrets`. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  readonly secure: boolean
  /** False: the server needs no sign-in. */
  readonly auth: { readonly user: string } | false
  readonly tls?: TlsSettings
  /** Depends on who named the server; that of the account if undefined. */
  readonly egress?: Egress
}

export interface ImapSettings extends ServerSettings {
  readonly disabled?: boolean
  /** Seconds after which all mailboxes are compared at the latest. */
  readonly resyncDelay?: number
  readonly disableIMAP4rev2?: boolean
  readonly sentMailPath?: string | null
  readonly draftsMailPath?: string | null
  readonly junkMailPath?: string | null
  readonly trashMailPath?: string | null
  readonly archiveMailPath?: string | null
}

export interface Oauth2Settings {
  readonly auth: { readonly user: string }
  readonly tokenUrl?: string
  readonly clientId?: string
  readonly scopes?: readonly string[]
  /** ISO 8601; of the access token. */
  readonly expires?: string
  /** Depends on who named `tokenUrl`. */
  readonly egress?: Egress
}

/** `fast` reports new mail only, without comparing the mail that is known. */
export type ImapIndexer = 'full' | 'fast'

/** What a client set, without secrets. */
export interface AccountSettings {
  readonly imap?: ImapSettings | false
  readonly smtp?: ServerSettings | false
  readonly oauth2?: Oauth2Settings | false
  readonly copy?: boolean | null
  /** Paths of mailboxes and special uses such as `\\Sent` whose changes are reported; all if undefined. */
  readonly path?: readonly string[]
  /** Paths or special uses that have connections of their own on servers without NOTIFY. */
  readonly subconnections?: readonly string[]
  /** ISO 8601: earlier mail is not reported; the time of the registration if undefined. */
  readonly notifyFrom?: string
  /** That of the settings if undefined. */
  readonly imapIndexer?: ImapIndexer
  readonly logs?: boolean
  readonly smtpEhloName?: string
  readonly locale?: string
  readonly tz?: string
  /** URL of the account's own receiver of events, as it is shown: a user in it is masked. */
  readonly webhooks?: string
  /** Who named `webhooks`. */
  readonly webhooksOrigin?: WebhookOrigin
  /** Who set `AccountSecrets.webhooksHeaders`. */
  readonly webhooksHeadersEgress?: Egress
}

export interface WebhookOrigin {
  readonly egress: Egress
  /** Whether a proxy passed the request on; deliveries to loopback are then not allowed. */
  readonly isForwarded: boolean
}

/** Stored sealed; never part of a response or a log. */
export interface AccountSecrets {
  readonly imapPass?: string
  readonly imapAccessToken?: string
  readonly smtpPass?: string
  readonly smtpAccessToken?: string
  readonly accessToken?: string
  readonly refreshToken?: string
  readonly clientSecret?: string
  /** `name:password` of the URL `webhooks`. */
  readonly webhooksUser?: string
  readonly webhooksHeaders?: readonly CustomHeader[]
}

/** A request for an access token that has failed. */
export interface TokenRequestError {
  readonly grant: 'refresh_token'
  readonly clientId?: string
  readonly scopes?: readonly string[]
  /** Of the response, if there was one. */
  readonly status?: number
  readonly response?: { readonly error?: string; readonly error_description?: string }
}

/** The last error of a connection, without secrets. */
export interface AccountError {
  readonly response: string
  readonly description?: string
  readonly serverResponseCode?: string
  /** ISO 8601: when the same error was seen first, without a success since. */
  readonly since?: string
  readonly tokenRequest?: TokenRequestError
}

/** Of the last attempt to send. */
export interface SmtpStatus {
  readonly created: string
  readonly status: 'ok' | 'error'
  readonly response?: string
  readonly description?: string
  readonly responseCode?: number
  readonly code?: string
  readonly command?: string
}

/**
 * Which mail servers the account may connect to: those that an operator named may have any address
 * except link-local ones and those of metadata services; those that the token of an account named
 * must be public, on mail ports.
 */
export type Egress = 'any' | 'public'

export interface Account {
  readonly id: string
  readonly name: string
  readonly email: string | undefined
  /** Its servers are those of the sandbox, whatever ports they listen on. */
  readonly isSandbox: boolean
  readonly settings: AccountSettings
  readonly state: AccountState
  readonly lastError: AccountError | undefined
  readonly smtpStatus: SmtpStatus | undefined
  readonly egress: Egress
  /** Grows with each change of settings or secrets: connections with an older one are closed. */
  readonly revision: number
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly syncTime: number | undefined
}

export type NewAccount = Pick<
  Account,
  'id' | 'name' | 'email' | 'isSandbox' | 'settings' | 'egress'
>

/** An account with its secrets. */
export interface StoredAccount {
  readonly account: Account
  readonly secrets: AccountSecrets
}

export interface AccountFilter {
  readonly state?: AccountState | undefined
  /** Part of an id, a name or an email address. */
  readonly query?: string | undefined
  /** Ids; all if undefined. */
  readonly ids?: readonly string[] | undefined
}

export interface AccountStore {
  find: (id: string) => Promise<Account | undefined>
  /** Ids of the accounts with this id or else with this email address, without case; two at most. */
  findIds: (idOrEmail: string) => Promise<readonly string[]>
  count: () => Promise<number>
  readSecrets: (id: string) => Promise<AccountSecrets>
  list: (
    filter: AccountFilter,
    page: { readonly limit: number; readonly offset: number }
  ) => Promise<{ readonly total: number; readonly accounts: readonly Account[] }>
  /** Numbers of accounts by state. */
  countStates: () => Promise<Readonly<Partial<Record<AccountState, number>>>>
  /**
   * Adds or replaces an account in one transaction: `change` gets the stored account and its
   * secrets, or undefined, and returns what is stored. It may run more than once.
   */
  save: (
    id: string,
    change: (stored: StoredAccount | undefined) => {
      readonly account: NewAccount
      readonly secrets: AccountSecrets
    }
  ) => Promise<'new' | 'existing'>
  /** Only secrets, after a token was refreshed; false if the revision has changed meanwhile. */
  saveTokens: (
    id: string,
    revision: number,
    tokens: Pick<AccountSecrets, 'accessToken' | 'refreshToken'> & { readonly expires?: string }
  ) => Promise<boolean>
  /** Without an error the last one is forgotten. Nothing is stored for an earlier revision. */
  setState: (
    id: string,
    state: AccountState,
    error?: AccountError,
    revision?: number
  ) => Promise<void>
  /** A new revision, so that all processes close their connections; the state is as of a new account. */
  reconnect: (id: string) => Promise<void>
  /** Numbers of events by account and name. */
  readCounters: (
    ids: readonly string[]
  ) => Promise<ReadonlyMap<string, Readonly<Record<string, number>>>>
  setSmtpStatus: (id: string, status: SmtpStatus) => Promise<void>
  /**
   * With its queue, its tokens and its rows in all tables; false if there is no such account.
   * `receiver` is where its last event is sent, sealed.
   */
  remove: (id: string, receiver?: string) => Promise<boolean>
}
