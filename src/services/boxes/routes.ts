import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from '../../kernel/etag.ts'
import { RouteNotFound } from '../../kernel/failures.ts'
import { type Address, decodeSegment, readAddress } from './address.ts'
import { sendJson, sendMessage, sendUnchanged } from './answer.ts'
import { readBody } from './body.ts'
import {
  BoxIdInvalid,
  NothingToWrite,
  PREFLIGHT_HEADERS,
  RecordNotFound,
  TargetMissing
} from './contract.ts'
import { checkKeyForm, findKey } from './credentials.ts'
import { answerForm, answerHome, isForm } from './home.ts'
import { listRecords } from './list.ts'
import { sendList } from './list-answer.ts'
import { createPace } from './pace.ts'
import { readFilter, readQuestion, wantsCount } from './question.ts'
import {
  readRecords,
  renderNew,
  renderRecord,
  requireOne,
  requireRecords,
  timestamp
} from './records.ts'
import { removeMatches } from './removal.ts'
import type { BoxRoom } from './room.ts'
import { countRecords } from './slices.ts'
import { joinList } from './text/record-text.ts'
import { readVisit, type Visit } from './visit.ts'

type Handler = (room: BoxRoom, request: FastifyRequest, reply: FastifyReply) => Promise<void>

const HANDLERS: Readonly<Record<string, Handler>> = {
  GET: answerGet,
  POST: answerPost,
  PUT: replaceRecord,
  DELETE: answerDelete,
  OPTIONS: answerPreflight
}

/** Every path is rewritten to `/`: the rules for segments are ours, not the router's. */
export function boxRoutes(app: FastifyInstance, room: BoxRoom): void {
  // Methods without a body are the ones whose body Fastify leaves alone: no
  // content type, right or wrong, may change the answer.
  for (const method of METHODS) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
  for (const [method, handler] of Object.entries(HANDLERS)) {
    app.route({ method, url: '/', handler: (request, reply) => handler(room, request, reply) })
  }
  const others = METHODS.filter(
    (method) => !/^(GET|HEAD|POST|PUT|DELETE|OPTIONS|CONNECT)$/.test(method)
  )
  app.route({ method: others, url: '/', handler: refuseMethod })
}

/** As the original, which knows no such route. */
async function refuseMethod(request: FastifyRequest): Promise<never> {
  throw new RouteNotFound(request.method, readVisit(request).path)
}

async function answerPost(room: BoxRoom, request: FastifyRequest, reply: FastifyReply) {
  const { segments } = readVisit(request)
  if (segments.length === 0 && isForm(request)) await answerForm(room, request, reply)
  else await createRecords(room, request, reply, segments)
}

async function createRecords(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  segments: readonly string[]
) {
  const { options, store } = room
  const sent = readRecords(await readBody(request.raw, options.maxRequestBytes), options)
  const { box, collection } = readAddress(segments, options)
  const { many, records } = requireRecords(sent)
  const key = findKey(request.headers)
  checkKeyForm(key)
  const headers = room.countRequest(request.raw)
  const { ids, created } = await store.create({ box, collection, key, contents: records })
  const texts = records.map(({ raw }, index) => renderNew(ids[index] ?? '', raw, created))
  sendJson(reply, many ? joinList(texts) : texts.join(), headers)
}

async function answerGet(room: BoxRoom, request: FastifyRequest, reply: FastifyReply) {
  const visit = readVisit(request)
  const [first, second] = visit.segments
  if (first === undefined) return answerHome(room, request, reply, visit.parameters)
  if (first === '_meta' && second !== undefined) return sendMeta(room, reply, second)
  const address = readAddress(visit.segments, room.options)
  checkKeyForm(findKey(request.headers))
  const { id } = address
  if (id === undefined) return answerList(room, request, reply, visit, address)
  return answerRecord(room, request, reply, { ...address, id })
}

async function answerRecord(
  { store }: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  { box, collection, id }: Address & { id: string }
) {
  const record = await store.find(box, id)
  if (record === undefined) throw new RecordNotFound()
  const etag = `"${record.rev}"`
  const headers = ['etag', etag, 'cache-control', 'no-cache']
  if (matchesEtag(request.headers['if-none-match'], etag)) sendUnchanged(reply, headers)
  else sendJson(reply, renderRecord(record, collection === undefined), headers)
}

async function answerList(
  { kernel, options, store }: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, parameters }: Visit,
  { box, collection }: Address
) {
  const question = readQuestion({ box, collection }, parameters)
  const count = wantsCount(parameters, String(request.headers.prefer))
  const pace = createPace(options.scanBudgetMs)
  const listing = await listRecords(store.scan, question, count, pace)
  const url = kernel.baseUrl(request.raw) + path
  await sendList(request, reply, store.scan, { listing, question, parameters, url })
}

/** The original looks at no rule for ids here. */
async function sendMeta({ options, store }: BoxRoom, reply: FastifyReply, segment: string) {
  const box = decodeSegment(segment)
  if (box === undefined) throw new BoxIdInvalid()
  const pace = createPace(options.scanBudgetMs)
  const { created, updated } = await store.span(box)
  const meta = {
    _count: await countRecords(store.scan, { box, collection: undefined }, pace),
    _sizeLimit: Math.floor(options.maxRecordBytes / 1024),
    _createdOn: created === null ? undefined : timestamp(created),
    _updatedOn: updated === null ? undefined : timestamp(updated)
  }
  sendJson(reply, JSON.stringify(meta))
}

async function replaceRecord(room: BoxRoom, request: FastifyRequest, reply: FastifyReply) {
  const { options, store } = room
  const sent = readRecords(await readBody(request.raw, options.maxRequestBytes), options)
  const { segments, parameters } = readVisit(request)
  const { box, id } = readAddress(segments, options)
  if (id === undefined && !parameters.has('q')) throw new TargetMissing()
  const record = requireOne(sent)
  if (id === undefined) throw new NothingToWrite()
  await store.replace(record, { box, id, key: findKey(request.headers) })
  sendMessage(reply, 'Record updated.')
}

async function answerDelete(room: BoxRoom, request: FastifyRequest, reply: FastifyReply) {
  const { options, store } = room
  const { segments, parameters } = readVisit(request)
  const { box, collection, id } = readAddress(segments, options)
  const key = findKey(request.headers)
  if (id !== undefined) {
    await store.remove({ box, id, key })
    return sendMessage(reply, 'Record removed.')
  }
  const filter = readFilter(parameters)
  if (filter === undefined) throw new TargetMissing()
  const pace = createPace(options.scanBudgetMs)
  const removed = await removeMatches(store, { box, collection }, key, filter, pace)
  sendMessage(reply, `${removed} Records removed.`)
}

async function answerPreflight(_: BoxRoom, request: FastifyRequest, reply: FastifyReply) {
  const asked = request.headers['access-control-request-headers']
  reply.code(204).headers(PREFLIGHT_HEADERS)
  if (asked !== undefined) reply.header('access-control-allow-headers', asked)
  await reply.send()
}
