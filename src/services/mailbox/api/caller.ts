import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MailboxContext } from '../context.ts'
import type { Action } from './permissions.ts'

/** Who sent a request. */
export interface Caller {
  /** Ids of accounts; undefined for an operator, who may use all. */
  readonly accounts: readonly string[] | undefined
  /** The token allows less than others of its accounts: a token without accounts is no operator's. */
  readonly isNarrowed?: boolean
  /** All that the token may do; undefined: everything. */
  readonly actions?: readonly Action[] | undefined
}

export type AccessContext = Pick<MailboxContext, 'kernel' | 'settings'>

export interface Exchange {
  readonly request: IncomingMessage
  /** Gets the headers of the token's rate limit. */
  readonly response: ServerResponse
}
