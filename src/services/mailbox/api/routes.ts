import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { parseRequestTarget } from '../../../kernel/request-target.ts'
import type { MailboxContext } from '../context.ts'
import {
  API_HEADERS,
  BodyInvalid,
  CommandTimeout,
  type InvalidField,
  invalidInput,
  JSON_TYPE,
  methodNotAllowed,
  NotOffered
} from '../contract.ts'
import { TOKEN_PARAMETER } from './access.ts'
import { type BodyBudget, countedBytes, createBodyBudget } from './body-budget.ts'
import { checkInput } from './check-input.ts'
import { HANDLERS } from './handlers.ts'
import { MISSING_ROUTES } from './missing-routes.ts'
import { readJsonObject } from './read-body.ts'
import { type ApiRequest, type ApiRoute, type Handler, type InputSchemas, SENT } from './route.ts'
import { readRouteCaller } from './route-access.ts'
import { OFFERED_ROUTES } from './route-table.ts'
import { SCHEMAS } from './schemas/schemas.ts'

const COMMAND_TIMEOUT_MS = 10_000
const MAX_TIMEOUT_MS = 7_200_000
const MAX_BODY_BYTES = 1024 * 1024

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** In a scope of its own: bodies are read by the handlers. */
export function apiRoutes(app: FastifyInstance, context: MailboxContext): void {
  for (const { method, pattern, about } of MISSING_ROUTES) {
    app.route({
      method,
      url: pattern,
      async handler() {
        throw new NotOffered(about)
      }
    })
  }
  const bodies = createBodyBudget()
  for (const route of OFFERED_ROUTES) {
    app.route({
      method: route.method,
      url: route.pattern,
      async handler({ raw, params }, reply) {
        const body = await respond(context, bodies, [route, HANDLERS[route.name]], {
          request: raw,
          response: reply.raw,
          params: params as Readonly<Record<string, string>>
        })
        if (body === SENT) return reply.hijack()
        return reply.headers(API_HEADERS).type(JSON_TYPE).send(body)
      }
    })
  }
  rejectOtherMethods(app)
}

function rejectOtherMethods(app: FastifyInstance): void {
  const routes = [...OFFERED_ROUTES, ...MISSING_ROUTES]
  for (const [url, same] of Map.groupBy(routes, ({ pattern }) => pattern)) {
    const allowed = METHODS.filter((method) => same.some((route) => route.method === method))
    app.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url,
      async handler({ method }) {
        throw methodNotAllowed(method, allowed)
      }
    })
  }
}

type Received = Pick<ApiRequest, 'request' | 'response' | 'params'>

type Handled = readonly [route: ApiRoute & { readonly name: keyof typeof SCHEMAS }, handle: Handler]

async function respond(
  context: MailboxContext,
  bodies: BodyBudget,
  [route, handle]: Handled,
  received: Received
): Promise<object | typeof SENT> {
  const { request, params } = received
  const caller = await readRouteCaller(context, route, received)
  const { maxBodyBytes = MAX_BODY_BYTES } = SCHEMAS[route.name] ?? {}
  const counted = countedBytes(request, maxBodyBytes)
  const release = counted === 0 ? () => {} : await bodies.take(params.account ?? '', counted)
  try {
    const isGone = counted > 0 && request.destroyed
    if (isGone) throw new BodyInvalid('The request body is incomplete')
    return await run(context, [route, handle], { ...received, caller })
  } finally {
    release()
  }
}

/** Checks the input and calls the handler. */
async function run(
  context: MailboxContext,
  [route, handle]: Handled,
  received: Received & Pick<ApiRequest, 'caller'>
): Promise<object | typeof SENT> {
  const { request, response } = received
  const timeoutMs = readTimeout(request)
  const schemas = SCHEMAS[route.name]
  const problems: InvalidField[] = []
  const query = checkInput(querySchema(schemas), readQuery(request), problems)
  const sent = await readJsonObject(request, schemas?.maxBodyBytes ?? MAX_BODY_BYTES)
  const body = checkInput(schemas?.body, sent, problems)
  if (problems.length > 0) throw invalidInput(problems)
  const { signal, end } = endingSignal(response, timeoutMs)
  try {
    return await handle(context, { ...received, query, body, signal, timeoutMs })
  } finally {
    end()
  }
}

const querySchemas = new WeakMap<InputSchemas, object>()
const NO_INPUT: InputSchemas = {}

function querySchema(schemas: InputSchemas = NO_INPUT): object {
  const known = querySchemas.get(schemas)
  if (known !== undefined) return known
  const { query: properties = {}, requiredQuery: required = [] } = schemas
  const schema = { type: 'object', properties, required, additionalProperties: false }
  querySchemas.set(schemas, schema)
  return schema
}

function readQuery({ url = '' }: IncomingMessage): object {
  const sent = new URLSearchParams(parseRequestTarget(url).query)
  sent.delete(TOKEN_PARAMETER)
  const names = [...new Set(sent.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = sent.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    })
  )
}

function readTimeout({ headers }: IncomingMessage): number {
  const sent = headers['x-ee-timeout']
  if (sent === undefined || sent === '') return COMMAND_TIMEOUT_MS
  const timeoutMs = /^\d{1,7}$/.test(String(sent)) ? Number(sent) : Number.NaN
  if (!(timeoutMs <= MAX_TIMEOUT_MS)) {
    const message = `must be a number of milliseconds from 0 to ${MAX_TIMEOUT_MS}`
    throw invalidInput([{ key: 'x-ee-timeout', message }])
  }
  return timeoutMs === 0 ? COMMAND_TIMEOUT_MS : timeoutMs
}

function endingSignal(response: ServerResponse, timeoutMs: number) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new CommandTimeout()), timeoutMs)
  const leave = () => controller.abort()
  response.once('close', leave)
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      response.off('close', leave)
    }
  }
}
