import { type Json, type JsonObject, setMember } from '../../../kernel/json.ts'

/** Objects in objects of `a[b][c]`. */
const MAX_DEPTH = 5
const KEY = /\[([^[\]]*)\]/g

/**
 * Values by name, as web forms send them: `value[text]=` is a member of an object, `idLabels[0]=`,
 * `idLabels[]=` and repeated names are elements of an array. Other names stay as they are. Undefined
 * if the names are nested too deeply.
 */
export function nestFields(
  fields: Iterable<readonly [name: string, value: string]>
): Map<string, Json> | undefined {
  const values = new Map<string, Json | Group>()
  for (const [name, value] of fields) {
    const path = pathOf(name)
    if (path.length > MAX_DEPTH) return undefined
    add(values, path, value)
  }
  return new Map([...values].map(([name, value]) => [name, plain(value)]))
}

/** Members of an object or elements of an array, which is known at the end. */
type Group = Map<string, Json | Group>

function pathOf(name: string): string[] {
  const bracket = name.indexOf('[')
  if (bracket <= 0 || !/^(?:\[[^[\]]*\])+$/.test(name.slice(bracket))) return [name]
  const keys = [...name.slice(bracket).matchAll(KEY)].map(([, key = '']) => key)
  return [name.slice(0, bracket), ...keys]
}

function add(group: Group, [name = '', ...rest]: readonly string[], value: string): void {
  const key = name === '' ? String(group.size) : name
  const before = group.get(key)
  if (rest.length > 0) {
    const inner: Group = before instanceof Map ? before : new Map()
    group.set(key, inner)
    add(inner, rest, value)
  } else if (before === undefined || before instanceof Map) group.set(key, value)
  else if (Array.isArray(before)) before.push(value)
  else group.set(key, [before, value])
}

function plain(value: Json | Group): Json {
  if (!(value instanceof Map)) return value
  const keys = [...value.keys()]
  if (keys.every((key) => /^\d{1,4}$/.test(key))) {
    return keys
      .toSorted((a, b) => Number(a) - Number(b))
      .map((key) => plain(value.get(key) ?? null))
  }
  const object: JsonObject = {}
  for (const [key, inner] of value) setMember(object, key, plain(inner))
  return object
}
