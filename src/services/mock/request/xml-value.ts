import type { SchemaSummary } from './schema-summary.ts'
import { createMembers, kindOf, type Members, readScalar } from './text-value.ts'

export interface Element {
  /** Name without the prefix. */
  name: string
  /** Name as written. */
  fullName: string
  /** URI of the namespace, or empty. */
  uri: string
  attributes: Map<string, string>
  children: Element[]
  text: string
}

/** The value of an element; strings are converted to numbers later, by the schema. */
export function readElement(element: Element, shape: SchemaSummary | undefined): unknown {
  if (element.attributes.get('xsi:nil') === 'true') return null
  if (shape?.types === undefined && (shape?.names.length ?? 0) === 0) return readFreely(element)
  const kind = shape === undefined ? 'scalar' : kindOf(shape)
  if (shape === undefined || kind === 'scalar') {
    return shape === undefined ? element.text : readScalar(element.text, shape)
  }
  if (kind === 'object') return readMembers(element, shape)
  if (kind === 'either' && element.children.length === 0) return readScalar(element.text, shape)
  return element.children.map((child) => readElement(child, shape.items))
}

/** Without a schema: a string, or the attributes and children by name. */
function readFreely(element: Element): unknown {
  if (element.children.length === 0 && element.attributes.size === 0) return element.text
  const members = createMembers()
  for (const [name, text] of element.attributes) members[name] = text
  for (const child of element.children) addValue(members, child.name, readFreely(child))
  return members
}

/** A repeated name results in an array. */
function addValue(members: Members, name: string, value: unknown): void {
  if (!Object.hasOwn(members, name)) members[name] = value
  else if (Array.isArray(members[name])) members[name].push(value)
  else members[name] = [members[name], value]
}

function readMembers(element: Element, shape: SchemaSummary): Members {
  const members = createMembers()
  const used = new Set<unknown>()
  for (const name of shape.names) {
    const property = shape.property(name)
    if (property === undefined) continue
    const value = readProperty(element, name, property, used)
    if (value !== undefined) members[name] = value
  }
  for (const [name, text] of element.attributes) {
    if (!used.has(`@${name}`) && !name.startsWith('xsi:')) addValue(members, name, text)
  }
  for (const child of element.children) {
    // A described name in another namespace is a different name.
    const key = shape.property(child.name) === undefined ? child.name : child.fullName
    if (!used.has(child)) addValue(members, key, readFreely(child))
  }
  return members
}

function readProperty(
  element: Element,
  name: string,
  shape: SchemaSummary,
  used: Set<unknown>
): unknown {
  const { xml } = shape
  const tag = localName(xml.name) ?? name
  if (xml.attribute === true) {
    const text = element.attributes.get(tag)
    used.add(`@${tag}`)
    return text === undefined ? undefined : readScalar(text, shape)
  }
  const isList = kindOf(shape) === 'array'
  if (!isList || xml.wrapped === true) {
    const found = element.children.filter((child) => isNamed(child, tag, xml.namespace))
    for (const child of found) used.add(child)
    if (found.length === 0) return undefined
    if (isList) return found.flatMap((child) => readWrapped(child, shape))
    const values = found.map((child) => readElement(child, shape))
    return values.length === 1 ? values[0] : values
  }
  // The name of the items is used; authors also set it on the array itself.
  const item = localName(shape.items.xml.name) ?? tag
  const namespace = shape.items.xml.namespace ?? xml.namespace
  const found = element.children.filter((child) => isNamed(child, item, namespace))
  for (const child of found) used.add(child)
  return found.length === 0 ? undefined : found.map((child) => readElement(child, shape.items))
}

/** Every child of the wrapper is an item, whatever its name. */
function readWrapped(wrapper: Element, shape: SchemaSummary): unknown[] {
  return wrapper.children.map((child) => readElement(child, shape.items))
}

function isNamed(element: Element, name: string, namespace: unknown): boolean {
  if (element.name !== name) return false
  return typeof namespace !== 'string' || element.uri === '' || element.uri === namespace
}

/** Some authors include the prefix in the name. */
function localName(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return undefined
  return name.slice(name.indexOf(':') + 1)
}
