import type { IncomingMessage, ServerResponse } from 'node:http'
import { allowRequestedHeaders } from '../../../kernel/cors.ts'
import { loadOnce } from '../../../kernel/load-once.ts'
import { parseRequestTarget, segmentsOf } from '../../../kernel/request-target.ts'
import type { ApiRequest, ApiResponse, CardContext, Section, SectionRequest } from '../context.ts'
import {
  API_CACHE,
  COMMON_HEADERS,
  DATA_POLICY,
  JSON_TYPE,
  OwnDelivery,
  PermissionMissing,
  RequestInvalid,
  RouteUnknown
} from '../contract.ts'
import { createApiLimits } from '../http/api-limits.ts'
import { identify, mayRead, requestTokens } from '../http/credentials.ts'
import { type BodyInput, withInput } from '../http/read-input.ts'
import { writeJson } from '../http/write-json.ts'
import { maskPath } from '../records/mask-path.ts'
import type { Identity } from '../records/viewer.ts'
import { HANDLERS } from './handlers.ts'
import { matchRoute, type RouteMatch } from './match-route.ts'
import type { Access } from './route-table.ts'

type Headers = Readonly<Record<string, string>>

const PREFLIGHT: Headers = { 'access-control-max-age': '600' }

/** Requests below `/1`. */
export function createApi(context: CardContext): Section {
  const { kernel, options } = context
  const limits = createApiLimits(kernel, options.rateLimit)
  const authorize = loadOnce(async () => {
    const { createAuthorize } = await import('./authorize.ts')
    return createAuthorize(context)
  })

  async function run(
    identity: Identity,
    match: RouteMatch,
    request: Pick<ApiRequest, 'input' | 'baseUrl' | 'raw'>
  ): Promise<ApiResponse> {
    return HANDLERS[match.route.name](context, {
      ...request,
      ...identity,
      params: match.params,
      get: (target) => get(identity, target, request)
    })
  }

  /** One request of a batch: the same client, other parameters. */
  async function get(
    identity: Identity,
    target: string,
    { raw, baseUrl }: Pick<ApiRequest, 'baseUrl' | 'raw'>
  ): Promise<ApiResponse> {
    const { path, query } = parseRequestTarget(target.startsWith('/') ? target : `/${target}`)
    const match = matchRoute('GET', segmentsOf(path))
    if (match === undefined) throw unknownRoute('GET', `/1${path}`)
    if (match.route.name === 'batch') throw new RequestInvalid('A batch must not contain a batch')
    checkAccess(identity, match.route.access)
    const parameters = new URLSearchParams(query)
    const { input } = await withInput(WITHOUT_BODY, inputOptions(parameters), async (body) => body)
    return run(identity, match, { raw, baseUrl, input })
  }

  function inputOptions(query: URLSearchParams) {
    return { query, folder: context.uploadFolder, maxFileBytes: options.maxFileBytes }
  }

  async function handle(request: SectionRequest): Promise<Handled> {
    const { raw, path, segments, query, baseUrl } = request
    const match = matchRoute(raw.method ?? '', segments.slice(1))
    if (match === undefined) throw unknownRoute(raw.method, path)
    rejectDelivery(raw)
    const { access } = match.route
    const keyHeaders = limits.countAddress(raw)
    const tokens = requestTokens(raw, query)
    // Before the body is received, if its sender is already known.
    const known = tokens.length > 0 ? await identify(context, raw, tokens) : undefined
    if (known !== undefined) checkAccess(known, access)
    return withInput(raw, inputOptions(query), async (body) => {
      const identity = await identifyBy(known, raw, tokens, body)
      checkAccess(identity, access)
      const isOfMember = match.route.pattern.startsWith('/members/')
      const headers = limits.countToken(identity.principal?.tokenId, isOfMember)
      const response = await run(identity, match, { raw, baseUrl, input: body.input })
      const sent = 'send' in response ? response.send : await writeJson(response.body)
      return { sent, headers: { ...keyHeaders, ...headers } }
    })
  }

  /** Again after an upload, which may take so long that the token is revoked meanwhile. */
  async function identifyBy(
    known: Identity | undefined,
    raw: IncomingMessage,
    tokens: readonly string[],
    body: BodyInput
  ): Promise<Identity> {
    const isSure = known !== undefined && body.tokens.length === 0 && !body.hasFiles
    return isSure ? known : identify(context, raw, [...tokens, ...body.tokens])
  }

  return async (request) => {
    const { raw } = request
    if (raw.method === 'OPTIONS') {
      const headers = { ...COMMON_HEADERS, ...PREFLIGHT, ...allowRequestedHeaders(raw.headers) }
      return async (reply) => void reply.writeHead(204, headers).end()
    }
    if (request.segments[1]?.toLowerCase() === 'authorize' && request.segments.length === 2) {
      return (await authorize())(request)
    }
    const { sent, headers } = await handle(request)
    return (reply) => send(reply, sent, headers)
  }
}

type Sent = Buffer | ((reply: ServerResponse) => Promise<void>)

interface Handled {
  /** JSON, or what sends another response. */
  sent: Sent
  headers: Headers
}

/** The requests of a batch have none. */
const WITHOUT_BODY = { headers: {} } as IncomingMessage

function unknownRoute(method = '', path: string): Error {
  return new RouteUnknown(method, maskPath(path))
}

/** Otherwise a webhook could lead to the API with a token and cause its next delivery. */
function rejectDelivery({ headers }: IncomingMessage): void {
  const isDelivery = 'x-trello-webhook' in headers || 'webhook-signature' in headers
  if (isDelivery) throw new OwnDelivery()
}

function checkAccess(identity: Identity, access: Access): void {
  if (!isAllowed(identity, access)) throw new PermissionMissing()
}

function isAllowed(identity: Identity, access: Access): boolean {
  const { viewer } = identity
  if (access === 'public') return mayRead(identity)
  if (access === 'signed' && viewer.kind === 'anonymous') return true
  if (viewer.kind !== 'member') return false
  if (access === 'read' || access === 'signed') return mayRead(identity)
  return access === 'write' ? viewer.canWrite : viewer.canAdminister
}

async function send(reply: ServerResponse, sent: Sent, headers: Headers): Promise<void> {
  for (const [name, value] of Object.entries(headers)) reply.setHeader(name, value)
  if (typeof sent === 'function') return sent(reply)
  reply
    .writeHead(200, {
      ...COMMON_HEADERS,
      ...DATA_POLICY,
      'content-type': JSON_TYPE,
      'cache-control': API_CACHE,
      'content-length': sent.length
    })
    .end(sent)
}
