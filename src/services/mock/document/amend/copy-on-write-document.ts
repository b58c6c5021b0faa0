import { isObject, type Json, type JsonObject, setMember } from '../../../../kernel/json.ts'

export type Container = Json[] | JsonObject
export type Location = readonly (string | number)[]

/**
 * A document that is being changed. The source document and inserted values are not modified:
 * containers shared by YAML aliases or several targets are copied before one of them changes.
 */
export interface CopyOnWriteDocument {
  root: () => Json
  replaceRoot: (value: Json) => void
  /** The object or array at the location, copied if necessary, so that it may be changed. */
  own: (location: Location) => Container | undefined
  ownMember: (container: Container, name: string | number) => Container | undefined
}

export function createDraft(start: Json): CopyOnWriteDocument {
  const owned = new WeakSet<object>()
  const holder: Json[] = [start]

  function ownMember(container: Container, name: string | number): Container | undefined {
    const value = memberAt(container, name)
    if (typeof value !== 'object' || value === null) return undefined
    if (owned.has(value)) return value
    const copy = Array.isArray(value) ? [...value] : { ...value }
    owned.add(copy)
    put(container, name, copy)
    return copy
  }

  return {
    root: () => holder[0] ?? null,
    replaceRoot(value) {
      holder[0] = value
    },
    own(location) {
      let node = ownMember(holder, 0)
      for (const name of location) {
        if (node === undefined) return undefined
        node = ownMember(node, name)
      }
      return node
    },
    ownMember
  }
}

/** Own members only, by name or by index. */
export function memberAt(container: Json | undefined, name: string | number): Json | undefined {
  if (Array.isArray(container)) return container[Number(name)]
  if (!isObject(container)) return undefined
  return Object.hasOwn(container, name) ? container[name] : undefined
}

export function put(container: Container, name: string | number, value: Json): void {
  if (Array.isArray(container)) container[Number(name)] = value
  else setMember(container, String(name), value)
}

/** A deep copy that shares nothing with the document. */
export function cloneJson(value: Json): Json {
  if (Array.isArray(value)) return value.map(cloneJson)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, cloneJson(member)])
  )
}
