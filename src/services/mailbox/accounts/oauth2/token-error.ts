import type { AccountError, TokenRequestError } from '../account.ts'

/** There is no access token or password to sign in with. `message` and `accountError` have no secrets. */
export class TokenError extends Error {
  readonly accountError: AccountError
  /** Whether a later attempt may succeed; otherwise the account must be changed first. */
  readonly isTemporary: boolean

  constructor(
    message: string,
    { isTemporary, tokenRequest }: { isTemporary: boolean; tokenRequest?: TokenRequestError }
  ) {
    super(message)
    this.name = 'TokenError'
    this.isTemporary = isTemporary
    this.accountError = {
      ...(tokenRequest === undefined
        ? { response: message }
        : { response: 'Token request failed', description: message, tokenRequest }),
      serverResponseCode: tokenRequest === undefined ? 'NoCredentials' : 'OauthRenewError'
    }
  }
}
