import type { Egress, ServerSettings } from './account.ts'

/** A password, or an access token of OAuth2. */
export type SignIn =
  | { readonly user: string; readonly pass: string }
  | { readonly user: string; readonly accessToken: string }

/** A mail server to connect to. */
export interface MailServer extends Omit<ServerSettings, 'auth' | 'egress'> {
  /** `own`: the sandbox, which listens on this machine. */
  readonly egress: Egress | 'own'
  /**
   * Undefined if the server needs no sign-in. `rejected` is the access token that the server has
   * just rejected: another one is fetched, once.
   */
  readonly signIn: (rejected?: string) => Promise<SignIn | undefined>
}
