import type { ApiRequest, CardContext } from '../context.ts'
import { PermissionMissing, RouteUnknown } from '../contract.ts'
import type { BoardView } from '../present/board.ts'
import { seesPublishedOnly, type Viewer } from '../records/viewer.ts'
import type { Author } from '../store/lists.ts'

/** The member whose token was sent; the route table admits no others where it is called. */
export function memberOf({ viewer }: Pick<ApiRequest, 'viewer'>): Viewer & { kind: 'member' } {
  if (viewer.kind !== 'member') throw new PermissionMissing()
  return viewer
}

export function authorOf(
  { nextId }: Pick<CardContext, 'nextId'>,
  request: ApiRequest,
  time: string
): Author {
  return { member: memberOf(request).member, actionId: nextId(), time }
}

export function viewOf({ baseUrl, viewer }: ApiRequest): BoardView {
  return { baseUrl, isPublished: seesPublishedOnly(viewer) }
}

/** The parameter of the path; the table of routes has it. */
export function param({ params }: ApiRequest, name: string): string {
  return params[name] ?? ''
}

/** A parameter of query or body, whatever it is. */
export function sent({ input }: ApiRequest, name: string): unknown {
  return input.values.get(name)
}

/** One field of an object: `{"_value": …}`, objects and arrays as they are. */
export function fieldOf(
  object: Readonly<Record<string, unknown>>,
  field: string,
  path: string
): { body: unknown } {
  const name = Object.keys(object).find((one) => one.toLowerCase() === field.toLowerCase())
  if (name === undefined) throw new RouteUnknown('GET', `${path}/${field}`)
  const value = object[name]
  return { body: typeof value === 'object' && value !== null ? value : { _value: value } }
}

/** The same request with the parameter `value` as the one that the path names. */
export function withField(
  request: ApiRequest,
  fields: readonly string[],
  path: string
): ApiRequest {
  const wanted = param(request, 'field')
  const name = fields.find((one) => one.toLowerCase() === wanted.toLowerCase())
  if (name === undefined) throw new RouteUnknown('PUT', `${path}/${wanted}`)
  const { values, ...files } = request.input
  const value = values.has('value') ? values.get('value') : values.get(name)
  return { ...request, input: { ...files, values: new Map([[name, value]]) } }
}

/** Whether a parameter such as `lists` or `customFields` names something. */
export function isWanted(value: unknown): boolean {
  if (value === undefined || value === null) return false
  return typeof value === 'object' || !UNWANTED.has(String(value))
}

const UNWANTED: ReadonlySet<string> = new Set(['', 'false', '0', 'none'])
