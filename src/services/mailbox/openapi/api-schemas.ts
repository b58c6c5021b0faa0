import type { OpenapiPart } from '../../../kernel/openapi.ts'
import { ACCOUNT_SCHEMAS } from './account-responses.ts'
import { CONTROL_SCHEMAS } from './control-responses.ts'
import { EVENT_SCHEMAS } from './event-responses.ts'
import { MESSAGE_SCHEMAS } from './message-responses.ts'
import { array, COUNT, object, TEXT } from './schema-parts.ts'
import { SUBMIT_SCHEMAS } from './submit-responses.ts'

const ERROR_EXTRAS = {
  code: TEXT,
  fields: array(object({ key: TEXT, message: TEXT })),
  ttl: { ...COUNT, description: 'Seconds until the next request is allowed' },
  state: { ...TEXT, description: 'State of the account' },
  info: { type: 'object', description: 'What the mail server said' },
  details: { type: 'object' },
  requestedScope: TEXT,
  requiredPermission: object({ group: TEXT, action: TEXT }),
  remoteAddress: TEXT
}

/** Schemas of the API on accounts, by name. */
export const API_SCHEMAS: OpenapiPart = {
  ...ACCOUNT_SCHEMAS,
  ...MESSAGE_SCHEMAS,
  ...SUBMIT_SCHEMAS,
  ...CONTROL_SCHEMAS,
  ...EVENT_SCHEMAS,
  Error: {
    ...object({ statusCode: COUNT, error: TEXT, message: TEXT }, ERROR_EXTRAS),
    additionalProperties: true
  }
}
