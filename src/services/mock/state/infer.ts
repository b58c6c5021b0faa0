import { isJson } from '../../../kernel/media-type.ts'
import type { MediaType, Operation } from '../model/api.ts'
import { chooseUsual } from '../response/choose-response.ts'
import type { ServedApi } from '../served-api.ts'
import type { Collection } from './collection.ts'
import { findIdProperty } from './identity.ts'
import { createSchemaReader, type Property, type SchemaReader } from './properties.ts'
import { findList } from './record-location.ts'
import type { Action } from './view.ts'

const ITEM_PATH = /^(.*)\/\{([^{}/]+)\}\/?$/
const PARAMETER = /\{([^{}]+)\}/g

const LIST_ACTIONS: Readonly<Record<string, Action>> = {
  GET: 'list',
  HEAD: 'list',
  POST: 'create',
  PUT: 'replace'
}
const ITEM_ACTIONS: Readonly<Record<string, Action>> = {
  GET: 'read',
  HEAD: 'read',
  PUT: 'replace',
  PATCH: 'patch',
  DELETE: 'remove'
}

interface Pair {
  path: string
  parameter: string
  list: readonly Operation[]
  item: readonly Operation[]
}

/** Finds every pair of paths `P` and `P/{id}` with JSON records, shortest paths first. */
export function inferCollections(apis: readonly ServedApi[]): Collection[] {
  const found: Collection[] = []
  for (const served of apis) {
    const reader = createSchemaReader(served.document)
    const own: Collection[] = []
    for (const pair of findPairs(served.api.operations)) {
      const collection = readPair(served, reader, pair)
      if (collection === undefined) continue
      const key = keyOf(served, collection.path)
      // If two documents have the same path, the first one is served.
      if (found.some((one) => one.key === key)) continue
      const owner = own.find((one) => isBelow(collection.path, one))
      own.push({ ...collection, key, owner })
    }
    found.push(...own)
  }
  for (const collection of found) {
    collection.children = found.filter(({ owner }) => owner?.key === collection.key)
  }
  return found
}

function keyOf({ name }: ServedApi, path: string): string {
  return name === undefined ? path : `/${name}${path}`
}

/**
 * Parameter names are ignored, because a document may use `id` in one path and `userId` in the
 * next.
 */
function isBelow(path: string, owner: Collection): boolean {
  const nameless = (template: string) => template.replace(PARAMETER, '{}')
  const start = `${nameless(owner.path)}/{}/`
  const whole = nameless(path)
  return whole.startsWith(start) && !whole.slice(start.length).includes('{')
}

function findPairs(operations: readonly Operation[]): Pair[] {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  const pairs = [...byPath].flatMap(([itemPath, item]): Pair[] => {
    const [, path, parameter] = ITEM_PATH.exec(itemPath) ?? []
    if (path === undefined || parameter === undefined || /[?#]/.test(itemPath)) return []
    const list = byPath.get(path) ?? byPath.get(`${path}/`)
    if (list === undefined || path.endsWith('}')) return []
    return [{ path, parameter, list, item }]
  })
  return pairs.sort((one, other) => one.path.length - other.path.length)
}

type Draft = Omit<Collection, 'key' | 'owner'>

function readPair(served: ServedApi, reader: SchemaReader, pair: Pair): Collection | undefined {
  const { path, parameter, list, item } = pair
  const segment = path.slice(path.lastIndexOf('/') + 1)
  const actions = new Map([...assign(list, LIST_ACTIONS), ...assign(item, ITEM_ACTIONS)])
  const lists = list.find(({ method }) => method === 'GET')
  const shown = lists && jsonOf(lists)
  const shape = shown && findList(served, reader, shown, segment)
  // A path whose response is one object and not an array is not a collection.
  if (lists !== undefined && shape === undefined) return undefined
  const candidates = [
    ...item.filter(({ method }) => method === 'GET' || method === 'PUT' || method === 'PATCH'),
    ...list.filter(({ method }) => method === 'POST' || method === 'PUT')
  ]
  const medias = candidates.flatMap((operation) => jsonOf(operation) ?? [])
  if (medias.length === 0 && shape === undefined) return undefined
  const described = medias.flatMap(({ schema }) => (schema === undefined ? [] : [schema]))
  const record = chooseRecord(reader, parameter, segment, [
    ...described,
    ...(shape?.schema === undefined ? [] : [shape.schema]),
    ...candidates.flatMap(requestSchemas)
  ])
  const draft: Draft = {
    path,
    served,
    reader,
    parents: [...path.matchAll(PARAMETER)].map(([, name = '']) => name),
    parameter,
    parameterSchema: item
      .flatMap(({ parameters }) => parameters)
      .find((one) => one.in === 'path' && one.name === parameter)?.schema,
    children: [],
    ...record,
    actions
  }
  return { ...draft, key: path, owner: undefined }
}

type RecordSchema = Pick<Collection, 'schema' | 'properties' | 'id'>

const UNDESCRIBED: RecordSchema = { schema: undefined, properties: new Map(), id: undefined }

/**
 * The first schema that has the id, directly or in exactly one member; otherwise the first schema.
 */
function chooseRecord(
  reader: SchemaReader,
  parameter: string,
  segment: string,
  schemas: readonly string[]
): RecordSchema {
  const read = (schema: string): RecordSchema => {
    const properties = reader.properties(schema)
    const id = findIdProperty(properties, parameter, segment)
    return { schema, properties, id: id === undefined ? undefined : properties.get(id) }
  }
  for (const schema of schemas) {
    const whole = read(schema)
    if (whole.id !== undefined) return whole
    const inner = [...whole.properties.values()].filter(isObjectProperty).map(memberOf)
    const shows = inner.filter(({ id }) => id !== undefined)
    if (shows.length === 1 && shows[0] !== undefined) return shows[0]
  }
  const [first] = schemas
  return first === undefined ? UNDESCRIBED : read(first)

  function memberOf({ pointer }: Property): RecordSchema {
    return read(pointer)
  }
}

function isObjectProperty({ types }: Property): boolean {
  return types.includes('object')
}

function assign(
  operations: readonly Operation[],
  actions: Readonly<Record<string, Action>>
): [Operation, Action][] {
  return operations.flatMap((operation): [Operation, Action][] => {
    const action = Object.hasOwn(actions, operation.method) ? actions[operation.method] : undefined
    return action === undefined || !canSucceed(operation) ? [] : [[operation, action]]
  })
}

/** An operation that documents only errors is mocked without state. */
function canSucceed({ responses }: Operation): boolean {
  return responses.some(({ code }) => /^(?:2|default)/.test(code))
}

/** JSON content of the usual response; undefined if it is not JSON. */
export function jsonOf(operation: Operation): MediaType | undefined {
  if (!operation.responses.some(({ code }) => /^(?:[2-9]|default)/.test(code))) return undefined
  const { response } = chooseUsual(operation)
  return response.contents.find(({ type }) => isJson(type) || type.startsWith('*/'))
}

function requestSchemas({ requestBody }: Operation): string[] {
  const contents = requestBody?.contents ?? []
  return contents.flatMap(({ type, schema }) =>
    schema === undefined || /json-patch/i.test(type) ? [] : [schema]
  )
}
