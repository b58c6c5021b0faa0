/** Settings of `/v1/settings`. */
import { EVENT_NAMES } from '../../events/event-names.ts'
import { MAX_ATTACHED_BYTES } from '../../events/message-contents.ts'
import { ALL_EVENTS } from '../../events/webhook-rules.ts'
import { MAX_TEXT_BYTES } from '../../messages/read-texts.ts'
import {
  DOCUMENT_STORE,
  EXPORTS,
  OAUTH2_APPLICATIONS,
  PROXIES,
  SHOWN_TOKENS,
  SUMMARIES,
  TRACKING
} from '../missing-features.ts'
import { BOOLEAN, CUSTOM_HEADERS, MASK_MESSAGE, notOffered, object, oneOrMore } from './parts.ts'

const SMTP_SERVER = 'There is no SMTP server for accounts; use POST /v1/account/{account}/submit'
const IMAP_PROXY = 'There is no IMAP proxy'
const PAGES = 'Pages cannot be changed'

/** Names of settings of EmailEngine by the sentence that rejects them. */
const MISSING: Readonly<Record<string, readonly string[]>> = {
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

const HEADER_NAME = {
  type: 'string',
  maxLength: 200,
  pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
  messages: { pattern: 'must be the name of a header field, or *' }
}

/** One name or an array of them; null restores the default. */
function namesOf(items: object, maxItems: number): object {
  return { ...oneOrMore(items, { maxItems }), type: ['array', 'null'] }
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
      pattern: MASK_MESSAGE
    }
  }),
  webhooks: optional('string', { maxLength: 2048 }),
  webhooksCustomHeaders: { ...CUSTOM_HEADERS, type: ['array', 'null'] },
  webhooksEnabled: optional('boolean'),
  webhookEvents: namesOf({ enum: [ALL_EVENTS, ...EVENT_NAMES] }, 100),
  inboxNewOnly: optional('boolean'),
  notifyHeaders: namesOf(HEADER_NAME, 100),
  notifyText: optional('boolean'),
  notifyTextSize: optional('integer', { minimum: 0, maximum: MAX_TEXT_BYTES }),
  notifyWebSafeHtml: optional('boolean'),
  notifyAttachments: optional('boolean'),
  notifyAttachmentSize: optional('integer', { minimum: 0, maximum: MAX_ATTACHED_BYTES }),
  notifyCalendarEvents: optional('boolean', {
    not: { const: true },
    messages: { not: 'Invitations are not read; notifyAttachments includes them as they are' }
  }),
  imapIndexer: optional('string', {
    enum: ['full', 'fast', null],
    messages: { enum: 'must be full or fast' }
  }),
  tokenAuditLog: optional('boolean'),
  disableTokens: optional('boolean')
}

export type SettingName = keyof typeof OFFERED

/** Can be read only. */
const EVENT_TYPES = 'eventTypes'
const ERROR_FLAG = 'webhookErrorFlag'

export const SETTINGS: Readonly<Record<string, object>> = {
  ...OFFERED,
  ...missing,
  [EVENT_TYPES]: notOffered('The names of events cannot be changed'),
  [ERROR_FLAG]: notOffered('The last error of deliveries cannot be changed')
}

/** `name=true` shows a setting. */
export const SETTING_QUERY: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    [...Object.keys(OFFERED), EVENT_TYPES, ERROR_FLAG].map((name) => [name, BOOLEAN])
  ),
  ...missing
}
