import type { Parameter } from '../model/api.ts'
import { decodePercent } from './percent.ts'
import type { SchemaSummary } from './schema-summary.ts'
import {
  type Decode,
  kindOf,
  Malformed,
  readAlternating,
  readAssignments,
  readList,
  readScalar,
  splitList
} from './text-value.ts'

/** Reads a whole string, such as a path segment or a header; undefined if it is absent. */
export type ReadText = (raw: string) => unknown

export type ParameterStyle = Pick<Parameter, 'name' | 'style' | 'explode' | 'delimiter'>

export function createPathReader(form: ParameterStyle, shape: SchemaSummary): ReadText {
  if (form.style === 'label') return createLabel(form, shape)
  if (form.style === 'matrix') return createMatrix(form, shape)
  return createSimple(form, shape, decodePercent)
}

export function createHeaderReader(form: ParameterStyle, shape: SchemaSummary): ReadText {
  return createSimple(form, shape, (text) => text.trim())
}

function createSimple(
  { explode, delimiter = ',' }: ParameterStyle,
  shape: SchemaSummary,
  decode: Decode
): ReadText {
  const kind = kindOf(shape)
  return function readSimple(raw) {
    if (raw === '') return undefined
    if (kind === 'scalar') return readScalar(decode(raw), shape)
    if (kind === 'object') return readObject(raw, delimiter, explode, decode, shape)
    const texts = splitList(raw, delimiter, decode).map((text) => text.trim())
    if (kind === 'either' && texts.length === 1) return readScalar(decode(raw), shape)
    return readList(texts, shape)
  }
}

function readObject(
  raw: string,
  delimiter: string,
  explode: boolean,
  decode: Decode,
  shape: SchemaSummary
): unknown {
  if (explode) return readAssignments(raw.split(delimiter), decode, shape)
  return readAlternating(
    splitList(raw, delimiter, decode).map((text) => text.trim()),
    shape
  )
}

/** `.blue`, RFC 6570 §3.2.5. */
function createLabel({ explode }: ParameterStyle, shape: SchemaSummary): ReadText {
  const kind = kindOf(shape)
  return function readLabel(raw) {
    if (raw === '') return undefined
    if (!raw.startsWith('.')) return new Malformed('must begin with a dot (style label)')
    const rest = raw.slice(1)
    if (rest === '') return undefined
    if (kind === 'scalar') return readScalar(decodePercent(rest), shape)
    // OpenAPI 3.0 separates the values by dots, RFC 6570 by commas.
    const delimiter = explode || !decodePercent(rest).includes(',') ? '.' : ','
    if (kind === 'object') return readObject(rest, delimiter, explode, decodePercent, shape)
    return readList(splitList(rest, delimiter, decodePercent), shape)
  }
}

/** `;color=blue`, RFC 6570 §3.2.7. */
function createMatrix({ name, explode }: ParameterStyle, shape: SchemaSummary): ReadText {
  const kind = kindOf(shape)
  const wanted = name.toLowerCase()
  return function readMatrix(raw) {
    if (raw === '') return undefined
    if (!raw.startsWith(';')) return new Malformed('must begin with a semicolon (style matrix)')
    const parts = raw.slice(1).split(';')
    if (kind === 'object' && explode) return readAssignments(parts, decodePercent, shape)
    const values: string[] = []
    for (const part of parts) {
      const equals = part.indexOf('=')
      const key = equals === -1 ? part : part.slice(0, equals)
      if (decodePercent(key).toLowerCase() !== wanted) {
        return new Malformed(`must be ;${name}=… (style matrix)`)
      }
      values.push(equals === -1 ? '' : part.slice(equals + 1))
    }
    return readMatrixValues(values, kind, shape)
  }
}

function readMatrixValues(
  values: readonly string[],
  kind: ReturnType<typeof kindOf>,
  shape: SchemaSummary
): unknown {
  const [first = ''] = values
  if (values.every((value) => value === '')) return undefined
  if (kind === 'object') {
    return readAlternating(splitList(first, ',', decodePercent), shape)
  }
  if (kind === 'scalar') {
    if (values.length > 1) return new Malformed('must be given once (style matrix)')
    return readScalar(decodePercent(first), shape)
  }
  const texts = values.length > 1 ? values.map(decodePercent) : splitList(first, ',', decodePercent)
  return readList(texts, shape)
}
