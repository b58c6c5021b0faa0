import type { IncomingMessage, ServerResponse } from 'node:http'
import { bearerToken } from '../../../kernel/admin.ts'
import { allowRequestedHeaders, preflightPolicy } from '../../../kernel/cors.ts'
import { authorize } from '../../../kernel/credentials/authorize.ts'
import type { StatusContext, StatusRequest } from '../context.ts'
import {
  CHALLENGE,
  COMMON_HEADERS,
  DATA_POLICY,
  JSON_TYPE,
  MethodNotAllowed,
  OWNER_HEADERS,
  TokenInvalid,
  TooManyRequests
} from '../contract.ts'
import type { ApiMatch, ApiRoute } from '../http/route-table.ts'
import { hasAccount } from '../store/browse.ts'
import { createOperations, type OperationResponse } from './operations.ts'

/** Resolves to a function that sends the response; rejects with the error to send. */
export type Api = (
  raw: IncomingMessage,
  request: StatusRequest,
  match: ApiMatch
) => Promise<(reply: ServerResponse) => void>

const PREFLIGHT_SECONDS = 600

/** Requests of owners with a token. */
export function createApi(context: StatusContext): Api {
  const { kernel, store } = context
  const operations = createOperations(context)

  /** The account of the token; the error is the same for every token that is not accepted. */
  async function accountOf(raw: IncomingMessage, { scope }: ApiRoute): Promise<string> {
    const principal = await kernel.credentials.authenticate(raw, bearerToken(raw.headers))
    if (typeof principal === 'object' && 'retryAfter' in principal) {
      const { retryAfter } = principal
      const headers = { 'retry-after': String(retryAfter) }
      throw Object.assign(new TooManyRequests(retryAfter), { headers })
    }
    const account = typeof principal === 'string' ? undefined : principal.bindings[0]
    if (typeof principal === 'string' || account === undefined) throw invalidToken()
    const isAllowed = authorize(principal, scope, account)
    if (!isAllowed || !(await store.read(() => hasAccount(account)))) throw invalidToken()
    return account
  }

  async function respond(
    raw: IncomingMessage,
    request: StatusRequest,
    { routes, params }: ApiMatch
  ): Promise<OperationResponse> {
    const { method = '' } = raw
    const allowed = routes.flatMap((route) => (route.method === 'GET' ? GET : [route.method]))
    const allow = [...allowed, 'OPTIONS'].join(', ')
    if (method === 'OPTIONS') {
      const policy = preflightPolicy(allow, PREFLIGHT_SECONDS)
      return { status: 204, headers: { allow, ...policy, ...allowRequestedHeaders(raw.headers) } }
    }
    const route = routes.find((one) => one.method === (method === 'HEAD' ? 'GET' : method))
    if (route === undefined) {
      throw Object.assign(new MethodNotAllowed(method, allow), { headers: { allow } })
    }
    const account = await accountOf(raw, route)
    const confirm = async () => {
      if ((await accountOf(raw, route)) !== account) throw invalidToken()
    }
    return operations[route.name]({ account, id: params.id ?? '', raw, request, confirm })
  }

  return async (raw, request, match) => {
    try {
      const { status, headers = {}, body } = await respond(raw, request, match)
      return (reply) => send(reply, status, headers, body)
    } catch (error) {
      throw withOwnerHeaders(error)
    }
  }
}

const GET = ['GET', 'HEAD']

function invalidToken(): Error {
  return Object.assign(new TokenInvalid(), { headers: CHALLENGE })
}

function withOwnerHeaders(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { headers } = error as { headers?: Readonly<Record<string, string>> }
  return Object.assign(error, { headers: { ...OWNER_HEADERS, ...headers } })
}

function send(
  reply: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: object | undefined
): void {
  const text = body === undefined ? '' : JSON.stringify(body)
  reply.writeHead(status, {
    ...COMMON_HEADERS,
    ...DATA_POLICY,
    ...OWNER_HEADERS,
    ...(body !== undefined && {
      'content-type': JSON_TYPE,
      'content-length': String(Buffer.byteLength(text))
    }),
    ...headers
  })
  // Node sends no body in response to HEAD.
  reply.end(text)
}
