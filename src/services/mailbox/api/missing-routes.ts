import {
  BLOCKLISTS,
  EXPORTS,
  GATEWAYS,
  OAUTH2_APPLICATIONS,
  SHOWN_TOKENS,
  SUMMARIES,
  TEMPLATES,
  TRACKING,
  WEBHOOK_ROUTES
} from './missing-features.ts'
import type { ApiRoute, Offer } from './route.ts'

const ACCOUNT = '/v1/account/:account'
const VENDOR = 'This route depends on a service of another vendor and is not offered'

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

/** Routes of EmailEngine that respond 404 with a sentence. */
export const MISSING_ROUTES: readonly ApiRoute[] = [
  missing('later', 'GET', '/v1/webhookRoutes', WEBHOOK_ROUTES),
  missing('later', 'GET', '/v1/webhookRoutes/webhookRoute/:route', WEBHOOK_ROUTES),
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
