import { isObject, type Json, type JsonObject, mapMembers } from './json.ts'
import { relativeUrl } from './relative-url.ts'

/** Members that contain the URL of another file, or of a part of it. */
const URL_KEYWORDS = ['$ref', 'externalValue', 'operationRef']
/** Members that contain data of the author … */
const LITERALS = ['default', 'const', 'enum']
/** … in which references are resolved, but nothing else has a meaning … */
const EXAMPLES = ['example', 'value']
/** … unless their parent is one of these, where names are chosen by the author. */
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
 * Adapts a value that moves from one file to another, so that its relative URLs keep their targets.
 * References that are only a fragment refer to the document that contains them and are unchanged.
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
        const isUrl = !isNamed && (URL_KEYWORDS.includes(name) || isMapped(member, parent))
        return [name, isUrl ? moveUrl(member) : member]
      }
      if (isNamed) return [name, move(member, name)]
      if (EXAMPLES.includes(name)) return [name, moveExample(member)]
      return [name, LITERALS.includes(name) ? member : move(member, name)]
    })
    return Object.fromEntries(members)
  }

  function moveExample(node: Json): Json {
    if (Array.isArray(node)) return node.map(moveExample)
    if (!isObject(node)) return node
    const { $ref } = node
    if (typeof $ref === 'string' && Object.keys(node).length === 1) return { $ref: moveUrl($ref) }
    return mapMembers(node, moveExample)
  }

  function moveUrl(text: string): string {
    if (text === '' || text.startsWith('#') || /^[a-z][a-z0-9+.-]*:/i.test(text)) return text
    const url = URL.parse(text, from)
    return url === null ? text : relativeUrl(to, url)
  }
}

/** A discriminator may also map to names of schemas, which are not URLs. */
function isMapped(text: string, parent: string): boolean {
  return parent === 'mapping' && /[/#]|\.(json|ya?ml)$/i.test(text)
}
