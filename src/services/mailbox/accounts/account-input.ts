/** Bodies of requests to register and to change accounts, as their schemas allow them. */
import type { CustomHeader } from '../webhooks/custom-headers.ts'
import type { ImapIndexer, TlsSettings } from './account.ts'

export interface AuthInput {
  readonly user?: string
  readonly pass?: string
  readonly accessToken?: string
}

export interface ServerInput {
  readonly host?: string
  readonly port?: number
  readonly secure?: boolean
  readonly auth?: AuthInput | false
  readonly tls?: TlsSettings
  readonly useAuthServer?: false
  /** Fields that are not sent stay as they are. */
  readonly partial?: boolean
}

export interface ImapInput extends ServerInput {
  readonly disabled?: boolean
  readonly resyncDelay?: number
  readonly disableIMAP4rev2?: boolean
  readonly sentMailPath?: string | null
  readonly draftsMailPath?: string | null
  readonly junkMailPath?: string | null
  readonly trashMailPath?: string | null
  readonly archiveMailPath?: string | null
}

export interface Oauth2Input {
  readonly auth?: { readonly user?: string }
  readonly accessToken?: string
  readonly refreshToken?: string
  readonly expires?: string
  readonly tokenUrl?: string
  readonly clientId?: string
  readonly clientSecret?: string
  readonly scopes?: readonly string[]
  readonly authorize?: false
  readonly useAuthServer?: false
  readonly partial?: boolean
}

export interface AccountInput {
  readonly name?: string
  readonly email?: string
  readonly imap?: ImapInput | false
  readonly smtp?: ServerInput | false
  readonly oauth2?: Oauth2Input | false
  readonly copy?: boolean | null
  readonly path?: readonly string[]
  readonly subconnections?: readonly string[]
  /** Null: from the time of the registration. */
  readonly notifyFrom?: string | null
  /** Null: as the settings say. */
  readonly imapIndexer?: ImapIndexer | null
  readonly logs?: boolean
  readonly smtpEhloName?: string
  readonly locale?: string
  readonly tz?: string
  /** Null or an empty text removes the URL. */
  readonly webhooks?: string | null
  /** An empty list removes the headers. */
  readonly webhooksCustomHeaders?: readonly CustomHeader[]
}
