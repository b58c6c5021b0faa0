import type { IncomingMessage, ServerResponse } from 'node:http'
import { createCache } from '../../../kernel/cache.ts'
import { allowRequestedHeaders } from '../../../kernel/cors.ts'
import { loadOnce } from '../../../kernel/load-once.ts'
import { type PreparedResponse, sendPrepared } from '../../../kernel/prepared-response.ts'
import { parseRequestTarget } from '../../../kernel/request-target.ts'
import { createSharedRead } from '../../../kernel/shared-read.ts'
import type { CardContext, Section, SectionRequest } from '../context.ts'
import { CONTENT_HEADERS, ObjectUnknown } from '../contract.ts'
import { queryTokens } from '../http/read-input.ts'
import type { Identity } from '../records/viewer.ts'
import { findKeyWithRevision, type Revision, readContentRevision } from '../store/content.ts'
import { cacheHeaders, createKeptContent, currentTag, prepareBytes } from './kept-content.ts'
import { type Plan, planRequest, type ReadName, type ReadPlan } from './plan.ts'
import { createPrepare, keyOf, tagOf } from './prepare-content.ts'
import { weighDescription } from './render-cards.ts'
import { READS, type ReadRequest, type Renderer } from './responses.ts'
import { createViewers } from './viewers.ts'

const MAX_DESCRIPTION_CHARACTERS = 16 * 1024 * 1024
/** URLs that are parsed only once. */
const MAX_PLANS = 1_000
const MAX_PLANNED_URL = 500
const MAX_EXPECTED = 1_000
const MAX_AUTHORIZATION = 100
/** Requests whose token and revision are read again only after a change of the data. */
const MAX_STATES = 1_000
const PREFLIGHT_SECONDS = '600'

type Send = (reply: ServerResponse) => Promise<void>

/** Requests below `/content`. */
export interface ContentSection {
  readonly section: Section
  /** Sends a prepared response. Resolves to false without one, or after an error. */
  readonly sendKept: (raw: IncomingMessage, reply: ServerResponse) => Promise<boolean>
}

interface Found {
  readonly identity: Identity
  readonly prepared: PreparedResponse | undefined
}

/** What a request with this token and URL found in the tables. */
interface State {
  /** Of the database, before the tables were read. */
  readonly version: number
  readonly identity: Identity
  /** Of the kept response. */
  readonly key: string
  readonly revision: Revision
}

export function createContent(context: CardContext): ContentSection {
  const { kernel, store } = context
  const kept = createKeptContent()
  const plans = createCache<ReadPlan>(MAX_PLANS)
  const viewers = createViewers(context)
  const renderer: Renderer = {
    context,
    descriptions: createCache(MAX_DESCRIPTION_CHARACTERS, weighDescription)
  }
  const shareRead = createSharedRead<Found>()
  /**
   * Boards of publishable keys, by the `Authorization` of earlier requests. One statement reads the
   * key and the revision of the board that it is expected to have.
   */
  const expectedBoards = createCache<string>(MAX_EXPECTED)
  /**
   * By token, base URL and URL. Without these reads a list of 1,000 cards on SQLite takes 0.6 of
   * the CPU time.
   */
  const states = createCache<State>(MAX_STATES)
  const prepare = createPrepare(renderer, kept, readState)
  const loadWrites = loadOnce(async () => {
    const { createWrites } = await import('./writes.ts')
    return createWrites(renderer, viewers)
  })

  async function readState({
    viewer,
    plan
  }: Pick<ReadRequest, 'viewer' | 'plan'>): Promise<Revision> {
    const state = await store.read(() => readContentRevision(viewer, plan.board))
    if (state === undefined) throw new ObjectUnknown()
    return state
  }

  async function sendKept(raw: IncomingMessage, reply: ServerResponse): Promise<boolean> {
    if (raw.method !== 'GET' && raw.method !== 'HEAD') return false
    const plan = plans.get(raw.url ?? '')
    if (plan === undefined) return false
    const baseUrl = kernel.baseUrl(raw)
    const key = `${raw.headers.authorization ?? ''}\n${baseUrl}\n${raw.url}`
    let found: Found
    try {
      found = findKnown(key) ?? (await shareRead(key, () => readKept(raw, baseUrl, plan, key)))
      viewers.count(raw, found.identity)
    } catch {
      // Errors are found again by the section, which sends them.
      return false
    }
    if (found.prepared === undefined) return false
    sendPrepared(raw, reply, found.prepared)
    return true
  }

  /** Undefined if the data has changed, or if the token has expired. */
  function findKnown(key: string): Found | undefined {
    const state = states.get(key)
    if (state === undefined || state.version !== kernel.database.version?.()) return undefined
    const { identity } = state
    const expiresAt = identity.principal?.expiresAt ?? Number.POSITIVE_INFINITY
    if (kernel.now().getTime() >= expiresAt) return undefined
    return { identity, prepared: kept.find(state.key, state.revision) }
  }

  async function readKept(
    raw: IncomingMessage,
    baseUrl: string,
    plan: ReadPlan,
    stateKey: string
  ): Promise<Found> {
    const version = kernel.database.version?.()
    const { authorization = '' } = raw.headers
    const expected = expectedBoards.get(authorization)
    const request = expected === undefined ? undefined : { board: expected, name: plan.board }
    const found: { revision?: Revision } = {}
    const find = request && ((digest: string) => findKeyWithRevision(digest, request, found))
    const identity = await viewers.identify(raw, undefined, find)
    const { viewer } = identity
    const board = viewer.kind === 'publishable' ? viewer.board : undefined
    const isExpected = board !== undefined && board === expected
    if (board !== undefined && !isExpected && authorization.length <= MAX_AUTHORIZATION) {
      expectedBoards.set(authorization, board)
    }
    const key = keyOf({ viewer, baseUrl, plan })
    if (key === undefined) return { identity, prepared: undefined }
    const revision = (isExpected && found.revision) || (await readState({ viewer, plan }))
    const prepared = kept.find(key, revision)
    if (
      version !== undefined &&
      prepared !== undefined &&
      authorization.length <= MAX_AUTHORIZATION
    ) {
      states.set(stateKey, { version, identity, key, revision })
    }
    return { identity, prepared }
  }

  function planOf({ raw, target, path, segments, query }: SectionRequest): Plan {
    const plan = planRequest(raw.method ?? '', path, segments.slice(1), query)
    // Secrets are not stored, and the token of a planned URL is in a header.
    const isKept = target.length <= MAX_PLANNED_URL && queryTokens(query).length === 0
    if (plan.kind === 'read' && plan.name !== 'boards' && isKept) plans.set(target, plan.read)
    return plan
  }

  async function read(request: SectionRequest, name: ReadName, plan: ReadPlan): Promise<Send> {
    const { raw, baseUrl } = request
    const { viewer, token } = await viewers.identify(raw, request.query)
    const imageToken = viewer.kind === 'preview' ? token : undefined
    const wanted: ReadRequest = { viewer, baseUrl, plan, imageToken }
    if (name === 'boards') return readBoards(raw, wanted)
    const state = await readState(wanted)
    const current = currentTag(raw, tagOf(renderer, wanted, state))
    if (current !== undefined) {
      const headers = { ...cacheHeaders(viewer), etag: current }
      return async (reply) => void reply.writeHead(304, headers).end()
    }
    const key = keyOf(wanted)
    const found = key === undefined ? undefined : kept.find(key, state)
    const prepared = found ?? (await prepare(name, wanted, state))
    if ('slug' in prepared) return redirectTo(request, wanted, prepared.slug)
    return async (reply) => sendPrepared(raw, reply, prepared)
  }

  /** Each of the boards has its own revision, so the ETag is of the bytes. */
  async function readBoards(raw: IncomingMessage, wanted: ReadRequest): Promise<Send> {
    const content = await READS.boards(renderer, wanted)
    if (content.kind === 'moved') throw new ObjectUnknown()
    const prepared = await prepareBytes(content, wanted.viewer, undefined)
    return async (reply) => sendPrepared(raw, reply, prepared)
  }

  async function handle(request: SectionRequest): Promise<Send> {
    const plan = planOf(request)
    if (plan.kind === 'options') return preflight(request.raw, plan.allow)
    if (plan.kind === 'read') return read(request, plan.name, plan.read)
    return (await loadWrites())(request, plan)
  }

  return {
    sendKept,
    async section(request) {
      return handle(request).catch((error: Error) => {
        throw Object.assign(error, { isProblem: true })
      })
    }
  }
}

function preflight({ headers }: IncomingMessage, allow: string): Send {
  const allowed = {
    ...CONTENT_HEADERS,
    allow,
    'access-control-allow-methods': allow,
    'access-control-max-age': PREFLIGHT_SECONDS,
    vary: 'Access-Control-Request-Headers',
    ...allowRequestedHeaders(headers)
  }
  return async (reply) => void reply.writeHead(204, allowed).end()
}

/** The card has another slug; the query is kept, because it may have the token. */
function redirectTo(
  { target }: SectionRequest,
  { viewer, baseUrl, plan }: ReadRequest,
  slug: string
): Send {
  const { query } = parseRequestTarget(target)
  const path = ['content', plan.board, 'cards', slug].map(encodeURIComponent).join('/')
  const location = `${baseUrl}/${path}${query === '' ? '' : `?${query}`}`
  const headers = { ...cacheHeaders(viewer), location, 'content-length': '0' }
  return async (reply) => void reply.writeHead(301, headers).end()
}
