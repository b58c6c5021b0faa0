import {
  arrayAt,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  stringAt
} from '../document/json.ts'
import { findAt, formatPointer, parsePointer } from '../document/pointer.ts'
import { createResolve, type Located } from '../model/resolve.ts'

/** Keywords of a schema, including those of its references and `allOf`. */
export interface Traits {
  /** Pointer of the schema, references not followed. */
  pointer: string
  /** Pointer of the schema, references followed: equal for two references to one component. */
  home: string
  types: readonly string[]
  format: string | undefined
  default: Json | undefined
  minimum: number | undefined
  readOnly: boolean
  writeOnly: boolean
  /** Schema of the items of an array. */
  items: string | undefined
}

export interface Property extends Traits {
  name: string
  required: boolean
}

/** Maximum number of subschemas that are read of one schema. */
const MAX_PARTS = 200

/** Reads the schemas of one document, as far as records need it. */
export interface SchemaReader {
  traits: (pointer: string) => Traits
  /** Properties of an object schema and of its subschemas; the first one of a name is used. */
  properties: (pointer: string) => ReadonlyMap<string, Property>
}

export function createSchemaReader(document: JsonObject): SchemaReader {
  const resolve = createResolve(document)
  const known = new Map<string, ReadonlyMap<string, Property>>()

  function locate(pointer: string): Located | undefined {
    const node = findAt(document, parsePointer(pointer))
    return isObject(node) ? { node, pointer } : undefined
  }

  /** The schema and all subschemas that apply to the same value, each once. */
  function partsOf(pointer: string, unions: boolean): Located[] {
    const first = locate(pointer)
    const parts = new Map<string, Located>(first === undefined ? [] : [[pointer, first]])
    for (const part of parts.values()) {
      if (parts.size > MAX_PARTS) break
      const next: (Located | undefined)[] = []
      if (stringAt(part.node, '$ref') !== undefined) next.push(follow(part))
      for (const keyword of unions ? ['allOf', 'oneOf', 'anyOf'] : ['allOf']) {
        for (const index of arrayAt(part.node, keyword).keys()) {
          next.push(locate(part.pointer + formatPointer([keyword, String(index)])))
        }
      }
      for (const one of next) if (one !== undefined) parts.set(one.pointer, one)
    }
    return [...parts.values()]
  }

  function follow({ node, pointer }: Located): Located | undefined {
    return resolve({ $ref: node.$ref ?? '' }, pointer)
  }

  function traits(pointer: string): Traits {
    const parts = partsOf(pointer, false)
    const nodes = parts.map(({ node }) => node)
    const typed = nodes.find((node) => node.type !== undefined)?.type
    const listed = parts.find(({ node }) => isObject(node.items))
    const minimum = nodes.find((node) => typeof node.minimum === 'number')?.minimum
    return {
      pointer,
      home: homeOf(pointer),
      types: typesOf(typed, nodes),
      format: nodes.map((node) => stringAt(node, 'format')).find((text) => text !== undefined),
      default: nodes.find((node) => Object.hasOwn(node, 'default'))?.default,
      minimum: typeof minimum === 'number' ? minimum : undefined,
      readOnly: nodes.some((node) => node.readOnly === true),
      writeOnly: nodes.some((node) => node.writeOnly === true),
      items: listed && `${listed.pointer}/items`
    }
  }

  function homeOf(pointer: string): string {
    const node = findAt(document, parsePointer(pointer))
    return resolve(node, pointer)?.pointer ?? pointer
  }

  function properties(pointer: string): ReadonlyMap<string, Property> {
    const before = known.get(pointer)
    if (before !== undefined) return before
    const found = new Map<string, Property>()
    const parts = partsOf(pointer, true)
    const required = new Set(
      partsOf(pointer, false).flatMap(({ node }) => arrayAt(node, 'required').map(String))
    )
    for (const part of parts) {
      for (const name of Object.keys(objectAt(part.node, 'properties'))) {
        if (found.has(name)) continue
        const location = part.pointer + formatPointer(['properties', name])
        found.set(name, { ...traits(location), name, required: required.has(name) })
      }
    }
    known.set(pointer, found)
    return found
  }

  return { traits, properties }
}

function typesOf(given: Json | undefined, nodes: readonly JsonObject[]): string[] {
  if (typeof given === 'string') return [given]
  if (Array.isArray(given)) return given.filter((type) => typeof type === 'string')
  if (nodes.some((node) => isObject(node.properties))) return ['object']
  return nodes.some((node) => isObject(node.items)) ? ['array'] : []
}
