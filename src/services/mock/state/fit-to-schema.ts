import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { findAt } from '../document/pointer.ts'
import type { Violation } from '../schema/schemas.ts'
import type { ServedApi } from '../served-api.ts'
import type { SchemaReader } from './properties.ts'

const MAX_ROUNDS = 12
const MAX_DEPTH = 8

/**
 * Makes a value valid for the schema of a response: removes what is not allowed and takes what is
 * missing from a sample. As a last resort the sample replaces the value, but not with `keep`: the
 * records in that member are never replaced.
 */
export function fitToSchema(
  served: ServedApi,
  schema: string,
  value: Json,
  sample: () => Json | undefined,
  keep?: string
): Json {
  const found = served.schemas.find(`#${schema}`, 'response')
  if (!found.ok) return value
  const { validate } = found.compiled
  let violations = validate(value)
  if (violations.length === 0) return value
  const holder = { root: structuredClone(value) }
  const base = sample()
  for (let round = 0; round < MAX_ROUNDS && violations.length > 0; round++) {
    let changed = false
    for (const violation of violations) {
      const isKept = isAbout(violation, keep)
      changed = (!isKept && mend(holder, violation, base)) || changed
    }
    if (!changed) break
    violations = validate(holder.root)
  }
  if (violations.length === 0 || keep !== undefined) return holder.root
  return base ?? value
}

/** Whether the violation concerns the array itself or one of its records as a whole. */
function isAbout({ path }: Violation, keep: string | undefined): boolean {
  return keep !== undefined && path[0] === keep && path.length <= 2
}

/** Tries to fix one violation; returns whether the value was changed. */
function mend(holder: { root: Json }, violation: Violation, base: Json | undefined): boolean {
  const { path, keyword, params } = violation
  const rejected = params.additionalProperty ?? params.unevaluatedProperty
  if (typeof rejected === 'string') return drop(findAt(holder.root, path), rejected)
  if (typeof params.missingProperty === 'string') {
    const name = params.missingProperty
    return put(findAt(holder.root, path), name, findAt(base ?? null, [...path, name]))
  }
  const name = path.at(-1)
  if (name === undefined) return false
  const owner = findAt(holder.root, path.slice(0, -1))
  const better = keyword === 'false schema' ? undefined : findAt(base ?? null, path)
  const now = findAt(holder.root, path)
  const isNew = better !== undefined && JSON.stringify(better) !== JSON.stringify(now)
  return isNew ? put(owner, name, better) : drop(owner, name)
}

function put(owner: Json | undefined, name: string, value: Json | undefined): boolean {
  if (value === undefined) return false
  if (Array.isArray(owner)) {
    owner[Number(name)] = structuredClone(value)
    return true
  }
  if (!isObject(owner)) return false
  setOwn(owner, name, structuredClone(value))
  return true
}

function drop(owner: Json | undefined, name: string): boolean {
  if (Array.isArray(owner)) return owner.splice(Number(name), 1).length > 0
  if (!isObject(owner) || !Object.hasOwn(owner, name)) return false
  return delete owner[name]
}

/** Sets a member of any name, including `__proto__`. */
export function setOwn(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true
  })
}

/** The value without its `writeOnly` properties; the same object if it has none. */
export function withoutSecrets(reader: SchemaReader, schema: string, value: Json, depth = 0): Json {
  if (depth > MAX_DEPTH) return value
  if (Array.isArray(value)) {
    const { items } = reader.traits(schema)
    if (items === undefined) return value
    const inner = value.map((one) => withoutSecrets(reader, items, one, depth + 1))
    return inner.every((one, index) => one === value[index]) ? value : inner
  }
  if (!isObject(value)) return value
  const properties = reader.properties(schema)
  let changed = false
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const property = properties.get(name)
    if (property === undefined) return [[name, member]]
    if (property.writeOnly) {
      changed = true
      return []
    }
    const inner = withoutSecrets(reader, property.pointer, member, depth + 1)
    changed ||= inner !== member
    return [[name, inner]]
  })
  return changed ? Object.fromEntries(members) : value
}
