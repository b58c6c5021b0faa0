/** What routes require, and what tokens are limited to. */

/** What a token with `permissions` is limited to. */
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
  /** Never part of a narrowed token. */
  | 'admin'
export type Action = 'read' | 'write' | 'send' | 'destructive'

/**
 * `path`: the account of the path, which must be one of the token's; others look like unknown ones.
 * `own`: the handler shows what belongs to the accounts of the token. `admin`: a token of accounts
 * gets 403. `public`: no token.
 */
export type Access = 'path' | 'own' | 'admin' | 'public'
