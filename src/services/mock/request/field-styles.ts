import { readDeepObject } from './deep-object.ts'
import type { Pair } from './query-string.ts'
import type { SchemaSummary } from './schema-summary.ts'
import type { ParameterStyle } from './text-styles.ts'
import {
  createMembers,
  type Decode,
  kindOf,
  Malformed,
  readAlternating,
  readList,
  readScalar,
  splitList
} from './text-value.ts'

/** Named values of a query, of cookies or of a form. */
export interface Fields {
  readonly pairs: readonly Pair[]
  readonly byName: ReadonlyMap<string, readonly Pair[]>
}

/** Undefined if the field is absent. */
export type ReadField = (fields: Fields) => unknown

export interface FieldRules {
  /** Converts a name to a key of `byName`. */
  keyOf: (name: string) => string
  /** Whether a name belongs to another field, so that an open object does not include it. */
  isTaken: (key: string) => boolean
  decode: Decode
  /** Whether a field with an empty value counts as present. */
  keepsEmpty: boolean
}

export const DELIMITERS: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|'
}

export function createFieldReader(
  form: ParameterStyle,
  shape: SchemaSummary,
  rules: FieldRules
): ReadField {
  const { name, explode } = form
  const { decode } = rules
  const key = rules.keyOf(name)
  const kind = kindOf(shape)
  const style = styleOf(form, shape)
  if (style === 'deepObject') {
    const isOpen = shape.types === undefined || kind === 'either'
    return function readDeep({ pairs, byName }) {
      const deep = readDeepObject(pairs, key, shape, rules.keyOf)
      const plain = deep === undefined && isOpen ? byName.get(key) : undefined
      return plain === undefined ? deep : readOnce(plain, shape)
    }
  }
  if (kind === 'object' && explode && style === 'form') return createSpread(key, shape, rules)
  const delimiter = form.delimiter ?? DELIMITERS[style] ?? ','

  return function readField({ byName }) {
    const pairs = byName.get(key)
    if (pairs === undefined) return undefined
    if (!rules.keepsEmpty && pairs.every(({ raw }) => raw === '')) return undefined
    if (kind === 'scalar') return readOnce(pairs, shape)
    const { raw = '', value: decoded = '' } = pairs.at(-1) ?? {}
    const split = () => splitList(raw, delimiter, decode, decoded)
    if (kind === 'object') return readAlternating(split(), shape)
    if (kind === 'either' && pairs.length === 1 && (explode || !decoded.includes(delimiter))) {
      return readOnce(pairs, shape)
    }
    const isRepeated =
      explode || (pairs.length > 1 && form.delimiter === undefined && style !== 'form')
    const texts = isRepeated ? pairs.map(({ value }) => value) : split()
    return readList(texts, shape)
  }
}

/** A style that is invalid here, or for such a value, is read as `form`. */
function styleOf({ style }: ParameterStyle, shape: SchemaSummary): string {
  if (style === 'deepObject') {
    return shape.types === undefined || kindOf(shape) !== 'scalar' ? style : 'form'
  }
  return Object.hasOwn(DELIMITERS, style) ? style : 'form'
}

/** A repeated name results in an array, which the schema then rejects. */
function readOnce(pairs: readonly Pair[], shape: SchemaSummary): unknown {
  const [first] = pairs
  if (first !== undefined && pairs.length === 1) return readScalar(first.value, shape)
  return pairs.map(({ value }) => readScalar(value, shape))
}

/** Each property of the object is a separate field. */
function createSpread(key: string, shape: SchemaSummary, rules: FieldRules): ReadField {
  const names = shape.names.map((name) => [name, rules.keyOf(name)] as const)
  const own = new Set(names.map(([, key]) => key))
  return function readSpread({ byName }) {
    const members = createMembers()
    let isThere = false
    for (const [name, field] of names) {
      const pairs = byName.get(field)
      if (pairs === undefined) continue
      isThere = true
      members[name] = readMember(pairs, shape.property(name))
    }
    const direct = byName.get(key)?.[0]?.value
    if (!isThere && direct?.startsWith('{')) return readJsonText(direct)
    if (!shape.isOpen) return isThere ? members : undefined
    for (const [field, pairs] of byName) {
      if (own.has(field) || rules.isTaken(field)) continue
      isThere = true
      members[pairs[0]?.name ?? field] = readMember(pairs, undefined)
    }
    return isThere ? members : undefined
  }
}

function readMember(pairs: readonly Pair[], shape: SchemaSummary | undefined): unknown {
  const texts = pairs.map(({ value }) => value)
  if (shape === undefined) return texts.length === 1 ? texts[0] : texts
  if (kindOf(shape) !== 'array') return readOnce(pairs, shape)
  return texts.map((text) => readScalar(text, shape.items))
}

/** Some clients send objects as JSON in any style. */
export function readJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return new Malformed('is not valid JSON')
    throw error
  }
}
