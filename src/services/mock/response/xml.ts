import { writePlain } from '../document/exact-integers.ts'
import {
  arrayAt,
  isObject,
  type Json,
  type JsonObject,
  memberOf,
  objectAt,
  stringAt
} from '../document/json.ts'
import { findAt, parsePointer } from '../document/pointer.ts'
import { createResolve, type Resolve } from '../model/resolve.ts'

export type WriteXml = (value: Json) => string

interface Element {
  name: string
  attributes: [name: string, value: string][]
  children: Element[]
  text: string
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const ROOT_NAME = 'xml'

/** Writes values of one schema according to its `xml` objects. */
export function createXmlWriter(document: JsonObject, schemaPointer: string | undefined): WriteXml {
  const resolve = createResolve(document)
  return function writeXml(value) {
    const given = schemaPointer && findAt(document, parsePointer(schemaPointer))
    const schema = createDescription(resolve, given === '' ? undefined : given)
    const name = schema.name ?? componentOf(given) ?? ROOT_NAME
    const roots =
      Array.isArray(value) && !schema.wrapped
        ? [enclose(name, value, { ...schema, wrapped: true })]
        : elementsOf(name, value, schema)
    return DECLARATION + roots.map(writeElement).join('')
  }
}

/** Settings of the schema for the XML of one value. */
interface Description {
  name: string | undefined
  prefix: string | undefined
  namespace: string | undefined
  attribute: boolean
  wrapped: boolean
  items: () => Description
  property: (name: string) => Description
}

function createDescription(resolve: Resolve, given: Json | undefined): Description {
  const schema = resolve(given, '')?.node ?? {}
  const xml = objectAt(schema, 'xml')
  return {
    name: stringAt(xml, 'name'),
    prefix: stringAt(xml, 'prefix'),
    namespace: stringAt(xml, 'namespace'),
    attribute: xml.attribute === true || xml.nodeType === 'attribute',
    wrapped: xml.wrapped === true || (xml.nodeType === 'element' && schema.items !== undefined),
    items: () => createDescription(resolve, memberOf(schema, 'items')),
    property: (name) => createDescription(resolve, findProperty(resolve, schema, name, 0))
  }
}

const MAX_DEPTH = 20

function findProperty(
  resolve: Resolve,
  schema: JsonObject,
  name: string,
  depth: number
): Json | undefined {
  const own = memberOf(objectAt(schema, 'properties'), name)
  if (own !== undefined || depth > MAX_DEPTH) return own
  for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
    for (const part of arrayAt(schema, keyword)) {
      const node = resolve(part, '')?.node
      const found = node && findProperty(resolve, node, name, depth + 1)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** An array is written as several elements of one name, or inside a wrapper element. */
function elementsOf(name: string, value: Json, schema: Description): Element[] {
  if (!Array.isArray(value)) return [elementOf(schema.name ?? name, value, schema)]
  if (schema.wrapped) return [enclose(schema.name ?? name, value, schema)]
  const items = schema.items()
  return value.flatMap((item) => elementsOf(items.name ?? schema.name ?? name, item, items))
}

function enclose(name: string, values: readonly Json[], schema: Description): Element {
  const items = schema.items()
  const element = elementOf(name, null, schema)
  element.children = values.flatMap((item) => elementsOf(items.name ?? name, item, items))
  return element
}

function elementOf(name: string, value: Json, schema: Description): Element {
  const element: Element = { name: qualified(name, schema), attributes: [], children: [], text: '' }
  const { namespace, prefix } = schema
  if (namespace !== undefined) {
    element.attributes.push([prefix === undefined ? 'xmlns' : `xmlns:${toName(prefix)}`, namespace])
  }
  if (!isObject(value)) {
    element.text = value === null ? '' : writePlain(value)
    return element
  }
  for (const [key, member] of Object.entries(value)) {
    const property = schema.property(key)
    if (property.attribute && typeof member !== 'object') {
      element.attributes.push([qualified(property.name ?? key, property), writePlain(member)])
    } else element.children.push(...elementsOf(key, member, property))
  }
  return element
}

function qualified(name: string, { prefix }: Description): string {
  return prefix === undefined ? toName(name) : `${toName(prefix)}:${toName(name)}`
}

/** Replaces characters that are not allowed in the name of an element. */
function toName(text: string): string {
  const name = text.replace(/[^\p{L}\p{N}_.-]/gu, '_')
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`
}

function componentOf(given: Json | undefined): string | undefined {
  return stringAt(given, '$ref')?.split('/').at(-1)
}

function writeElement({ name, attributes, children, text }: Element): string {
  const head = attributes.map(([key, value]) => ` ${key}="${escapeXml(value)}"`).join('')
  const content = escapeXml(text) + children.map(writeElement).join('')
  return content === '' ? `<${name}${head}/>` : `<${name}${head}>${content}</${name}>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;'
}

/** Replaces control characters, which XML 1.0 does not allow even when escaped. */
function escapeXml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
}
