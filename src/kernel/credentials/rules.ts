import type { Transaction } from '../database/transaction.ts'

/** Text form of a service's secrets, and what of them is hashed. */
export type TokenFormat =
  /** `nnt_` and 43 letters and digits. */
  | 'nonet'
  /** 64 hexadecimal digits. */
  | 'hex'
  /** 64 hexadecimal digits; the hash is that of the 32 bytes they stand for. */
  | 'hexBytes'
  /** `pk_` and 20 letters and digits, for tokens that web pages contain. */
  | 'publishable'

/** The tokens that a service accepts; its migrations then contain `credentialsMigration()`. */
export interface CredentialRules {
  /** What a token can allow, each with a line for `--help`. */
  scopes: Readonly<Record<string, string>>
  defaultScopes: readonly string[]
  format: TokenFormat
  /**
   * Scopes with a format of their own, which no other scope can be combined with. A text is a
   * secret of one format at most, so `hex` and `hexBytes` exclude each other.
   */
  formats?: Readonly<Record<string, TokenFormat>>
  /** Flags of `nonet token create` that bind a token to resources. */
  flags: Readonly<Record<string, { type: 'string' | 'boolean'; about: string }>>
  /** Copies what the service stores with a token to its successor; both are ids. */
  onReplace?: (replaced: string, successor: string) => Transaction<void>
}

/** Who sent a request, as far as its token tells. */
export interface Principal {
  readonly tokenId: string
  readonly name: string
  readonly scopes: readonly string[]
  /** Resources that the token is limited to; `*` stands for all. */
  readonly bindings: readonly string[]
  /** Times are in Unix milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number | undefined
}

/** `rotated`: valid until its successor has replaced it everywhere. */
export type TokenState = 'active' | 'rotated' | 'expired' | 'revoked'

/** What operators see of a token, which is neither the secret nor its hash. Times are in Unix milliseconds. */
export interface TokenFacts {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly bindings: readonly string[]
  readonly createdAt: number
  /** At most a minute late if another process has seen the token. */
  readonly usedAt: number | undefined
  readonly expiresAt: number | undefined
  /** Id of the token that replaces it. */
  readonly replacedBy: string | undefined
  readonly state: TokenState
}
