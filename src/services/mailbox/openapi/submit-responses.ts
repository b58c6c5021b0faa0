import { type OpenapiPart, ref } from '../../../kernel/openapi.ts'
import { array, COUNT, FLAG, object, page, TEXT, TIME } from './schema-parts.ts'

const QUEUE_ID: OpenapiPart = { type: 'string', pattern: '^[0-9a-f]{19}$' }
const TIME_OR_FALSE: OpenapiPart = { anyOf: [TIME, { const: false }] }
const MERGED = {
  to: ref('SubmitAddress'),
  messageId: TEXT,
  queueId: QUEUE_ID,
  sendAt: TIME,
  reference: ref('ReferenceResult'),
  error: TEXT,
  code: TEXT,
  statusCode: COUNT
}
const SUBMITTED = {
  description: 'It is queued, or with dryRun only composed',
  schema: object(
    {},
    {
      response: TEXT,
      messageId: TEXT,
      queueId: QUEUE_ID,
      sendAt: TIME,
      preview: { ...TEXT, description: 'With dryRun: the message in Base64' },
      reference: ref('ReferenceResult'),
      idempotency: object({ key: TEXT, status: { enum: ['MISS', 'HIT'] } }),
      mailMerge: array(object({ success: FLAG }, MERGED))
    }
  )
}

export const SUBMIT_SCHEMAS: OpenapiPart = {
  SubmitAddress: object({ address: TEXT }, { name: TEXT }),
  ReferenceResult: object({ message: TEXT, success: FLAG }, { error: TEXT, documentStore: FLAG }),
  QueuedMessage: object(
    {
      queueId: QUEUE_ID,
      account: TEXT,
      source: { enum: ['smtp', 'api', 'test', 'ui'] },
      messageId: TEXT,
      envelope: object({ from: { type: ['string', 'boolean'] }, to: array(TEXT) }),
      created: TIME,
      nextAttempt: TIME_OR_FALSE,
      attemptsMade: COUNT,
      attempts: COUNT
    },
    {
      subject: TEXT,
      scheduled: TIME,
      idempotencyKey: TEXT,
      progress: {
        ...object(
          {
            status: {
              enum: [
                'queued',
                'processing',
                'smtp-starting',
                'smtp-completed',
                'submitted',
                'error'
              ]
            }
          },
          {
            response: TEXT,
            messageId: TEXT,
            originalMessageId: TEXT,
            error: object({ message: TEXT }, { code: TEXT, statusCode: COUNT })
          }
        ),
        additionalProperties: true
      }
    }
  )
}

export const submitResponses = {
  submit: SUBMITTED,
  submitDraft: SUBMITTED,
  listOutbox: {
    description: 'A page of queued messages',
    schema: object(page('messages', ref('QueuedMessage')))
  },
  showQueued: { description: 'The queued message', schema: ref('QueuedMessage') },
  removeQueued: { description: 'Whether it was removed', schema: object({ deleted: FLAG }) }
}
