/** Settings of `/v1/settings`. */
import {
  DOCUMENT_STORE,
  EXPORTS,
  OAUTH2_APPLICATIONS,
  PROXIES,
  SHOWN_TOKENS,
  SUMMARIES,
  TRACKING,
  WEBHOOKS
} from '../missing-features.ts'
import { BOOLEAN, notOffered, object } from './parts.ts'

const SMTP_SERVER = 'There is no SMTP server for accounts; use POST /v1/account/{account}/submit'
const IMAP_PROXY = 'There is no IMAP proxy'
const PAGES = 'Pages cannot be changed'

/** Names of settings of EmailEngine by the sentence that rejects them. */
const MISSING: Readonly<Record<string, readonly string[]>> = {
  [WEBHOOKS]: [
    'eventTypes',
    'imapIndexer',
    'inboxNewOnly',
    'notifyAttachmentSize',
    'notifyAttachments',
    'notifyCalendarEvents',
    'notifyHeaders',
    'notifyText',
    'notifyTextSize',
    'notifyWebSafeHtml',
    'webhookEvents',
    'webhooks',
    'webhooksCustomHeaders',
    'webhooksEnabled'
  ],
  [TRACKING]: ['trackClicks', 'trackOpens', 'trackSentMessages'],
  [PROXIES]: [
    'httpProxyEnabled',
    'httpProxyUrl',
    'imapStrategy',
    'localAddresses',
    'proxyEnabled',
    'proxyUrl',
    'smtpStrategy'
  ],
  'Whether a proxy is trusted is a setting of nonet: --trusted-proxy': ['enableApiProxy'],
  'Credentials are not looked up at other servers; register the account with its own': [
    'authServer'
  ],
  [SHOWN_TOKENS]: ['enableOAuthTokensApi'],
  [SMTP_SERVER]: [
    'smtpServerAuthEnabled',
    'smtpServerEnabled',
    'smtpServerHost',
    'smtpServerPassword',
    'smtpServerPort',
    'smtpServerProxy',
    'smtpServerTLSEnabled'
  ],
  [IMAP_PROXY]: [
    'imapProxyServerEnabled',
    'imapProxyServerHost',
    'imapProxyServerPassword',
    'imapProxyServerPort',
    'imapProxyServerProxy',
    'imapProxyServerTLSEnabled'
  ],
  [DOCUMENT_STORE]: [
    'documentStoreAuthEnabled',
    'documentStoreEnabled',
    'documentStoreGenerateEmbeddings',
    'documentStoreIndex',
    'documentStorePassword',
    'documentStorePreProcessingEnabled',
    'documentStoreUrl',
    'documentStoreUsername'
  ],
  [SUMMARIES]: [
    'generateEmailSummary',
    'generateRiskAssessment',
    'openAiAPIKey',
    'openAiAPIUrl',
    'openAiGenerateEmbeddings',
    'openAiMaxTokens',
    'openAiModel',
    'openAiPreProcessingFn',
    'openAiPrompt',
    'openAiTemperature',
    'openAiTopP'
  ],
  [PAGES]: ['pageBrandName', 'templateHeader', 'templateHtmlHead'],
  [OAUTH2_APPLICATIONS]: [
    'gmailClientId',
    'gmailClientSecret',
    'gmailEnabled',
    'gmailExtraScopes',
    'gmailRedirectUrl',
    'mailRuClientId',
    'mailRuClientSecret',
    'mailRuEnabled',
    'mailRuExtraScopes',
    'mailRuRedirectUrl',
    'outlookAuthority',
    'outlookClientId',
    'outlookClientSecret',
    'outlookEnabled',
    'outlookExtraScopes',
    'outlookRedirectUrl',
    'resolveGmailCategories',
    'serviceClient',
    'serviceExtraScopes',
    'serviceKey'
  ],
  [EXPORTS]: ['exportMaxAge', 'exportPath'],
  'Errors are not sent to other services': ['sentryDsn', 'sentryEnabled'],
  'Scripts are not run': ['scriptEnv']
}

const missing = Object.fromEntries(
  Object.entries(MISSING).flatMap(([sentence, names]) =>
    names.map((name) => [name, notOffered(sentence)])
  )
)

/** Null restores the default. */
function optional(type: 'string' | 'integer' | 'boolean', more: object = {}): object {
  return { type: [type, 'null'], ...more }
}

const OFFERED = {
  deliveryAttempts: optional('integer', { minimum: 1, maximum: 100 }),
  queueKeep: optional('integer', { minimum: 0, maximum: 10_000 }),
  smtpEhloName: optional('string', {
    maxLength: 253,
    pattern: '^[A-Za-z0-9.:\\[\\]-]+$',
    messages: { pattern: 'must be a host name, or an IP address in brackets' }
  }),
  ignoreMailCertErrors: optional('boolean'),
  logs: object({
    all: { ...BOOLEAN, default: false },
    maxLogLines: { type: 'integer', minimum: 0, maximum: 100_000, default: 10_000 }
  }),
  locale: optional('string', { maxLength: 100 }),
  timezone: optional('string', { maxLength: 100 }),
  serviceUrl: optional('string', { maxLength: 2000 }),
  serviceSecret: optional('string', {
    minLength: 8,
    maxLength: 1024,
    pattern: '[^*]',
    messages: {
      pattern: 'is the mask of a stored value; send the value itself, or leave the field out'
    }
  }),
  tokenAuditLog: optional('boolean'),
  disableTokens: optional('boolean')
}

export type SettingName = keyof typeof OFFERED

export const SETTINGS: Readonly<Record<string, object>> = { ...OFFERED, ...missing }

/** `name=true` shows a setting. */
export const SETTING_QUERY: Readonly<Record<string, object>> = {
  ...Object.fromEntries(Object.keys(OFFERED).map((name) => [name, BOOLEAN])),
  ...missing
}
