import { type OpenapiPart, ref } from '../../../kernel/openapi.ts'
import { EVENT_NAMES } from '../events/event-names.ts'
import { DELIVERY_STATES } from '../store/read-events.ts'
import { error } from './operation.ts'
import { array, COUNT, OPTIONAL, object, TEXT, TIME, TRUE } from './schema-parts.ts'

const BODY: OpenapiPart = {
  serviceUrl: OPTIONAL,
  account: TEXT,
  date: TIME,
  event: { enum: EVENT_NAMES },
  data: {
    type: 'object',
    description: 'What the event is about; its fields depend on `event`'
  }
}
/** Of events about a mailbox. */
const MAILBOX: OpenapiPart = { path: TEXT, specialUse: TEXT }
const ID: OpenapiPart = { type: 'string', format: 'uuid' }

export const EVENT_SCHEMAS: OpenapiPart = {
  WebhookBody: object(BODY, MAILBOX),
  Event: object(
    {
      id: { ...ID, description: '`X-EE-Wh-Event-Id` of its webhooks' },
      ...BODY,
      delivery: object(
        { state: { enum: DELIVERY_STATES } },
        { webhookId: TEXT, attempts: COUNT, error: TEXT, nextAttempt: TIME, ended: TIME }
      )
    },
    MAILBOX
  )
}

const UNKNOWN_ACCOUNT = { 404: error('The account does not exist, or the token is not for it') }

export const eventResponses = {
  changes: {
    description:
      'Server-sent events: states of accounts, or with `events` the bodies of webhooks, with ids',
    schema: TEXT,
    type: 'text/event-stream',
    errors: { ...UNKNOWN_ACCOUNT, 503: error('Too many clients read changes') }
  },
  listEvents: {
    description: 'A page of events',
    schema: object({ events: array(ref('Event')), nextPageCursor: OPTIONAL }),
    errors: UNKNOWN_ACCOUNT
  },
  showEvent: { description: 'The event', schema: ref('Event') },
  replayEvent: {
    description: 'It is sent again',
    schema: object({ id: TEXT, queued: TRUE }),
    errors: { 409: error('No URL is set to which events of its account are sent') }
  },
  replayEvents: {
    description: 'They are sent again; `nextPageCursor` continues with the rest',
    schema: object({ queued: COUNT, nextPageCursor: OPTIONAL }),
    errors: UNKNOWN_ACCOUNT
  }
}
