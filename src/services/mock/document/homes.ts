import { type Json, type JsonObject, objectAt } from './json.ts'
import type { ObjectKind } from './openapi-structure.ts'
import { formatReference, parseFragment } from './pointer.ts'

const SECTIONS_2: Partial<Record<ObjectKind, readonly string[]>> = {
  schema: ['definitions'],
  parameter: ['parameters'],
  response: ['responses'],
  securityScheme: ['securityDefinitions']
}

const SECTIONS_3: Partial<Record<ObjectKind, readonly string[]>> = {
  schema: ['components', 'schemas'],
  response: ['components', 'responses'],
  parameter: ['components', 'parameters'],
  example: ['components', 'examples'],
  requestBody: ['components', 'requestBodies'],
  header: ['components', 'headers'],
  securityScheme: ['components', 'securitySchemes'],
  link: ['components', 'links'],
  callback: ['components', 'callbacks']
}

interface Newcomer {
  section: readonly string[]
  name: string
  value: Json
}

/** Sections of a document for shared components, and the components to be added. */
export interface Homes {
  /** The reference if the path already names a whole component. */
  homeOf: (kind: ObjectKind, path: readonly string[]) => string | undefined
  /** Reference to a schema by its bare name. */
  byName: (name: string) => string | undefined
  find: (key: string) => string | undefined
  make: (
    key: string,
    kind: ObjectKind,
    from: { file: string; path: readonly string[] }
  ) => { reference: string; keep: (value: Json) => void }
  furnish: (document: JsonObject) => JsonObject
}

export function createHomes(root: JsonObject): Homes {
  const sections = Object.hasOwn(root, 'swagger') ? SECTIONS_2 : SECTIONS_3
  const known = new Map<string, string>()
  const newcomers: Newcomer[] = []

  function existing(section: readonly string[]): JsonObject {
    return section.reduce(objectAt, root)
  }

  function freeName(section: readonly string[], wanted: string): string {
    const taken = new Set([
      ...Object.keys(existing(section)),
      ...newcomers.filter((other) => other.section === section).map(({ name }) => name)
    ])
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`
    return name
  }

  return {
    homeOf(kind, path) {
      const section = sections[kind]
      if (section === undefined || path.length !== section.length + 1) return undefined
      return section.every((token, index) => token === path[index])
        ? formatReference(path)
        : undefined
    },
    byName(name) {
      const section = sections.schema ?? []
      return Object.hasOwn(existing(section), name)
        ? formatReference([...section, name])
        : undefined
    },
    find: (key) => known.get(key),
    make(key, kind, from) {
      const section = sections[kind] ?? ['x-nonet-parts', kind]
      const newcomer: Newcomer = { section, name: freeName(section, nameOf(from)), value: null }
      newcomers.push(newcomer)
      const reference = formatReference([...section, newcomer.name])
      known.set(key, reference)
      return {
        reference,
        keep(value) {
          newcomer.value = value
        }
      }
    },
    furnish(document) {
      for (const { section, name, value } of newcomers) {
        const home = section.reduce<JsonObject>((parent, token) => {
          parent[token] = { ...objectAt(parent, token) }
          return objectAt(parent, token)
        }, document)
        home[name] = value
      }
      return document
    }
  }
}

/** The last token of a short pointer, the last three of a long one, or the name of the file. */
function nameOf({ file, path }: { file: string; path: readonly string[] }): string {
  const fileName = parseFragment(file.replace(/^.*\//, '').replace(/\.\w+$/, ''))
  const words = path.length > 0 && path.length <= 3 ? path.slice(-1) : path.slice(-3)
  const name = (words.length === 0 ? [fileName] : words).join('_')
  return name.replace(/[^A-Za-z0-9.-]+/g, '_').replace(/^_+|_+$/g, '') || 'part'
}
