import type { SchemaSummary } from './schema-summary.ts'

/** Maximum number of values of one name, and of fields of a form. */
export const MAX_VALUES = 10_000

const PLAIN_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/

/** A value that does not have the format of its style. */
export class Malformed {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

export type ValueKind = 'scalar' | 'array' | 'object'

/** How strings of this schema are read; `either` is an array only if there is a delimiter. */
export function kindOf({ types }: SchemaSummary): ValueKind | 'either' {
  if (types === undefined) return 'scalar'
  if (types.has('array')) return isScalar(types) ? 'either' : 'array'
  if (types.has('object')) return 'object'
  return 'scalar'
}

function isScalar(types: NonNullable<SchemaSummary['types']>): boolean {
  return types.has('string') || types.has('number') || types.has('integer') || types.has('boolean')
}

/** Converts the common cases at once, so that the value needs no coercion by the validator. */
export function readScalar(text: string, { types }: SchemaSummary): unknown {
  if (types === undefined || types.has('string')) return text
  if ((types.has('integer') || types.has('number')) && PLAIN_NUMBER.test(text)) return Number(text)
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

export type Decode = (text: string) => string

/**
 * Splits at unencoded delimiters; if there are none, clients may have encoded them. A list of too
 * many values is cut, but has more than `MAX_VALUES`.
 */
export function splitList(
  raw: string,
  delimiter: string,
  decode: Decode,
  decoded?: string
): string[] {
  if (delimiter !== ' ' && delimiter !== '\t' && raw.includes(delimiter)) {
    return raw.split(delimiter, MAX_VALUES + 1).map(decode)
  }
  return (decoded ?? decode(raw)).split(delimiter, MAX_VALUES + 1)
}

export function readList(texts: readonly string[], shape: SchemaSummary): unknown[] | Malformed {
  if (texts.length > MAX_VALUES) return new Malformed(`has more than ${MAX_VALUES} values`)
  const { items } = shape
  return texts.map((text) => readScalar(text, items))
}

export type Members = Record<string, unknown>

export function createMembers(): Members {
  return Object.create(null)
}

function addMember(members: Members, name: string, text: string, shape: SchemaSummary): void {
  const property = shape.property(name)
  members[name] = property === undefined ? text : readScalar(text, property)
}

/** `R,100,G,200` */
export function readAlternating(
  texts: readonly string[],
  shape: SchemaSummary
): Members | Malformed {
  if (texts.length > MAX_VALUES) return new Malformed(`has more than ${MAX_VALUES} values`)
  if (texts.length % 2 === 1) return new Malformed('must be alternating names and values')
  const members = createMembers()
  for (let index = 0; index < texts.length; index += 2) {
    addMember(members, texts[index] ?? '', texts[index + 1] ?? '', shape)
  }
  return members
}

/** `R=100,G=200` */
export function readAssignments(
  raws: readonly string[],
  decode: Decode,
  shape: SchemaSummary
): Members | Malformed {
  if (raws.length > MAX_VALUES) return new Malformed(`has more than ${MAX_VALUES} values`)
  const members = createMembers()
  for (const raw of raws) {
    const equals = raw.indexOf('=')
    if (equals === -1) return new Malformed('must be pairs such as name=value')
    addMember(members, decode(raw.slice(0, equals)), decode(raw.slice(equals + 1)), shape)
  }
  return members
}
