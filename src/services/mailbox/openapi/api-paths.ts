import {
  content,
  inHeader,
  inPath,
  inQuery,
  type OpenapiPart,
  response
} from '../../../kernel/openapi.ts'
import type { ApiRoute, InputSchemas } from '../api/route.ts'
import { type HandlerName, OFFERED_ROUTES } from '../api/route-table.ts'
import { SCHEMAS } from '../api/schemas/schemas.ts'
import { isOffered, publishBody, publishParameter } from './input-schema.ts'
import { apiOperation, error } from './operation.ts'
import { RESPONSES } from './responses.ts'

const PARAMETERS: Readonly<Record<string, string>> = {
  account: 'Id of an account',
  message: 'Id of a message',
  text: 'Id of the text of a message',
  attachment: 'Id of an attachment',
  queueId: 'Id of a queued message',
  event: 'Id of an event',
  queue: 'Name of a queue: submit or notify',
  token: 'Id of a token, or its value'
}
const TIMEOUT = inHeader(
  'x-ee-timeout',
  'Milliseconds that the mail server may take; 10,000 by default and with 0',
  { type: 'integer', minimum: 0, maximum: 7_200_000 }
)
const IDEMPOTENCY_KEY = inHeader(
  'Idempotency-Key',
  'A second request with the same value queues nothing',
  { type: 'string', maxLength: 1024 }
)
const LAST_EVENT_ID = inHeader(
  'Last-Event-ID',
  'Id of the last event that the client has received; the stream continues after it'
)
const SUBMITS: readonly HandlerName[] = ['submit', 'submitDraft']
const NOT_FOUND = {
  404: error('What the path names does not exist, or the token is not for it')
}
const BODY_ERRORS = {
  413: error('The body is too large'),
  415: error('The body is not JSON')
}
/** Of routes that need the mail server of the account. */
const SERVER_ERRORS = {
  422: error('The mail server cannot do this'),
  502: error('The connection to the mail server was lost, or what it sent is not IMAP'),
  503: error('The account cannot be used now; the field state tells why'),
  504: error('The mail server did not respond in time')
}

type OfferedRoute = ApiRoute & { readonly name: HandlerName }

/** All routes of the table that work. */
export function apiPaths(): OpenapiPart {
  const paths: Record<string, Record<string, OpenapiPart>> = {}
  const names = new Set<string>()
  for (const route of OFFERED_ROUTES) {
    const path = route.pattern.replace(/:(\w+)/g, '{$1}')
    // Older paths of the same operations.
    const operationId = names.has(route.name) ? `${route.name}Alias` : route.name
    names.add(route.name)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route, operationId) }
  }
  return paths
}

function describe(route: OfferedRoute, operationId: string): OpenapiPart {
  const { name, about, group, pattern } = route
  const { body, query = {}, requiredQuery = [] }: InputSchemas = SCHEMAS[name] ?? {}
  const { description, schema, type, errors } = RESPONSES[name]
  return apiOperation(
    operationId,
    about,
    {
      200: response(description, schema, type),
      ...(pattern.includes(':') && NOT_FOUND),
      ...(body !== undefined && BODY_ERRORS),
      ...(route.access === 'path' && SERVER_ERRORS),
      ...errors
    },
    {
      tags: [group],
      parameters: [
        ...[...pattern.matchAll(/:(\w+)/g)].map(([, part = '']) => inPath(part, PARAMETERS[part])),
        ...Object.entries(query)
          .filter(([, parameter]) => isOffered(parameter))
          .map(([key, parameter]) => ({
            ...inQuery(key, undefined, publishParameter(parameter)),
            ...(requiredQuery.includes(key) && { required: true })
          })),
        TIMEOUT,
        ...(SUBMITS.includes(name) ? [IDEMPOTENCY_KEY] : []),
        ...(name === 'changes' ? [LAST_EVENT_ID] : [])
      ],
      ...(body !== undefined && { requestBody: { content: content(publishBody(body)) } })
    }
  )
}
