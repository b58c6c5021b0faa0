import { RESERVED_NAMES } from './contract.ts'
import { PUSH_PATHS } from './openapi-push.ts'
import { SCENARIOS } from './scenario/catalogue.ts'

type Schema = Readonly<Record<string, unknown>>

const TEXT: Schema = { type: 'string' }
const WHOLE: Schema = { type: 'integer' }
const TIME: Schema = { type: 'string', format: 'date-time' }

function object(properties: Readonly<Record<string, Schema>>, open = false): Schema {
  const required = Object.keys(properties)
  return { type: 'object', required, properties, ...(open ? { additionalProperties: true } : {}) }
}

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

function answer(description: string, schema?: Schema): Schema {
  const content = schema && { content: { 'application/json': { schema } } }
  return { description, ...content }
}

function body(schema: Schema): Schema {
  const content = {
    'application/json': { schema },
    'application/x-www-form-urlencoded': { schema }
  }
  return { required: true, content }
}

const EMPTY = answer('Not there', { type: 'object', maxProperties: 0 })
const REFUSED = answer('Refused; the code stands in X-Error-Code', ref('Failure'))
const NO_TOKEN = answer('The token is missing, invalid, expired or revoked', ref('Failure'))
const BEARER = [{ token: [] }, { cookie: [] }]

const SCHEMAS: Readonly<Record<string, Schema>> = {
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

function page(item: string): Schema {
  return object({
    ...{ page: WHOLE, per_page: WHOLE, total: WHOLE, total_pages: WHOLE },
    ...{ data: { type: 'array', items: ref(item) }, support: ref('Support') }
  })
}

const PAGING = ['page', 'per_page'].map((name) => ({
  name,
  in: 'query',
  schema: { type: 'integer', minimum: 1 }
}))
const ID = { name: 'id', in: 'path', required: true, schema: TEXT }
const COLLECTION = {
  name: 'collection',
  in: 'path',
  required: true,
  schema: { type: 'string', not: { enum: ['users', ...RESERVED_NAMES] } }
}
const WORKSPACE = { name: 'workspace', in: 'path', required: true, schema: TEXT }
const ANY_OBJECT = body({ type: 'object', additionalProperties: true })

function resource(item: string, first: readonly Schema[]): Readonly<Record<string, Schema>> {
  const write = { requestBody: ANY_OBJECT, parameters: [...first, ID] }
  return {
    list: {
      get: { parameters: [...first, ...PAGING], responses: { 200: answer('A page', page(item)) } },
      post: {
        parameters: first,
        requestBody: ANY_OBJECT,
        responses: { 201: answer('The fields, a number and a date', ref('Created')) }
      }
    },
    item: {
      get: {
        parameters: [...first, ID],
        responses: {
          200: answer('The record', object({ data: ref(item), support: ref('Support') })),
          404: EMPTY
        }
      },
      put: { ...write, responses: { 200: answer('The fields and a date', ref('Updated')) } },
      patch: { ...write, responses: { 200: answer('The fields and a date', ref('Updated')) } },
      delete: { parameters: [...first, ID], responses: { 204: answer('Gone, or never there') } }
    }
  }
}

function login(description: string, status: number, schema: Schema): Schema {
  return {
    post: {
      requestBody: body(ref('Credentials')),
      responses: { [status]: answer(description, schema), 403: REFUSED }
    }
  }
}

/** A request that takes a few fields and answers little. */
function small(fields: readonly string[], status: number, failure?: [number, Schema]): Schema {
  const schema = object(Object.fromEntries(fields.map((name) => [name, TEXT])))
  return {
    post: {
      requestBody: body(schema),
      responses: {
        [status]: answer('Done', { type: 'object' }),
        ...(failure === undefined ? {} : { [failure[0]]: failure[1] })
      }
    }
  }
}

function control(method: string, description: string, status = 200, sent?: Schema): Schema {
  return {
    [method]: {
      parameters: [WORKSPACE],
      security: [{}, { key: [] }],
      ...(sent === undefined ? {} : { requestBody: body(sent) }),
      responses: { [status]: answer(description), 401: REFUSED, 404: REFUSED }
    }
  }
}

function paths(): Readonly<Record<string, Schema>> {
  const users = resource('User', [])
  const others = resource('Colour', [COLLECTION])
  const session = answer('A session', ref('Session'))
  const clock = { type: 'object', properties: { now: TIME, advance_ms: WHOLE } }
  return {
    '/api/users': users.list ?? {},
    '/api/users/{id}': users.item ?? {},
    '/api/{collection}': others.list ?? {},
    '/api/{collection}/{id}': others.item ?? {},
    '/api/login': login('A token', 200, object({ token: TEXT })),
    '/api/register': login('A number and a token', 200, object({ id: WHOLE, token: TEXT })),
    '/api/logout': { post: { responses: { 200: answer('Logged out', { type: 'object' }) } } },
    '/api/me': {
      get: {
        security: BEARER,
        responses: {
          200: answer('Whose token this is', object({ data: ref('Profile') })),
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
    '/api/auth/logout': { post: { responses: { 200: answer('Logged out', { type: 'object' }) } } },
    '/api/auth/mfa': small(['challenge_id', 'code'], 200, [403, REFUSED]),
    '/api/auth/forgot': small(['email'], 202),
    '/api/auth/reset': small(['token', 'password'], 200, [403, REFUSED]),
    '/api/auth/verify': small(['token'], 200, [403, REFUSED]),
    '/api/auth/verify/resend': small(['email'], 202),
    ...PUSH_PATHS,
    '/.well-known/jwks.json': { get: { responses: { 200: answer('A JSON Web Key Set') } } },
    '/_scenarios': { get: { responses: { 200: answer('Every scenario, with a curl line') } } },
    '/_workspaces': {
      get: { responses: { 200: answer('All workspaces'), 401: REFUSED } },
      post: {
        requestBody: body({ type: 'object' }),
        responses: { 201: answer('The workspace', ref('Workspace')), 400: REFUSED, 409: REFUSED }
      }
    },
    '/_workspaces/{workspace}': {
      ...control('get', 'Its state'),
      ...control('delete', 'Removed', 204)
    },
    '/_workspaces/{workspace}/reset': control('post', 'Back to the samples', 204),
    '/_workspaces/{workspace}/rules': {
      ...control('get', 'The rules'),
      ...control('put', 'The rules', 200, { type: 'array', items: ref('Rule') })
    },
    '/_workspaces/{workspace}/clock': {
      ...control('get', 'Its clock'),
      ...control('post', 'Its clock', 200, clock)
    },
    '/_workspaces/{workspace}/requests': control('get', 'The last calls'),
    '/_workspaces/{workspace}/mail': control('get', 'The letters')
  }
}

const HOW =
  'Every path below /api is there again below /w/{workspace}, where writes are kept, and either ' +
  'below /_s/{scenarios}. Any of them takes the parameters scenario, seed, workspace and delay, ' +
  'and the headers X-Scenario, X-Seed and X-Workspace. Scenarios: '

/** From the same catalogue as the code. */
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
        key: { type: 'http', scheme: 'bearer', description: 'Key of the workspace, or admin token' }
      }
    }
  }
}
