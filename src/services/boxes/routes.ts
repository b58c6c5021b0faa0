import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowAnyMethod, methodsExcept } from '../../kernel/any-method.ts'
import { allowRequestedHeaders, sendPreflight } from '../../kernel/cors.ts'
import { RouteNotFound } from '../../kernel/errors.ts'
import { matchesEtag } from '../../kernel/etag.ts'
import { lastEventId } from '../../kernel/event-stream.ts'
import { viewBox } from './box/resolve-box.ts'
import { readPosition, streamChanges, wantsEvents } from './changes/stream.ts'
import type { BoxContext, Handler } from './context.ts'
import {
  NothingToWrite,
  PREFLIGHT_HEADERS,
  PreconditionFailed,
  RecordNotFound,
  TargetMissing
} from './contract.ts'
import { readBody } from './http/body.ts'
import { type BoxPath, parseBoxPath } from './http/box-path.ts'
import { type BoxTarget, parseBoxTarget } from './http/box-target.ts'
import { checkKeyForm, findKey } from './http/credentials.ts'
import { isPageForm } from './http/page-form.ts'
import { isForNew, readCondition } from './http/preconditions.ts'
import { prefersRecord } from './http/prefer.ts'
import { sendJson, sendMessage, sendUnchanged } from './http/response.ts'
import { listRecords } from './list/list.ts'
import { describeList, listHeaders, listTag, sendList } from './list/list-response.ts'
import {
  parseListQuery,
  readFields,
  readFilter,
  readTtl,
  wantsCount
} from './list/parse-list-query.ts'
import { createScanBudget } from './list/scan-budget.ts'
import { removeMatches } from './records/delete-by-query.ts'
import { patchRecord } from './records/patch.ts'
import {
  readRecords,
  renderNew,
  renderRecord,
  requireOne,
  requireRecords
} from './records/records.ts'
import { RESERVED_ROUTES } from './reserved-routes.ts'
import { joinList } from './text/record-text.ts'

const HANDLERS: Readonly<Record<string, Handler>> = {
  GET: handleGet,
  POST: handlePost,
  PUT: replaceRecord,
  PATCH: patchRecord,
  DELETE: handleDelete,
  OPTIONS: handlePreflight
}

/** Every URL is rewritten to `/`, because paths are parsed here and not by the router. */
export function boxRoutes(app: FastifyInstance, context: BoxContext): void {
  allowAnyMethod(app)
  function handle(method: string, usual: Handler, request: FastifyRequest, reply: FastifyReply) {
    const target = parseBoxTarget(request)
    const handler = findHandler(method, target) ?? usual
    return handler(context, request, reply, target)
  }
  for (const [method, handler] of Object.entries(HANDLERS)) {
    app.route({
      method,
      url: '/',
      handler: (request, reply) => handle(method, handler, request, reply)
    })
  }
  const others = methodsExcept('HEAD', 'CONNECT', ...Object.keys(HANDLERS))
  app.route({ method: others, url: '/', handler: rejectMethod })
}

/** The handler of `/<reserved word>/<box>`; undefined for other paths and methods. */
function findHandler(method: string, { segments }: BoxTarget): Handler | undefined {
  const [word = '', box] = segments
  return box === undefined || !word.startsWith('_') ? undefined : RESERVED_ROUTES[word]?.[method]
}

/** jsonbox.io has no routes for these methods either, so the response is a 404. */
async function rejectMethod(request: FastifyRequest): Promise<never> {
  throw new RouteNotFound(request.method, parseBoxTarget(request).path)
}

async function handlePost(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
) {
  if (target.segments.length > 0 || !isPageForm(request)) {
    return createRecords(context, request, reply, target)
  }
  // Pages are loaded with the first request for one.
  const { handleForm } = await import('./pages/home-form.ts')
  await handleForm(context, request, reply)
}

async function createRecords(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { segments, parameters }: BoxTarget
) {
  const { options, store } = context
  const sent = await readRecords(await readBody(request.raw, options.maxRequestBytes), options)
  const { box, collection } = parseBoxPath(segments, options)
  const { many, records } = requireRecords(sent)
  const key = findKey(request.headers)
  checkKeyForm(key)
  const ttl = readTtl(parameters)
  const headers = context.countRequest(request.raw)
  const { ids, created } = await store.create({ box, collection, key, ttl, contents: records })
  const texts = records.map(({ raw }, index) => renderNew(ids[index] ?? '', raw, created))
  sendJson(reply, many ? joinList(texts) : texts.join(), headers)
}

async function handleGet(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
) {
  if (target.segments.length === 0) return handleHome(context, request, reply, target)
  const path = parseBoxPath(target.segments, context.options)
  checkKeyForm(findKey(request.headers))
  const { id } = path
  if (id === undefined) return handleList(context, request, reply, target, path)
  return handleRecord(context, request, reply, target, { ...path, id })
}

async function handleHome(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { parameters }: BoxTarget
) {
  const home = await import('./pages/home.ts')
  await home.handleHome(context, request, reply, parameters)
}

async function handleRecord(
  { store }: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { parameters }: BoxTarget,
  { box, collection, id }: BoxPath & { id: string }
) {
  const fields = readFields(parameters)
  const record = await store.find(box, id, findKey(request.headers))
  if (record === undefined) throw new RecordNotFound()
  const etag = `"${record.rev}"`
  const headers = ['etag', etag, 'cache-control', 'no-cache']
  if (matchesEtag(request.headers['if-none-match'], etag)) sendUnchanged(reply, headers)
  else sendJson(reply, renderRecord(record, collection === undefined, fields), headers)
}

async function handleList(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget,
  { box, collection }: BoxPath
) {
  const { kernel, options, store } = context
  const { path, parameters } = target
  const key = findKey(request.headers)
  if (wantsEvents(request)) {
    const since = readSince(request, parameters)
    const subject = { box, collection, key, filter: readFilter(parameters) }
    return streamChanges(context, reply, subject, since)
  }
  // The state is read before the records, so that the ETag is never newer than the list.
  const view = await viewBox(context, box, collection, key)
  const query = parseListQuery(view, parameters)
  const fields = readFields(parameters)
  const count = wantsCount(parameters, String(request.headers.prefer))
  const asked = describeList(target, count)
  const etag = listTag(view, asked)
  if (etag !== undefined && matchesEtag(request.headers['if-none-match'], etag)) {
    return sendUnchanged(reply, listHeaders(etag))
  }
  const budget = createScanBudget(options.scanBudgetMs)
  const listing = await listRecords(store.scan, query, count, budget)
  const url = kernel.baseUrl(request.raw) + path
  const page = { listing, query, fields, asked, etag, parameters, url }
  await sendList(request, reply, store.scan, page)
}

/** The last number that a reconnecting client received, or `since` of a new client. */
function readSince({ headers }: FastifyRequest, parameters: URLSearchParams): number | undefined {
  const own = readPosition(lastEventId(headers), 'Last-Event-ID')
  return own ?? readPosition(parameters.get('since') ?? undefined, 'since')
}

async function replaceRecord(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { segments, parameters }: BoxTarget
) {
  const { options, store } = context
  const sent = await readRecords(await readBody(request.raw, options.maxRequestBytes), options)
  const { box, collection, id } = parseBoxPath(segments, options)
  if (id === undefined && !parameters.has('q')) throw new TargetMissing()
  const record = requireOne(sent)
  if (id === undefined) throw new NothingToWrite()
  const key = findKey(request.headers)
  const condition = readCondition(request.headers)
  const isNew = isForNew(condition)
  const ttl = readTtl(parameters)
  const stored = isNew
    ? await store.createAs(id, record, { box, collection, key, ttl, contents: [] })
    : await store.replace(record, { box, id, key, condition })
  const headers = ['etag', `"${stored.rev}"`]
  if (!prefersRecord(request.headers)) {
    return sendMessage(reply, isNew ? 'Record created.' : 'Record updated.', headers)
  }
  const text = renderRecord(stored, collection === undefined, readFields(parameters))
  sendJson(reply, text, [...headers, 'preference-applied', 'return=representation'])
}

async function handleDelete(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { segments, parameters }: BoxTarget
) {
  const { options, store } = context
  const { box, collection, id } = parseBoxPath(segments, options)
  const key = findKey(request.headers)
  const condition = readCondition(request.headers)
  if (id !== undefined) {
    await store.remove({ box, id, key, condition })
    return sendMessage(reply, 'Record removed.')
  }
  // Lists have weak ETags only, and If-Match compares strongly.
  if (condition.ifMatch !== undefined) throw new PreconditionFailed()
  const filter = readFilter(parameters)
  if (filter === undefined && collection === undefined && parameters.get('all') === 'true') {
    await store.removeBox({ box, key })
    return sendMessage(reply, 'Box removed.')
  }
  if (filter === undefined) throw new TargetMissing()
  const budget = createScanBudget(options.scanBudgetMs)
  const view = await viewBox(context, box, collection, key)
  const removed = await removeMatches(store, { box, key }, view, filter, budget)
  sendMessage(reply, `${removed} Records removed.`)
}

async function handlePreflight(_: BoxContext, request: FastifyRequest, reply: FastifyReply) {
  await sendPreflight(reply, { ...PREFLIGHT_HEADERS, ...allowRequestedHeaders(request.headers) })
}
