import { isJson, isXml } from '../../../kernel/media-type.ts'
import { mergePatch } from '../../../kernel/merge-patch.ts'
import { Problem } from '../contract.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { unprocessable } from '../engine/invalid-request.ts'
import type { OperationHandler } from '../engine/operation-handler.ts'
import type { EngineOptions } from '../engine/options.ts'
import type { Incoming } from '../message.ts'
import type { Operation } from '../model/api.ts'
import type { RequestCheck } from '../request/check.ts'
import { diagnose } from '../request/diagnose.ts'
import { decodePercent } from '../request/percent.ts'
import type { Preferences } from '../request/preferences.ts'
import { type Choice, chooseUsual } from '../response/choose-response.ts'
import type { Mocked } from '../response/mocker.ts'
import { negotiate } from '../response/negotiate.ts'
import type { Match } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import { type Collection, canCreate } from './collection.ts'
import type { CollectionScope } from './collection-scope.ts'
import { recordsBelow } from './descendants.ts'
import { pathOf } from './find-collection.ts'
import { withoutSecrets } from './fit-to-schema.ts'
import { isGivenId, parentNames } from './identity.ts'
import { floorOf, makeRecord, type NewRecordInput, replaceRecord } from './new-record.ts'
import { type CutPage, createPaging } from './paging.ts'
import { PatchRejected, preparePatch } from './patch.ts'
import type { CollectionRecord, Records, Seed } from './records.ts'
import { openEnvelope } from './request-envelope.ts'
import { type ResponseFormat, showPage, showRecord } from './response.ts'
import type { Seeds } from './seeds.ts'
import type { Store } from './store.ts'

/** One valid request to an operation of a collection. */
export interface CollectionRequest {
  collection: Collection
  match: Match<ServedApi>
  handler: OperationHandler
  incoming: Incoming
  check: RequestCheck
  preferences: Preferences
}

export interface StateContext {
  store: Store
  records: Records
  seeds: Seeds
  options: EngineOptions
  making: NewRecordInput
  /** Marks a named session as used. */
  used: (session: string) => Promise<void>
}

const JSON_PATCH = /^application\/json-patch(?:-query)?\+json\b/i

/** Responds from the state; undefined if the document should respond. */
export async function perform(
  context: StateContext,
  collectionRequest: CollectionRequest
): Promise<Mocked | undefined> {
  const { collection, handler, incoming, check } = collectionRequest
  const action = collection.actions.get(handler.operation)
  const choice = action && chooseResponse(handler.operation, action === 'create')
  if (choice === undefined || choice.status >= 400) return undefined
  const accept = incoming.headers.accept || undefined
  const content = negotiate(choice.response, choice.status, accept)
  const type = content?.type ?? content?.media.type
  if (type !== undefined && !isJson(type) && !isXml(type) && !type.startsWith('*/')) {
    return undefined
  }
  const asked: ResponseFormat = {
    collection,
    operation: handler.operation,
    incoming,
    choice,
    content
  }
  const body = openEnvelope(collection, check.values.body)
  switch (action) {
    case 'list':
      return list(context, collectionRequest, asked)
    case 'create':
      return isObject(body) ? create(context, collectionRequest, asked, body) : undefined
    case 'read':
      return read(context, collectionRequest, asked)
    case 'replace':
      return isObject(body) ? replace(context, collectionRequest, asked, body) : undefined
    case 'patch':
      return patch(
        context,
        collectionRequest,
        asked,
        isJsonPatch(incoming) ? check.values.body : body
      )
    default:
      return remove(context, collectionRequest, asked)
  }
}

function isJsonPatch({ headers }: Incoming): boolean {
  return JSON_PATCH.test(headers['content-type'] ?? '')
}

/** An operation that creates a record responds with 201 if that is documented. */
function chooseResponse(operation: Operation, creates: boolean): Choice | undefined {
  const created = creates && operation.responses.find(({ code }) => code === '201')
  return created ? { response: created, status: 201 } : chooseUsual(operation)
}

const pagings = new WeakMap<Operation, CutPage>()

async function list(
  context: StateContext,
  collectionRequest: CollectionRequest,
  asked: ResponseFormat
): Promise<Mocked> {
  const { store, records } = context
  const { scope, seed, isThere } = await enter(context, collectionRequest)
  if (!isThere) return missing(collectionRequest, scope)
  const all = await store.read(() => records.list(scope, seed))
  const known = pagings.get(asked.operation)
  const cutPage = known ?? createPaging(asked.operation, collectionRequest.collection.reader)
  if (known === undefined) pagings.set(asked.operation, cutPage)
  return showPage(asked, context.options, cutPage(all, collectionRequest.check.values))
}

async function create(
  context: StateContext,
  collectionRequest: CollectionRequest,
  asked: ResponseFormat,
  body: JsonObject
): Promise<Mocked> {
  const { store, records } = context
  const { scope, seed, isThere } = await enter(context, collectionRequest)
  if (!isThere) return missing(collectionRequest, scope)
  const made = await store.write(() =>
    records.create(scope, seed, creationOf(context, collectionRequest, body))
  )
  if (made === undefined) return conflict(collectionRequest, scope, body)
  return showRecord(asked, context.options, made.record, itemPath(collectionRequest, made))
}

function creationOf(
  { seeds, making }: StateContext,
  { collection, match, check }: CollectionRequest,
  body: JsonObject
) {
  const { id } = collection
  const names = parentNames(collection.path)
  const parents = new Map(
    collection.parents.flatMap((parameter, index) => {
      const value = pathValue(parameter, match, check) as Json
      return (names[index] ?? []).map((name): [string, Json] => [name, value])
    })
  )
  const chosen = id && !id.readOnly && Object.hasOwn(body, id.name) ? body[id.name] : undefined
  return {
    id: isGivenId(chosen) ? String(chosen) : undefined,
    floor: Math.max(floorOf(collection), seeds.highest(collection)),
    make: (number: number, given?: Json) =>
      makeRecord(collection, body, number, parents, making, given)
  }
}

async function read(
  context: StateContext,
  collectionRequest: CollectionRequest,
  asked: ResponseFormat
): Promise<Mocked> {
  const { store, records } = context
  const { scope, seed, isThere, id } = await enter(context, collectionRequest)
  const record = isThere ? await store.read(() => records.find(scope, seed, id)) : undefined
  if (record === undefined) return missing(collectionRequest, scope, id)
  return showRecord(asked, context.options, record, undefined)
}

async function replace(
  context: StateContext,
  collectionRequest: CollectionRequest,
  asked: ResponseFormat,
  body: JsonObject
): Promise<Mocked> {
  const { collection, handler } = collectionRequest
  const { scope, seed, isThere, id: inPath } = await enter(context, collectionRequest)
  const own = collection.id && body[collection.id.name]
  const id = inPath === '' && isGivenId(own) ? String(own) : inPath
  if (!isThere) return missing(collectionRequest, scope, id)
  const { store, records, making } = context
  const created = handler.operation.responses.find(({ code }) => code === '201')
  const response = await store.write(function* () {
    const alter = (before: JsonObject) => replaceRecord(collection, before, body, making)
    const record = yield* records.change(scope, seed, id, alter)
    if (record !== undefined || created === undefined) return { record, isNew: false }
    const creation = creationOf(context, collectionRequest, body)
    const make = (number: number) => creation.make(number, idIn(collection, id))
    const made = yield* records.create(scope, seed, { ...creation, id, make })
    return { record: made?.record, isNew: true }
  })
  if (response.record === undefined) return missing(collectionRequest, scope, id)
  if (!response.isNew || created === undefined) {
    return showRecord(withoutCreated(asked), context.options, response.record, undefined)
  }
  const choice = { response: created, status: 201 }
  const content = negotiate(created, 201, collectionRequest.incoming.headers.accept || undefined)
  const path = collectionRequest.incoming.path
  return showRecord({ ...asked, choice, content }, context.options, response.record, path)
}

/** A replacement does not respond with 201 if the document has another success response. */
function withoutCreated(asked: ResponseFormat): ResponseFormat {
  const { operation, choice, incoming } = asked
  if (choice.status !== 201 || !operation.responses.some(({ code }) => /^2(?!01)/.test(code))) {
    return asked
  }
  const responses = operation.responses.filter(({ code }) => code !== '201')
  const other = chooseUsual({ ...operation, responses })
  const content = negotiate(other.response, other.status, incoming.headers.accept || undefined)
  return { ...asked, choice: other, content }
}

/** The id of a path, converted to the type that the record uses. */
function idIn({ id: property }: Collection, id: string): Json {
  const isNumber = property?.types.some((type) => type === 'integer' || type === 'number')
  return isNumber && id.trim() !== '' && Number.isFinite(Number(id)) ? Number(id) : id
}

async function patch(
  context: StateContext,
  collectionRequest: CollectionRequest,
  asked: ResponseFormat,
  body: unknown
): Promise<Mocked | undefined> {
  const { collection, incoming } = collectionRequest
  const { store, records, making } = context
  const isList = isJsonPatch(incoming)
  if (!isList && !isObject(body)) return undefined
  const { scope, seed, isThere, id } = await enter(context, collectionRequest)
  if (!isThere) return missing(collectionRequest, scope, id)
  try {
    const apply = isList
      ? preparePatch(body)
      : (before: JsonObject) => mergePatch(before, body as JsonObject) as JsonObject
    const record = await store.write(() =>
      records.change(scope, seed, id, (before) => {
        const after = replaceRecord(collection, before, apply(before), making)
        rejectDamage(collection, before, after)
        return after
      })
    )
    if (record === undefined) return missing(collectionRequest, scope, id)
    return showRecord(asked, context.options, record, undefined)
  } catch (error) {
    const problem =
      error instanceof PatchRejected ? new Problem('UNPROCESSABLE_ENTITY', error.message) : error
    if (!(problem instanceof Problem) || problem.status !== 422) throw error
    return reject(collectionRequest, [422, 400, 409], problem)
  }
}

/** Rejects a patch that makes a valid record invalid for responses. */
function rejectDamage(collection: Collection, before: JsonObject, after: JsonObject): void {
  const { served, reader, schema } = collection
  const found = schema === undefined ? undefined : served.schemas.find(`#${schema}`, 'response')
  if (schema === undefined || !found?.ok) return
  const judge = (record: JsonObject) =>
    found.compiled.validate(withoutSecrets(reader, schema, record))
  const violations = judge(after)
  if (violations.length === 0 || judge(before).length > 0) return
  throw unprocessable(violations.map((each) => diagnose(each, 'Request', 'body')))
}

async function remove(
  context: StateContext,
  collectionRequest: CollectionRequest,
  asked: ResponseFormat
): Promise<Mocked> {
  const { collection } = collectionRequest
  const { store, records, seeds } = context
  const { scope, seed, isThere, id } = await enter(context, collectionRequest)
  const below = recordsBelow(seeds, collection, [...scope.parents, id])
  const record = isThere
    ? await store.write(() => records.remove(scope, seed, id, below), { frees: true })
    : undefined
  if (record === undefined) return missing(collectionRequest, scope, id)
  return showRecord(asked, context.options, record, undefined)
}

interface Entered {
  scope: CollectionScope
  seed: Seed
  /** Id of the item; empty if the path is that of the collection. */
  id: string
  /** Whether all parents exist. */
  isThere: boolean
}

async function enter(
  context: StateContext,
  collectionRequest: CollectionRequest
): Promise<Entered> {
  const { collection, match, check, preferences, handler } = collectionRequest
  const session = preferences.session ?? ''
  const names = [...handler.operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  const values = names.map((name) => textOf(pathValue(name, match, check)))
  const parents = values.slice(0, collection.parents.length)
  const scope: CollectionScope = { session, collection: collection.key, parents }
  if (session !== '') await context.used(session)
  return {
    scope,
    seed: context.seeds.at(collection, parents),
    id: values[collection.parents.length] ?? '',
    isThere: await hasParents(context, session, collection.owner, parents)
  }
}

/** Whether all parents exist; a parent that can never be created is assumed to exist. */
async function hasParents(
  context: StateContext,
  session: string,
  owner: Collection | undefined,
  parents: readonly string[]
): Promise<boolean> {
  if (owner === undefined) return true
  const depth = owner.parents.length
  const above = parents.slice(0, depth)
  const id = parents[depth] ?? ''
  const seed = context.seeds.at(owner, above)
  if (seed.size === 0 && !canCreate(owner)) return true
  const scope: CollectionScope = { session, collection: owner.key, parents: above }
  const found = await context.store.read(() => context.records.find(scope, seed, id))
  return found !== undefined && hasParents(context, session, owner.owner, above)
}

function pathValue(name: string, { pathValues }: Match<ServedApi>, { values }: RequestCheck) {
  const checked = values.path[name.toLowerCase()]
  return checked === undefined ? decodePercent(pathValues.get(name) ?? '') : checked
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function itemPath({ incoming }: CollectionRequest, { id }: CollectionRecord): string {
  return `${incoming.path.replace(/\/$/, '')}/${encodeURIComponent(id.toWellFormed())}`
}

const MAX_SHOWN = 80

function missing(
  { ...collectionRequest }: CollectionRequest,
  { parents }: CollectionScope,
  id = ''
): Mocked | Promise<Mocked> {
  const where = pathOf(collectionRequest.collection, parents)
  const shown = id.length > MAX_SHOWN ? `${id.slice(0, MAX_SHOWN)}…` : id
  const what =
    id === ''
      ? `The parent of ${where} does not exist`
      : `Record ${shown} does not exist in ${where}`
  return reject(collectionRequest, [404], new Problem('RECORD_NOT_FOUND', `${what}.`))
}

function conflict(
  collectionRequest: CollectionRequest,
  { parents }: CollectionScope,
  body: JsonObject
): Mocked | Promise<Mocked> {
  const { id } = collectionRequest.collection
  const where = pathOf(collectionRequest.collection, parents)
  const detail = `Record ${String(id && body[id.name]).slice(0, MAX_SHOWN)} already exists in ${where}.`
  return reject(collectionRequest, [409], new Problem('RECORD_EXISTS', detail))
}

/** The documented response with one of the statuses; throws the problem if there is none. */
function reject(
  { handler, preferences, incoming }: CollectionRequest,
  statuses: readonly number[],
  problem: Problem
): Mocked | Promise<Mocked> {
  const accept = incoming.headers.accept || undefined
  const documented = handler.mocker.reject(statuses, preferences, accept)
  if (documented === undefined) throw problem
  return documented
}
