/** What routes require, and what tokens are limited to. */

/** A part of the API that the permissions of a token name. */
export type Group =
  | 'account'
  | 'mailbox'
  | 'message'
  | 'submit'
  | 'outbox'
  | 'export'
  | 'template'
  | 'blocklist'
  | 'webhook'
  | 'gateway'
  | 'events'
  | 'diagnostics'
  | 'logs'
  /** Not for tokens with permissions. */
  | 'admin'
export type Action = 'read' | 'write' | 'send' | 'destructive'

/**
 * `path`: the account of the path must be one of the token's; others look like unknown ones. `own`:
 * the handler shows what belongs to the accounts of the token. `admin`: a token of accounts gets
 * 403. `public`: needs no token.
 */
export type Access = 'path' | 'own' | 'admin' | 'public'
