/** Body of a new token. */
import { DATE_TIME, object, oneOrMore, text } from './parts.ts'

const ACTIONS = ['read', 'write', 'send', 'destructive']
/** Those of EmailEngine. */
const GROUPS = [
  'account',
  'mailbox',
  'message',
  'submit',
  'outbox',
  'export',
  'template',
  'blocklist',
  'webhook',
  'gateway',
  'events',
  'diagnostics',
  'logs'
]
const SCOPES = ['api', 'metrics', '*']

export const tokenBody = object(
  {
    account: { type: ['string', 'null'], maxLength: 256 },
    description: text(1024, { minLength: 1 }),
    scopes: oneOrMore({ enum: SCOPES }, { minItems: 1, maxItems: 3, default: ['api'] }),
    metadata: text(16_384),
    restrictions: object({
      referrers: oneOrMore(text(255, { minLength: 1 }), { minItems: 1, maxItems: 100 }),
      addresses: oneOrMore(text(64), { minItems: 1, maxItems: 100 }),
      rateLimit: object(
        {
          maxRequests: { type: 'integer', minimum: 1, maximum: 1_000_000 },
          timeWindow: { type: 'integer', minimum: 1, maximum: 86_400 }
        },
        ['maxRequests', 'timeWindow']
      )
    }),
    permissions: {
      ...object({
        actions: oneOrMore({ enum: ACTIONS }, { minItems: 1, uniqueItems: true }),
        groups: oneOrMore({ enum: GROUPS }, { minItems: 1, uniqueItems: true })
      }),
      minProperties: 1
    },
    expires: DATE_TIME,
    ip: text(45)
  },
  ['description']
)
