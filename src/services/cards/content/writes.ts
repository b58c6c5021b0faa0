import type { ServerResponse } from 'node:http'
import { parseExpiry } from '../../../kernel/credentials/expiry.ts'
import { UniqueViolation } from '../../../kernel/database/errors.ts'
import type { CardContext, SectionRequest } from '../context.ts'
import {
  CONTENT_HEADERS,
  ContentInvalid,
  JSON_TYPE,
  ObjectUnknown,
  PermissionMissing,
  SlugUsed,
  TokenInvalid
} from '../contract.ts'
import { createSignedUrl } from '../files/signed-url.ts'
import type { Input } from '../http/input.ts'
import { createPreviewToken } from '../http/preview-token.ts'
import { withInput } from '../http/read-input.ts'
import { changeContentBoard, changeContentCard, changeListRole } from '../store/change-content.ts'
import { findContentBoard, findContentCard } from '../store/content.ts'
import { createEditor, type Editor } from '../store/editor.ts'
import type { Parameters, Plan, ReadName, WriteName } from './plan.ts'
import { READS, type Renderer } from './responses.ts'
import type { Viewers } from './viewers.ts'
import { fieldsOf, readBoardSettings, readCardSettings, readRole } from './write-input.ts'

const DEFAULT_PREVIEW = '24h'
const MAX_PREVIEW_DAYS = 30
const DAY_MS = 24 * 3600 * 1000
const NOT_STORED = 'private, no-store'

type WritePlan = Extract<Plan, { kind: 'write' }>

interface WriteRequest {
  readonly viewer: Editor['viewer']
  readonly params: Parameters
  readonly input: Input
  readonly baseUrl: string
}

type Write = (renderer: Renderer, request: WriteRequest) => Promise<string>

const WRITES: Readonly<Record<WriteName, Write>> = {
  changeBoard,
  changeList,
  changeCard,
  addPreviewToken,
  signUrl
}

/** Changes of the content API, for tokens of members with the scope `write`. */
export function createWrites(
  renderer: Renderer,
  viewers: Viewers
): (request: SectionRequest, plan: WritePlan) => Promise<(reply: ServerResponse) => Promise<void>> {
  const { context } = renderer

  return async ({ raw, query, baseUrl }, { name, params }) => {
    const { viewer, token } = await viewers.identify(raw, query)
    if (viewer.kind !== 'member' || !viewer.canWrite) throw new PermissionMissing()
    const body = await withInput(raw, inputOptions(context, query), async ({ input, tokens }) => {
      if (tokens.some((other) => other !== token)) throw new TokenInvalid()
      return WRITES[name](renderer, { viewer, params, input, baseUrl })
    })
    const headers = {
      ...CONTENT_HEADERS,
      'cache-control': NOT_STORED,
      vary: 'Authorization',
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body)
    }
    return async (reply) => void reply.writeHead(200, headers).end(body)
  }
}

function inputOptions({ uploadFolder, options }: CardContext, query: URLSearchParams) {
  return { query, folder: uploadFolder, maxFileBytes: options.maxFileBytes }
}

/** What a GET of the changed object sends. */
async function read(
  renderer: Renderer,
  { viewer, baseUrl }: WriteRequest,
  name: ReadName,
  { board, card = '' }: { board: string; card?: string }
): Promise<string> {
  const plan = { board, card, query: undefined, key: '' }
  const content = await READS[name](renderer, { viewer, baseUrl, plan, imageToken: undefined })
  if (content.kind === 'moved') throw new ObjectUnknown()
  return content.body.toString()
}

async function changeBoard(renderer: Renderer, request: WriteRequest): Promise<string> {
  const { viewer, params, input } = request
  const settings = readBoardSettings(input)
  const board = await renderer.context.store
    .change((time) => changeContentBoard(viewer, params.board ?? '', settings, time))
    .catch((error: unknown) => throwSlugUsed(error, settings.slug))
  return read(renderer, request, 'board', { board })
}

/** Another request took the slug at the same time. */
function throwSlugUsed(error: unknown, slug = ''): never {
  throw error instanceof UniqueViolation ? new SlugUsed(slug) : error
}

async function changeList(renderer: Renderer, request: WriteRequest): Promise<string> {
  const { viewer, params, input } = request
  const role = readRole(input)
  const board = await renderer.context.store.change((time) =>
    changeListRole(viewer, params.board ?? '', params.list ?? '', role, time)
  )
  return read(renderer, request, 'board', { board })
}

async function changeCard(renderer: Renderer, request: WriteRequest): Promise<string> {
  const { viewer, params, input } = request
  const settings = readCardSettings(input)
  const { board = '', card = '' } = params
  const { context } = renderer
  const changed = await context.store
    .change((time) => changeContentCard(board, card, settings, createEditor(context, viewer, time)))
    .catch((error: unknown) => throwSlugUsed(error, settings.slug))
  return read(renderer, request, 'card', changed)
}

async function addPreviewToken(renderer: Renderer, request: WriteRequest): Promise<string> {
  const { viewer, params, input } = request
  const { context } = renderer
  const fields = fieldsOf(input, ['card', 'expires'])
  const expiresAt = readExpiry(fields.expires ?? DEFAULT_PREVIEW, context.kernel.now().getTime())
  const wanted = readCardName(fields.card)
  const { board, card } = await context.store.read(function* () {
    const { id } = yield* findContentBoard(viewer, params.board ?? '')
    if (wanted === undefined) return { board: id, card: undefined }
    const found = yield* findContentCard(viewer, id, wanted)
    if (found === undefined) throw new ObjectUnknown()
    return { board: id, card: found.id }
  })
  const token = await createPreviewToken(context, { board, card, expiresAt })
  return JSON.stringify({ token, expiresAt: new Date(expiresAt * 1000).toISOString() })
}

function readCardName(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value.isWellFormed() && !value.includes('\0')) return value
  throw new ContentInvalid('card must be the id or slug of a card')
}

/** In Unix seconds. */
function readExpiry(value: unknown, now: number): number {
  const end = typeof value === 'string' ? parseExpiry(value, now) : undefined
  if (end !== undefined && end <= now + MAX_PREVIEW_DAYS * DAY_MS) return Math.ceil(end / 1000)
  throw new ContentInvalid(
    `expires must be a duration such as 24h or 7d, or a later date, at most ${MAX_PREVIEW_DAYS} days from now`
  )
}

async function signUrl({ context }: Renderer, request: WriteRequest): Promise<string> {
  const { viewer, params, input, baseUrl } = request
  const { expires } = fieldsOf(input, ['expires'])
  const { id } = await context.store.read(() => findContentBoard(viewer, params.board ?? ''))
  const attachment = params.attachment ?? ''
  const signed = { viewer, board: id, attachment, expires, baseUrl }
  return JSON.stringify(await createSignedUrl(context, signed))
}
