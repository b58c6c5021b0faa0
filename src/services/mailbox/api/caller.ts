import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MailboxContext } from '../context.ts'
import type { Action } from './permissions.ts'

/** Who sent a request. */
export interface Caller {
  /** Ids of accounts; undefined for an operator, who may use all. */
  readonly accounts: readonly string[] | undefined
  /** The token has permissions or restrictions, so it is no operator's, whatever its accounts. */
  readonly isNarrowed?: boolean
  /** Of the token, for responses that do not end soon. */
  readonly tokenId?: string
  /** Undefined: the token may do everything. */
  readonly actions?: readonly Action[] | undefined
}

export type AccessContext = Pick<MailboxContext, 'kernel' | 'settings'>

export interface Exchange {
  readonly request: IncomingMessage
  /** Gets the headers of the token's rate limit. */
  readonly response: ServerResponse
}
