import { isObject, type Json, type JsonObject, mapMembers } from './json.ts'
import type { ObjectKind } from './openapi-structure.ts'

/** Longer chains of references, and more values, are an attack or a mistake. */
const MAX_CHAIN = 50
const MAX_VALUES = 1_000_000

/** A value of one of the files. */
export interface LocatedValue {
  /** URL of the file. */
  file: string
  path: readonly string[]
  value: Json
}

type Origin = Pick<LocatedValue, 'file' | 'path'>

/** Returns an object with its examples changed; the object itself may be modified. */
export function mapExamples(
  kind: ObjectKind,
  node: JsonObject,
  change: (example: Json) => Json
): JsonObject {
  const changeMember = (name: string) => {
    if (Object.hasOwn(node, name)) node[name] = change(node[name] ?? null)
  }
  if (kind === 'mediaType' || kind === 'parameter' || kind === 'header') changeMember('example')
  if (kind === 'example') changeMember('value')
  if (kind === 'schema') {
    changeMember('example')
    if (Array.isArray(node.examples)) node.examples = node.examples.map(change)
  }
  // Version 2: examples by media type.
  if (kind === 'response' && isObject(node.examples)) {
    node.examples = mapMembers(node.examples, change)
  }
  return node
}

/**
 * Resolves references in examples, also inside of their values. An object is a reference if it has
 * no other members. `find` returns undefined if there is no target; then it stays as written.
 */
export function createExampleResolver(
  find: (reference: string, origin: Origin) => LocatedValue | undefined,
  report: (origin: Origin, text: string) => void
): (example: Json, origin: Origin) => Json {
  let values = 0
  let looked = 0

  /** Most examples have no reference; without this search each of them would be copied. */
  function hasReference(value: Json): boolean {
    if (typeof value !== 'object' || value === null || looked > MAX_VALUES) return false
    looked++
    if (Array.isArray(value)) return value.some(hasReference)
    return typeof value.$ref === 'string' || Object.values(value).some(hasReference)
  }

  function resolve(value: Json, origin: Origin, open: readonly string[]): Json {
    if (typeof value !== 'object' || value === null || values > MAX_VALUES) return value
    values++
    if (Array.isArray(value)) {
      const items = value.map((item) => resolve(item, origin, open))
      return items.every((item, index) => item === value[index]) ? value : items
    }
    const { $ref } = value
    if (typeof $ref === 'string' && Object.keys(value).length === 1) {
      return follow($ref, value, origin, open)
    }
    const members = mapMembers(value, (member) => resolve(member, origin, open))
    return Object.keys(value).every((name) => members[name] === value[name]) ? value : members
  }

  function follow(reference: string, given: JsonObject, origin: Origin, open: readonly string[]) {
    const found = find(reference, origin)
    if (found === undefined) return given
    const key = [found.file, ...found.path].join('\n')
    if (open.includes(key) || open.length === MAX_CHAIN) {
      report(origin, `${reference} refers to itself; the example is served as written`)
      return given
    }
    return resolve(meantValue(found), found, [...open, key])
  }

  return (example, origin) => (hasReference(example) ? resolve(example, origin, []) : example)
}

/** A reference to an Example Object of the components means its value. */
function meantValue({ path, value }: LocatedValue): Json {
  const isComponent = path.length === 3 && path[0] === 'components' && path[1] === 'examples'
  return isComponent && isObject(value) && value.value !== undefined ? value.value : value
}
