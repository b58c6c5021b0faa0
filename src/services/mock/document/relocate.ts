import { isObject, type Json, type JsonObject } from './json.ts'
import { relativeUrl } from './relative-url.ts'

/** Members that hold an address of another file, or of a part of it. */
const ADDRESSES = ['$ref', 'externalValue', 'operationRef']
/** Members that hold somebody's data … */
const LITERALS = ['example', 'default', 'const', 'enum', 'value']
/** … unless they are names that an author gave. */
const NAMED_BY_AUTHOR = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'schemas',
  'responses',
  'parameters',
  'examples',
  'requestBodies',
  'headers',
  'securitySchemes',
  'links',
  'callbacks',
  'pathItems'
]

/**
 * What was written in one file and now stands in another: relative addresses lead where they led
 * before. Those that are a fragment alone speak of the document they stand in.
 */
export function relocate(value: Json, from: string, to: string): Json {
  return from === to ? value : move(value, '')

  function move(node: Json, parent: string): Json {
    if (Array.isArray(node)) return node.map((item) => move(item, parent))
    if (!isObject(node)) return node
    return moveMembers(node, parent)
  }

  function moveMembers(node: JsonObject, parent: string): JsonObject {
    const members = Object.entries(node).map(([name, member]): [string, Json] => {
      const isNamed = NAMED_BY_AUTHOR.includes(parent)
      if (typeof member === 'string') {
        const isUrl = !isNamed && (ADDRESSES.includes(name) || isMapped(member, parent))
        return [name, isUrl ? moveUrl(member) : member]
      }
      return [name, LITERALS.includes(name) && !isNamed ? member : move(member, name)]
    })
    return Object.fromEntries(members)
  }

  function moveUrl(text: string): string {
    if (text === '' || text.startsWith('#') || /^[a-z][a-z0-9+.-]*:/i.test(text)) return text
    const url = URL.parse(text, from)
    return url === null ? text : relativeUrl(to, url)
  }
}

/** A discriminator maps to names of schemas too. */
function isMapped(text: string, parent: string): boolean {
  return parent === 'mapping' && /[/#]|\.(json|ya?ml)$/i.test(text)
}
