import { type OpenapiPart, ref } from '../../../kernel/openapi.ts'
import { ACCOUNT_STATES } from '../accounts/account.ts'
import { EVENT_NAMES } from '../events/event-names.ts'
import { array, COUNT, FLAG, OPTIONAL, object, page, TEXT, TIME, TRUE } from './schema-parts.ts'

const ID: OpenapiPart = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const NUMBERS = { active: COUNT, delayed: COUNT, waiting: COUNT, paused: COUNT }
const QUEUE_NUMBERS = object({ ...NUMBERS, isPaused: FLAG, total: COUNT })

export const CONTROL_SCHEMAS: OpenapiPart = {
  Settings: object(
    {},
    {
      deliveryAttempts: COUNT,
      queueKeep: COUNT,
      smtpEhloName: OPTIONAL,
      ignoreMailCertErrors: FLAG,
      logs: object({ all: FLAG, maxLogLines: COUNT }),
      locale: OPTIONAL,
      timezone: OPTIONAL,
      serviceUrl: OPTIONAL,
      serviceSecret: { ...FLAG, description: 'Whether it is set' },
      webhooksEnabled: {
        ...FLAG,
        description:
          'Also false if it was never set; then accounts with a URL of their own have webhooks'
      },
      webhookEvents: array(TEXT),
      inboxNewOnly: FLAG,
      notifyHeaders: array(TEXT),
      notifyText: FLAG,
      notifyTextSize: COUNT,
      notifyWebSafeHtml: FLAG,
      notifyAttachments: FLAG,
      notifyAttachmentSize: COUNT,
      notifyCalendarEvents: FLAG,
      imapIndexer: { enum: ['full', 'fast'] },
      eventTypes: { ...array({ enum: EVENT_NAMES }), readOnly: true },
      webhooks: { ...OPTIONAL, description: 'A user name and a password in it are masked' },
      webhooksCustomHeaders: array(ref('CustomHeader')),
      webhookErrorFlag: { oneOf: [ref('WebhookError'), { type: 'null' }] },
      tokenAuditLog: FLAG,
      disableTokens: { type: ['boolean', 'null'] }
    }
  ),
  CustomHeader: object({ key: TEXT, value: { ...TEXT, description: 'Masked in responses' } }),
  WebhookError: {
    ...object({ message: TEXT, event: TEXT, account: TEXT, time: TIME }),
    description: 'The last error of the receiver of webhooks, until a delivery succeeds'
  },
  Token: object(
    {
      id: ID,
      account: { type: ['string', 'null'], description: 'Null: all accounts' },
      description: TEXT,
      scopes: array(TEXT),
      created: TIME,
      access: object({ time: { type: ['string', 'null'], format: 'date-time' }, ip: OPTIONAL })
    },
    {
      accounts: { ...array(TEXT), description: 'If it is for several' },
      metadata: TEXT,
      ip: TEXT,
      remoteAddress: TEXT,
      restrictions: object(
        {},
        {
          referrers: array(TEXT),
          addresses: array(TEXT),
          rateLimit: object({ maxRequests: COUNT, timeWindow: COUNT })
        }
      ),
      permissions: object({}, { actions: array(TEXT), groups: array(TEXT) }),
      expires: TIME
    }
  ),
  TokenRequestLog: object({
    time: TIME,
    ip: TEXT,
    method: TEXT,
    path: TEXT,
    action: TEXT,
    group: TEXT,
    account: OPTIONAL,
    status: { enum: ['allowed', 'denied'] },
    reason: OPTIONAL
  }),
  Stats: object({
    version: TEXT,
    license: TEXT,
    accounts: COUNT,
    node: TEXT,
    imapflow: TEXT,
    connections: object(
      Object.fromEntries([...ACCOUNT_STATES, 'unassigned'].map((state) => [state, COUNT]))
    ),
    watcher: {
      anyOf: [object({ pid: COUNT, host: TEXT, isThisProcess: FLAG }), { type: 'null' }],
      description: 'The process that watches the accounts for changes; null if none does now'
    },
    queues: object({ submit: QUEUE_NUMBERS, notify: QUEUE_NUMBERS }),
    counters: { type: 'object', additionalProperties: COUNT }
  }),
  License: object({ active: TRUE, type: TEXT, details: { const: false } })
}

const TOKENS = {
  description: 'A page of tokens',
  schema: object({ ...page('tokens', ref('Token')) })
}
const QUEUE = object({ queue: TEXT, jobs: object(NUMBERS), paused: FLAG })
const LICENSE = { description: 'The licence', schema: ref('License') }

export const controlResponses = {
  readSettings: { description: 'The settings that the query names', schema: ref('Settings') },
  changeSettings: { description: 'They are stored', schema: object({ updated: array(TEXT) }) },
  showQueue: { description: 'The queue', schema: QUEUE },
  pauseQueue: { description: 'It is stored; the queue', schema: QUEUE },
  addToken: {
    description: 'The token, which is not shown again',
    schema: object({ token: ID, id: ID })
  },
  listTokens: TOKENS,
  listAccountTokens: TOKENS,
  showToken: { description: 'The token without its value', schema: ref('Token') },
  removeToken: { description: 'It is revoked', schema: object({ deleted: FLAG }) },
  tokenLog: {
    description: 'A page of its requests, the latest first',
    schema: object({ id: ID, ...page('log', ref('TokenRequestLog')) })
  },
  stats: { description: 'The numbers', schema: ref('Stats') },
  showLicense: LICENSE,
  changeLicense: LICENSE,
  removeLicense: LICENSE,
  metrics: { description: 'The metrics', schema: TEXT, type: 'text/plain' }
}
