import type { Finding } from '../../kernel/service.ts'
import { arrayAt, isObject, objectAt, stringAt } from './document/json.ts'
import { METHODS } from './document/openapi-structure.ts'
import { findAt, formatPointer, parsePointer } from './document/pointer.ts'
import { findMediaTypeMistakes } from './media-type-mistakes.ts'
import type { Operation } from './model/api.ts'
import { createResolve, type Resolve } from './model/resolve.ts'
import { findHidden } from './routing/hidden-operations.ts'
import { QUERY } from './routing/mounted-operations.ts'
import type { ServedApi } from './served-api.ts'

type Level = Finding['level']
type Mistake = readonly [level: Level, pointer: string, text: string]

const STATUS = /^(?:[1-5]\d\d|[1-5]XX|default)$/
const PARAMETER_LOCATIONS = ['path', 'query', 'header', 'cookie']

/** Parts of a document that violate OpenAPI or are invalid. The document is served nevertheless. */
export function findMistakes(served: ServedApi): Finding[] {
  const { label, api, document } = served
  const resolve = createResolve(document)
  const mistakes = [
    ...pathMistakes(served),
    ...api.operations.flatMap((operation) => [
      ...urlMistakes(operation),
      ...parameterMistakes(served, operation, resolve),
      ...responseMistakes(served, operation),
      ...securityMistakes(operation)
    ]),
    ...repeated(api.operations, ({ id }) => id, 'has the same operationId as'),
    ...hiddenOperations(api.operations),
    ...findMediaTypeMistakes(api.operations).map(
      ({ pointer, text }): Mistake => ['warning', pointer, text]
    )
  ]
  return mistakes.map(([level, pointer, text]) => ({ level, where: `${label}#${pointer}`, text }))
}

function pathMistakes({ document }: ServedApi): Mistake[] {
  const { paths } = document
  if (paths === undefined) return []
  if (!isObject(paths)) return [['error', '/paths', 'is not an object']]
  return Object.entries(paths).flatMap(([path, item]): Mistake[] => {
    const pointer = formatPointer(['paths', path])
    if (path.startsWith('x-')) return []
    if (!isObject(item)) return [['error', pointer, 'is not a path item and is ignored']]
    return METHODS.filter((method) => Object.hasOwn(item, method) && !isObject(item[method])).map(
      (method) => ['error', `${pointer}/${method}`, 'is not an operation and is ignored']
    )
  })
}

function urlMistakes({ path, pointer, parameters }: Operation): Mistake[] {
  const named = new Set([...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name))
  const declared = parameters.filter((parameter) => parameter.in === 'path')
  const found: Mistake[] = []
  if (!path.startsWith('/')) found.push(['warning', pointer, `A path must start with /: ${path}`])
  if (QUERY.test(path)) {
    const text = 'A path must not have a query; the part after the question mark is ignored'
    found.push(['warning', pointer, text])
  }
  for (const name of named) {
    if (declared.some((parameter) => parameter.name === name)) continue
    found.push([
      'warning',
      pointer,
      `{${name}} of the path has no parameter definition: any string matches`
    ])
  }
  for (const { name } of declared) {
    if (named.has(name)) continue
    found.push([
      'error',
      pointer,
      `The parameter ${name} is not in the path, so no request can have it`
    ])
  }
  return found
}

function parameterMistakes(
  { document }: ServedApi,
  { pointer }: Operation,
  resolve: Resolve
): Mistake[] {
  const owners = [pointer.slice(0, pointer.lastIndexOf('/')), pointer]
  return owners.flatMap((owner) => {
    const node = findAt(document, parsePointer(owner))
    return arrayAt(node, 'parameters').flatMap((given, index): Mistake[] => {
      const location = `${owner}/parameters/${index}`
      const parameter = resolve(given, location)?.node
      const isRead =
        stringAt(parameter, 'name') !== undefined &&
        PARAMETER_LOCATIONS.includes(stringAt(parameter, 'in') ?? '')
      return isRead ? [] : [['error', location, 'is not a parameter and is ignored']]
    })
  })
}

function responseMistakes({ document }: ServedApi, operation: Operation): Mistake[] {
  const { pointer, responses } = operation
  if (responses.length === 0) return [['warning', pointer, 'has no usable response']]
  const node = findAt(document, parsePointer(pointer))
  return Object.keys(objectAt(node, 'responses')).flatMap((code): Mistake[] => {
    if (code.startsWith('x-')) return []
    const location = `${pointer}/responses/${code}`
    if (!STATUS.test(code))
      return [['warning', location, 'is not a status such as 200, 4XX or default']]
    const isRead = responses.some((response) => response.code === code)
    return isRead ? [] : [['warning', location, 'is not a response and is ignored']]
  })
}

function securityMistakes({ pointer, security }: Operation): Mistake[] {
  const unknown = new Set(security.flat().filter(({ type }) => type === 'unknown'))
  return [...unknown].map(({ key }) => [
    'warning',
    pointer,
    `The security scheme ${key} is not defined and is not validated`
  ])
}

/** Operations that share a key, which must be unique, with an earlier operation. */
function repeated(
  operations: readonly Operation[],
  keyOf: (operation: Operation) => string | undefined,
  text: string
): Mistake[] {
  const first = new Map<string, Operation>()
  return operations.flatMap((operation): Mistake[] => {
    const key = keyOf(operation)
    if (key === undefined) return []
    const before = first.get(key)
    if (before === undefined) first.set(key, operation)
    return before === undefined
      ? []
      : [['warning', operation.pointer, `${text} ${before.method} ${before.path}`]]
  })
}

function hiddenOperations(operations: readonly Operation[]): Mistake[] {
  return findHidden(operations).map(({ operation, winner, isUnreachable }) => {
    const other = `${winner.method} ${winner.path}`
    return [
      'warning',
      operation.pointer,
      isUnreachable
        ? `can never be reached: all its requests are requests to ${other}`
        : `matches the same requests as ${other}, except under its own server`
    ]
  })
}
