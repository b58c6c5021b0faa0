/** Sentences about features of EmailEngine that are not offered: routes, fields and settings. */

export const WEBHOOK_ROUTES =
  'Further receivers of webhooks are not offered yet; use the setting webhooks and that of an account'
export const TEMPLATES = 'Templates are not offered yet'
export const GATEWAYS =
  'Gateways are not offered yet; a message is sent by the SMTP server of its account'
export const BLOCKLISTS = 'Lists of blocked recipients are not offered yet'
export const OAUTH2_APPLICATIONS =
  'OAuth2 applications are not offered; register the account with oauth2.refreshToken'
export const EXPORTS = 'Exports of messages are not offered yet'
export const TRACKING = 'Tracking of opened messages and clicks is not offered'
export const SUMMARIES = 'Summaries and chats about mail are not offered'
export const PROXIES = 'Proxies and other local addresses are not offered'
export const DOCUMENT_STORE = 'There is no document store; messages are read from the mail server'
export const SHOWN_TOKENS = 'Access tokens are never shown'
