import {
  inPath,
  inQuery,
  type OpenapiPart,
  ref,
  requestBody,
  response
} from '../../../kernel/openapi.ts'
import { RESERVED_NAMES } from '../contract.ts'
import { SCENARIOS } from '../scenario/registry.ts'
import { PUSH_PATHS } from './openapi-push.ts'

const TEXT: OpenapiPart = { type: 'string' }
const WHOLE: OpenapiPart = { type: 'integer' }
const TIME: OpenapiPart = { type: 'string', format: 'date-time' }

function object(properties: Readonly<Record<string, OpenapiPart>>, open = false): OpenapiPart {
  const required = Object.keys(properties)
  return { type: 'object', required, properties, ...(open ? { additionalProperties: true } : {}) }
}

function body(schema: OpenapiPart): OpenapiPart {
  return requestBody(schema, 'application/json', 'application/x-www-form-urlencoded')
}

const EMPTY = response('Not found', { type: 'object', maxProperties: 0 })
const REJECTED = response('Rejected; X-Error-Code has the error code', ref('Failure'))
const NO_TOKEN = response('The token is missing, invalid, expired or revoked', ref('Failure'))
const BEARER = [{ token: [] }, { cookie: [] }]

const SCHEMAS: Readonly<Record<string, OpenapiPart>> = {
  Failure: object({ error: TEXT }, true),
  Support: object({ url: TEXT, text: TEXT }),
  User: object({ id: WHOLE, email: TEXT, first_name: TEXT, last_name: TEXT, avatar: TEXT }, true),
  Colour: object({ id: WHOLE, name: TEXT, year: WHOLE, color: TEXT, pantone_value: TEXT }, true),
  Created: object({ id: TEXT, createdAt: TIME }, true),
  Updated: object({ updatedAt: TIME }, true),
  Credentials: {
    type: 'object',
    required: ['password'],
    properties: { email: TEXT, username: TEXT, password: TEXT },
    anyOf: [{ required: ['email'] }, { required: ['username'] }]
  },
  Profile: object({
    ...{ id: WHOLE, email: TEXT, first_name: TEXT, last_name: TEXT, avatar: TEXT },
    role: { enum: ['admin', 'editor', 'user'] },
    email_verified: { type: 'boolean' }
  }),
  Session: object({
    ...{ accessToken: TEXT, refreshToken: TEXT, tokenType: { const: 'Bearer' }, expiresIn: WHOLE },
    user: ref('Profile')
  }),
  Rule: {
    type: 'object',
    required: ['scenario'],
    additionalProperties: false,
    properties: {
      ...{ method: TEXT, path: TEXT, scenario: TEXT },
      ...{ nth: { type: 'integer', minimum: 1 }, times: { type: 'integer', minimum: 1 } }
    }
  },
  Workspace: object({ id: TEXT, seed: TEXT, base_url: TEXT, expires_at: TIME }, true)
}

function page(item: string): OpenapiPart {
  return object({
    ...{ page: WHOLE, per_page: WHOLE, total: WHOLE, total_pages: WHOLE },
    ...{ data: { type: 'array', items: ref(item) }, support: ref('Support') }
  })
}

const PAGING = ['page', 'per_page'].map((name) =>
  inQuery(name, undefined, { type: 'integer', minimum: 1 })
)
const ID = inPath('id')
const COLLECTION = inPath('collection', undefined, {
  type: 'string',
  not: { enum: ['users', ...RESERVED_NAMES] }
})
const WORKSPACE = inPath('workspace')
const ANY_OBJECT = body({ type: 'object', additionalProperties: true })

const UNCHANGED = response('The fields and a date; nothing is changed', ref('Updated'))

function resource(
  item: string,
  first: readonly OpenapiPart[]
): Readonly<Record<string, OpenapiPart>> {
  const write = { requestBody: ANY_OBJECT, parameters: [...first, ID] }
  const writeAll = { requestBody: ANY_OBJECT, parameters: first }
  return {
    list: {
      get: {
        parameters: [...first, ...PAGING],
        responses: { 200: response('A page', page(item)) }
      },
      post: {
        parameters: first,
        requestBody: ANY_OBJECT,
        responses: { 201: response('The fields, an id and a date', ref('Created')) }
      },
      put: { ...writeAll, responses: { 200: UNCHANGED } },
      patch: { ...writeAll, responses: { 200: UNCHANGED } },
      delete: {
        parameters: first,
        responses: { 204: response('Nothing is deleted') }
      }
    },
    item: {
      get: {
        parameters: [...first, ID],
        responses: {
          200: response('The record', object({ data: ref(item), support: ref('Support') })),
          404: EMPTY
        }
      },
      put: { ...write, responses: { 200: response('The fields and a date', ref('Updated')) } },
      patch: { ...write, responses: { 200: response('The fields and a date', ref('Updated')) } },
      delete: {
        parameters: [...first, ID],
        responses: { 204: response('Deleted, or did not exist') }
      }
    }
  }
}

function login(description: string, status: number, schema: OpenapiPart): OpenapiPart {
  return {
    post: {
      requestBody: body(ref('Credentials')),
      responses: { [status]: response(description, schema), 403: REJECTED }
    }
  }
}

/** An operation with a few string fields and a short response. */
function small(
  fields: readonly string[],
  status: number,
  error?: [number, OpenapiPart]
): OpenapiPart {
  const schema = object(Object.fromEntries(fields.map((name) => [name, TEXT])))
  return {
    post: {
      requestBody: body(schema),
      responses: {
        [status]: response('Success', { type: 'object' }),
        ...(error === undefined ? {} : { [error[0]]: error[1] })
      }
    }
  }
}

function control(
  method: string,
  description: string,
  status = 200,
  sent?: OpenapiPart
): OpenapiPart {
  return {
    [method]: {
      parameters: [WORKSPACE],
      security: [{}, { key: [] }],
      ...(sent === undefined ? {} : { requestBody: body(sent) }),
      responses: { [status]: response(description), 401: REJECTED, 404: REJECTED }
    }
  }
}

function paths(): Readonly<Record<string, OpenapiPart>> {
  const users = resource('User', [])
  const others = resource('Colour', [COLLECTION])
  const session = response('A session', ref('Session'))
  const clock = { type: 'object', properties: { now: TIME, advance_ms: WHOLE } }
  return {
    '/api/users': users.list ?? {},
    '/api/users/{id}': users.item ?? {},
    '/api/{collection}': others.list ?? {},
    '/api/{collection}/{id}': others.item ?? {},
    '/api/login': login('A token', 200, object({ token: TEXT })),
    '/api/register': login('An id and a token', 200, object({ id: WHOLE, token: TEXT })),
    '/api/logout': { post: { responses: { 200: response('Logged out', { type: 'object' }) } } },
    '/api/me': {
      get: {
        security: BEARER,
        responses: {
          200: response('The user of the token', object({ data: ref('Profile') })),
          401: NO_TOKEN
        }
      }
    },
    '/api/auth/login': login('A session', 200, ref('Session')),
    '/api/auth/register': login('A session', 201, ref('Session')),
    '/api/auth/refresh': {
      post: {
        requestBody: body(object({ refreshToken: TEXT })),
        responses: { 200: session, 401: NO_TOKEN }
      }
    },
    '/api/auth/logout': {
      post: { responses: { 200: response('Logged out', { type: 'object' }) } }
    },
    '/api/auth/mfa': small(['challenge_id', 'code'], 200, [403, REJECTED]),
    '/api/auth/forgot': small(['email'], 202),
    '/api/auth/reset': small(['token', 'password'], 200, [403, REJECTED]),
    '/api/auth/verify': small(['token'], 200, [403, REJECTED]),
    '/api/auth/verify/resend': small(['email'], 202),
    ...PUSH_PATHS,
    '/.well-known/jwks.json': { get: { responses: { 200: response('A JSON Web Key Set') } } },
    '/_scenarios': {
      get: { responses: { 200: response('All scenarios, each with a curl command') } }
    },
    '/_workspaces': {
      get: { responses: { 200: response('All workspaces'), 401: REJECTED } },
      post: {
        requestBody: body({ type: 'object' }),
        responses: {
          201: response('The workspace', ref('Workspace')),
          400: REJECTED,
          409: REJECTED
        }
      }
    },
    '/_workspaces/{workspace}': {
      ...control('get', 'The state of the workspace'),
      ...control('delete', 'Deleted', 204)
    },
    '/_workspaces/{workspace}/reset': control('post', 'Reset to the sample data', 204),
    '/_workspaces/{workspace}/rules': {
      ...control('get', 'The rules'),
      ...control('put', 'The rules', 200, { type: 'array', items: ref('Rule') })
    },
    '/_workspaces/{workspace}/clock': {
      ...control('get', 'The clock of the workspace'),
      ...control('post', 'The clock of the workspace', 200, clock)
    },
    '/_workspaces/{workspace}/requests': control('get', 'The latest requests'),
    '/_workspaces/{workspace}/mail': control('get', 'The emails')
  }
}

const HOW =
  'Every path under /api is also available under /w/{workspace}, where writes are stored, and both ' +
  'under /_s/{scenarios}. All of them accept the parameters scenario, seed, workspace and delay, ' +
  'and the headers X-Scenario, X-Seed and X-Workspace. Outside /api, a browser that opens a URL ' +
  'gets errors as HTML pages, with the same status. Scenarios: '

/** The list of scenarios is that of the registry. */
export function openapi(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Front-end test API',
      version: '1',
      description: HOW + SCENARIOS.map(({ usage }) => usage).join('; ')
    },
    servers: [{ url: baseUrl }],
    paths: paths(),
    components: {
      schemas: SCHEMAS,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'nonet_access' },
        key: { type: 'http', scheme: 'bearer', description: 'Workspace key or admin token' }
      }
    }
  }
}
