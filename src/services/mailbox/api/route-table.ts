import type { Access, Action, ApiRoute, Group } from './route.ts'

type Offered = readonly [access: Access, group: Group, action: Action]

function route<const Name extends string>(
  name: Name,
  method: ApiRoute['method'],
  pattern: string,
  [access, group, action]: Offered,
  about: string
) {
  return { name, method, pattern, access, offer: 'here', group, action, about } as const
}

const ACCOUNT = '/v1/account/:account'

/** Routes that work; each has a handler of its name. */
export const OFFERED_ROUTES = [
  route(
    'addAccount',
    'POST',
    '/v1/account',
    ['admin', 'account', 'write'],
    'Register an account, or change one'
  ),
  route('showAccount', 'GET', ACCOUNT, ['path', 'account', 'read'], 'An account'),
  route('changeAccount', 'PUT', ACCOUNT, ['path', 'account', 'write'], 'Change an account'),
  route(
    'removeAccount',
    'DELETE',
    ACCOUNT,
    ['path', 'account', 'destructive'],
    'Remove an account and its queue'
  ),
  route('listAccounts', 'GET', '/v1/accounts', ['own', 'account', 'read'], 'Accounts of the token'),
  route(
    'reconnect',
    'PUT',
    `${ACCOUNT}/reconnect`,
    ['path', 'account', 'write'],
    'Close the connection and open another one'
  ),
  route(
    'sync',
    'PUT',
    `${ACCOUNT}/sync`,
    ['path', 'account', 'write'],
    'Compare all mailboxes with what is known about them'
  ),
  route(
    'flush',
    'PUT',
    `${ACCOUNT}/flush`,
    ['path', 'account', 'write'],
    'Forget what is known about the mailboxes, and read them again'
  ),
  route(
    'verifyAccount',
    'POST',
    '/v1/verifyAccount',
    ['admin', 'account', 'read'],
    'Try settings of mail servers'
  ),
  route(
    'autoconfig',
    'GET',
    '/v1/autoconfig',
    ['admin', 'account', 'read'],
    'Mail servers of an address'
  ),
  route(
    'accountLog',
    'GET',
    '/v1/logs/:account',
    ['path', 'logs', 'read'],
    'Stored log of the connections of an account'
  ),

  route('listMailboxes', 'GET', `${ACCOUNT}/mailboxes`, ['path', 'mailbox', 'read'], 'Mailboxes'),
  route(
    'addMailbox',
    'POST',
    `${ACCOUNT}/mailbox`,
    ['path', 'mailbox', 'write'],
    'Create a mailbox'
  ),
  route(
    'changeMailbox',
    'PUT',
    `${ACCOUNT}/mailbox`,
    ['path', 'mailbox', 'write'],
    'Rename or subscribe a mailbox'
  ),
  route(
    'removeMailbox',
    'DELETE',
    `${ACCOUNT}/mailbox`,
    ['path', 'mailbox', 'destructive'],
    'Delete a mailbox'
  ),

  route(
    'listMessages',
    'GET',
    `${ACCOUNT}/messages`,
    ['path', 'message', 'read'],
    'Messages of a mailbox, the newest first'
  ),
  route(
    'search',
    'POST',
    `${ACCOUNT}/search`,
    ['path', 'message', 'read'],
    'Search a mailbox, or all with path=*'
  ),
  route(
    'showMessage',
    'GET',
    `${ACCOUNT}/message/:message`,
    ['path', 'message', 'read'],
    'A message'
  ),
  route(
    'showText',
    'GET',
    `${ACCOUNT}/text/:text`,
    ['path', 'message', 'read'],
    'The text of a message'
  ),
  route(
    'downloadAttachment',
    'GET',
    `${ACCOUNT}/attachment/:attachment`,
    ['path', 'message', 'read'],
    'An attachment'
  ),
  route(
    'downloadSource',
    'GET',
    `${ACCOUNT}/message/:message/source`,
    ['path', 'message', 'read'],
    'The message as it was received'
  ),

  route(
    'changeMessage',
    'PUT',
    `${ACCOUNT}/message/:message`,
    ['path', 'message', 'write'],
    'Change the flags of a message'
  ),
  route(
    'removeMessage',
    'DELETE',
    `${ACCOUNT}/message/:message`,
    ['path', 'message', 'destructive'],
    'Move a message to the trash, or delete it'
  ),
  route(
    'moveMessage',
    'PUT',
    `${ACCOUNT}/message/:message/move`,
    ['path', 'message', 'write'],
    'Move a message to another mailbox'
  ),
  route(
    'changeMessages',
    'PUT',
    `${ACCOUNT}/messages`,
    ['path', 'message', 'write'],
    'Change the flags of all that a search finds'
  ),
  route(
    'moveMessages',
    'PUT',
    `${ACCOUNT}/messages/move`,
    ['path', 'message', 'write'],
    'Move all that a search finds'
  ),
  route(
    'removeMessages',
    'PUT',
    `${ACCOUNT}/messages/delete`,
    ['path', 'message', 'destructive'],
    'Delete all that a search finds'
  ),
  route(
    'uploadMessage',
    'POST',
    `${ACCOUNT}/message`,
    ['path', 'message', 'write'],
    'Store a message in a mailbox, for example a draft'
  ),

  route(
    'submit',
    'POST',
    `${ACCOUNT}/submit`,
    ['path', 'submit', 'send'],
    'Queue a message for delivery'
  ),
  route(
    'submitDraft',
    'POST',
    `${ACCOUNT}/message/:message/submit`,
    ['path', 'submit', 'send'],
    'Queue a draft for delivery'
  ),
  route('listOutbox', 'GET', '/v1/outbox', ['own', 'outbox', 'read'], 'Queued messages'),
  route('showQueued', 'GET', '/v1/outbox/:queueId', ['own', 'outbox', 'read'], 'A queued message'),
  route(
    'removeQueued',
    'DELETE',
    '/v1/outbox/:queueId',
    ['own', 'outbox', 'destructive'],
    'Remove a message from the queue'
  ),

  route(
    'changes',
    'GET',
    '/v1/changes',
    ['own', 'events', 'read'],
    'Stream of the states of accounts, or of their events'
  ),
  route(
    'listEvents',
    'GET',
    '/v1/events',
    ['own', 'events', 'read'],
    'Events of the last days, the newest first'
  ),
  route('showEvent', 'GET', '/v1/events/:event', ['own', 'events', 'read'], 'An event'),
  route(
    'replayEvent',
    'POST',
    '/v1/events/:event/replay',
    ['own', 'events', 'write'],
    'Send an event to its receiver again'
  ),
  route(
    'replayEvents',
    'POST',
    '/v1/events/replay',
    ['own', 'events', 'write'],
    'Send many events again, for example those that failed'
  ),

  route('readSettings', 'GET', '/v1/settings', ['admin', 'admin', 'read'], 'Settings'),
  route('changeSettings', 'POST', '/v1/settings', ['admin', 'admin', 'write'], 'Change settings'),
  route(
    'showQueue',
    'GET',
    '/v1/settings/queue/:queue',
    ['admin', 'admin', 'read'],
    'Numbers of a queue'
  ),
  route(
    'pauseQueue',
    'PUT',
    '/v1/settings/queue/:queue',
    ['admin', 'admin', 'write'],
    'Pause or resume a queue'
  ),
  route('addToken', 'POST', '/v1/tokens', ['admin', 'admin', 'write'], 'Create a token'),
  route('listTokens', 'GET', '/v1/tokens', ['admin', 'admin', 'read'], 'Tokens'),
  route('showToken', 'GET', '/v1/tokens/:token', ['admin', 'admin', 'read'], 'A token'),
  route(
    'removeToken',
    'DELETE',
    '/v1/tokens/:token',
    ['admin', 'admin', 'destructive'],
    'Revoke a token'
  ),
  route(
    'tokenLog',
    'GET',
    '/v1/tokens/:token/log',
    ['admin', 'admin', 'read'],
    'Requests of a token'
  ),
  route(
    'addToken',
    'POST',
    '/v1/token',
    ['admin', 'admin', 'write'],
    'Create a token; an older path'
  ),
  route(
    'removeToken',
    'DELETE',
    '/v1/token/:token',
    ['admin', 'admin', 'destructive'],
    'Revoke a token; an older path'
  ),
  route(
    'listAccountTokens',
    'GET',
    '/v1/tokens/account/:account',
    ['admin', 'admin', 'read'],
    'Tokens of an account; an older path'
  ),
  route(
    'stats',
    'GET',
    '/v1/stats',
    ['admin', 'diagnostics', 'read'],
    'Numbers of accounts, connections and events'
  ),
  route(
    'showLicense',
    'GET',
    '/v1/license',
    ['admin', 'admin', 'read'],
    'The licence; for clients of EmailEngine'
  ),
  route(
    'changeLicense',
    'POST',
    '/v1/license',
    ['admin', 'admin', 'write'],
    'Does nothing; no licence key is needed'
  ),
  route(
    'removeLicense',
    'DELETE',
    '/v1/license',
    ['admin', 'admin', 'destructive'],
    'Does nothing; no licence key is needed'
  ),
  route(
    'metrics',
    'GET',
    '/metrics',
    ['admin', 'diagnostics', 'read'],
    'Metrics in the format of Prometheus'
  )
] as const satisfies readonly ApiRoute[]

export type HandlerName = (typeof OFFERED_ROUTES)[number]['name']
