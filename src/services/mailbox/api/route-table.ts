import {
  BLOCKLISTS,
  EXPORTS,
  GATEWAYS,
  OAUTH2_APPLICATIONS,
  SHOWN_TOKENS,
  SUMMARIES,
  TEMPLATES,
  TRACKING,
  WEBHOOKS
} from './missing-features.ts'
import type { Access, Action, ApiRoute, Group, Offer } from './route.ts'

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

function missing(
  offer: Exclude<Offer, 'here'>,
  method: ApiRoute['method'],
  pattern: string,
  about: string
): ApiRoute {
  return {
    name: '',
    method,
    pattern,
    access: 'admin',
    offer,
    group: 'admin',
    action: 'read',
    about
  }
}

const ACCOUNT = '/v1/account/:account'
const VENDOR = 'This route depends on a service of another vendor and is not offered'

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

/** Routes of EmailEngine that respond 404 with a sentence. */
export const MISSING_ROUTES: readonly ApiRoute[] = [
  missing('changes', 'PUT', `${ACCOUNT}/sync`, WEBHOOKS),
  missing('changes', 'PUT', `${ACCOUNT}/flush`, WEBHOOKS),
  missing('changes', 'GET', '/v1/changes', WEBHOOKS),
  missing('later', 'GET', '/v1/webhookRoutes', WEBHOOKS),
  missing('later', 'GET', '/v1/webhookRoutes/webhookRoute/:route', WEBHOOKS),
  missing('later', 'GET', `${ACCOUNT}/oauth-token`, SHOWN_TOKENS),
  missing(
    'later',
    'GET',
    `${ACCOUNT}/server-signatures`,
    'Signatures on mail servers are not offered'
  ),
  missing(
    'later',
    'POST',
    '/v1/authentication/form',
    'There is no hosted form to add an account yet; use POST /v1/account'
  ),
  missing('never', 'GET', `${ACCOUNT}/contacts`, 'There is no list of contacts'),
  missing('later', 'GET', '/v1/templates', TEMPLATES),
  missing('later', 'POST', '/v1/templates/template', TEMPLATES),
  missing('later', 'GET', '/v1/templates/template/:template', TEMPLATES),
  missing('later', 'PUT', '/v1/templates/template/:template', TEMPLATES),
  missing('later', 'DELETE', '/v1/templates/template/:template', TEMPLATES),
  missing('later', 'DELETE', '/v1/templates/account/:account', TEMPLATES),
  missing('later', 'GET', '/v1/blocklists', BLOCKLISTS),
  missing('later', 'GET', '/v1/blocklist/:list', BLOCKLISTS),
  missing('later', 'POST', '/v1/blocklist/:list', BLOCKLISTS),
  missing('later', 'DELETE', '/v1/blocklist/:list', BLOCKLISTS),
  missing('later', 'POST', '/v1/gateway', GATEWAYS),
  missing('later', 'GET', '/v1/gateways', GATEWAYS),
  missing('later', 'GET', '/v1/gateway/:gateway', GATEWAYS),
  missing('later', 'DELETE', '/v1/gateway/:gateway', GATEWAYS),
  missing('later', 'PUT', '/v1/gateway/edit/:gateway', GATEWAYS),
  missing('later', 'GET', '/v1/oauth2', OAUTH2_APPLICATIONS),
  missing('later', 'POST', '/v1/oauth2', OAUTH2_APPLICATIONS),
  missing('later', 'GET', '/v1/oauth2/:app', OAUTH2_APPLICATIONS),
  missing('later', 'PUT', '/v1/oauth2/:app', OAUTH2_APPLICATIONS),
  missing('later', 'DELETE', '/v1/oauth2/:app', OAUTH2_APPLICATIONS),
  missing('later', 'POST', '/v1/oauth2/:app/verify', OAUTH2_APPLICATIONS),
  missing('never', 'GET', '/v1/pubsub/status', VENDOR),
  missing('later', 'POST', `${ACCOUNT}/export`, EXPORTS),
  missing('later', 'GET', `${ACCOUNT}/exports`, EXPORTS),
  missing('later', 'GET', `${ACCOUNT}/export/:export`, EXPORTS),
  missing('later', 'DELETE', `${ACCOUNT}/export/:export`, EXPORTS),
  missing('later', 'GET', `${ACCOUNT}/export/:export/download`, EXPORTS),
  missing('never', 'POST', '/v1/delivery-test/account/:account', VENDOR),
  missing('never', 'GET', '/v1/delivery-test/check/:test', VENDOR),
  missing('never', 'POST', '/v1/chat/:account', SUMMARIES),
  missing('never', 'POST', '/v1/chat', SUMMARIES),
  missing('never', 'POST', '/v1/unified/search', 'Use POST /v1/account/{account}/search?path=*'),
  missing('later', 'POST', '/mcp', 'There is no MCP endpoint'),
  missing('later', 'GET', '/open.gif', TRACKING),
  missing('later', 'GET', '/redirect', TRACKING),
  missing('later', 'GET', '/unsubscribe', BLOCKLISTS)
]

export type HandlerName = (typeof OFFERED_ROUTES)[number]['name']
