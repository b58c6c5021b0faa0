import {
  content,
  inPath,
  inQuery,
  type OpenapiPart,
  ref,
  response
} from '../../../kernel/openapi.ts'
import { SCHEMAS } from './openapi-schemas.ts'
import { API_ROUTES, type ApiRoute } from './route-table.ts'

const TEXT_TYPE = 'text/plain'
const FORM_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data'
] as const
const ID = 'Id of 24 hexadecimal digits; of boards and cards also the short link'
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  member: '`me`, or the id or the user name of the member of the token',
  organization: '`me`, or the id or the name of the workspace',
  token: 'The token that the request is sent with',
  field: 'Name of a field of the object',
  filter: '`open`, `closed`, `all`, and of cards `visible` or the id of a card',
  fileName: 'Name of the file'
}

/** Handlers whose response is an object or an array of one of the schemas. */
const OBJECTS: readonly (readonly [pattern: RegExp, schema: string])[] = [
  [/^(?:add|change)?Board(?:Field)?$/i, 'TrelloBoard'],
  [/^(?:list|card|checklist)Board$/, 'TrelloBoard'],
  [/^(?:member|organization)Boards$/, 'TrelloBoard[]'],
  [/^boardLists$/, 'List[]'],
  [/^(?:add|change)?(?:Board)?List(?:Field)?$/i, 'List'],
  [/^cardList$/, 'List'],
  [/^(?:board|list|member|checklist)Cards$/, 'TrelloCard[]'],
  [/^(?:add|change)?(?:List)?Card(?:Field)?$/i, 'TrelloCard'],
  [/^boardLabels$/, 'Label[]'],
  [/^(?:add|change)?(?:Board|NewCard)?Label(?:Field)?$/i, 'Label'],
  [/^cardAttachments$/, 'Attachment[]'],
  [/^(?:add|change|card)Attachment$/, 'Attachment'],
  [/^boardFields$/, 'CustomField[]'],
  [/^(?:add|change)?CustomField$/i, 'CustomField'],
  [/^cardItems$/, 'CustomFieldItem[]'],
  [/^changeItem$/, 'CustomFieldItem'],
  [/^(?:member|tokenMember)$/, 'Member'],
  [/^(?:board|card)Members$/, 'Member[]'],
  [/^organization$/, 'Organization'],
  [/^memberOrganizations$/, 'Organization[]'],
  [/^token$/, 'Token'],
  [/^tokenWebhooks$/, 'Webhook[]'],
  [/^(?:add|change)?(?:Token)?Webhook$/i, 'Webhook'],
  [/^(?:board|list|card)Actions$/, 'Action[]'],
  [/^(?:action|changeAction|addComment|changeComment)$/, 'Action'],
  [/^(?:board|card)Checklists$/, 'Checklist[]'],
  [/^(?:checklist|addChecklist|addCardChecklist|changeChecklist)$/, 'Checklist']
]

/** Fields have one of many types, and so has everything that has no schema. */
function schemaOf({ name, pattern }: ApiRoute): OpenapiPart {
  if (pattern.endsWith('/:field') && !name.startsWith('change')) return {}
  const [, named = ''] = OBJECTS.find(([handlers]) => handlers.test(name)) ?? []
  if (named === '') return {}
  return named.endsWith('[]') ? { type: 'array', items: ref(named.slice(0, -2)) } : ref(named)
}

/** Paths and schemas of the compatible API, from the table of its routes. */
export function apiOpenapi(): { paths: OpenapiPart; schemas: OpenapiPart } {
  const paths: Record<string, Record<string, OpenapiPart>> = {}
  const ids = new Map<string, number>()
  for (const route of API_ROUTES) {
    const path = `/1${route.pattern.replace(/:(\w+)/g, '{$1}')}`
    const operations = paths[path] ?? {}
    const count = (ids.get(route.name) ?? 0) + 1
    ids.set(route.name, count)
    const id = count === 1 ? route.name : `${route.name}${count}`
    operations[route.method.toLowerCase()] = operationOf(route, id)
    paths[path] = operations
  }
  return { paths, schemas: SCHEMAS }
}

function operationOf(route: ApiRoute, operationId: string): OpenapiPart {
  const { method, pattern, access } = route
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const isChange = method === 'POST' || method === 'PUT'
  return {
    operationId,
    summary: summaryOf(route),
    tags: [pattern.split('/')[1]],
    security: access === 'public' ? [...SECURITY, {}] : SECURITY,
    parameters: [
      ...names.map((name) => inPath(name, DESCRIPTIONS[name] ?? ID)),
      ...(method === 'GET' ? [inQuery('fields', '`all`, or names separated by commas')] : [])
    ],
    ...(isChange && {
      requestBody: { required: false, content: content({ type: 'object' }, ...FORM_TYPES) }
    }),
    responses: {
      200: response('The object; creation too has this status', schemaOf(route)),
      400: text('A malformed id or a wrong value'),
      401: text('No token, an invalid one, or one without the scope'),
      ...(isChange && { 403: text('A limit is reached'), 413: text('The body is too large') }),
      404: text('Unknown, or of another member'),
      429: response('Too many requests; Retry-After tells when to go on', ref('LimitError'))
    }
  }
}

const SECURITY = [{ bearer: [] }, { token: [] }]

/** `addBoardList` → `Add board list`. */
function summaryOf({ name }: ApiRoute): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const verb = /^(?:add|change|remove|move|archive|download) /.test(words) ? '' : 'Read '
  const sentence = `${verb}${words}`
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

function text(description: string): OpenapiPart {
  return response(description, { type: 'string' }, TEXT_TYPE)
}

export const SECURITY_SCHEMES: OpenapiPart = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A token or a publishable key' },
  token: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The same; also in the body, and as OAuth oauth_token in Authorization'
  }
}
