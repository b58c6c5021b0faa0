import { isObject, type Json } from '../../document/json.ts'
import type { Parameter } from '../../model/api.ts'
import { toHeaderText, writeHeader } from '../../response/header-values.ts'

type Serialised = Pick<Parameter, 'name' | 'style' | 'explode' | 'delimiter' | 'allowReserved'> & {
  content: unknown
}

/** The segment, or the part of one, that replaces `{name}` in the path template. */
export function writePathParameter(parameter: Serialised, value: Json): string {
  const { name, style, explode, content, delimiter = ',' } = parameter
  if (content !== undefined) return encode(JSON.stringify(value))
  const key = encode(name)
  if (style === 'label') return `.${joinValue(value, explode, explode ? '.' : ',')}`
  if (style !== 'matrix')
    return joinValue(value, explode, delimiter === ',' ? ',' : encode(delimiter))
  if (explode && Array.isArray(value)) {
    return value.map((item) => `;${key}=${encode(plain(item))}`).join('')
  }
  if (explode && isObject(value)) {
    return Object.entries(value)
      .map(([member, inner]) => `;${encode(member)}=${encode(plain(inner))}`)
      .join('')
  }
  return `;${key}=${joinValue(value, false, ',')}`
}

const SEPARATORS: Readonly<Record<string, string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '|',
  tabDelimited: '%09'
}

/** Pairs of a query string, without the question mark. */
export function writeQueryParameter(parameter: Serialised, value: Json): string {
  const { name, style, explode, content, delimiter, allowReserved } = parameter
  const key = encode(name)
  const write = allowReserved ? encodeUnreserved : encode
  if (content !== undefined) return `${key}=${write(JSON.stringify(value))}`
  if (style === 'deepObject' && isObject(value)) {
    return Object.entries(value)
      .map(([member, inner]) => `${key}[${encode(member)}]=${write(plain(inner))}`)
      .join('&')
  }
  const separator = delimiter === undefined ? (SEPARATORS[style] ?? ',') : encode(delimiter)
  if (Array.isArray(value)) {
    const items = value.map((item) => write(plain(item)))
    return explode
      ? items.map((item) => `${key}=${item}`).join('&')
      : `${key}=${items.join(separator)}`
  }
  if (isObject(value)) {
    const pairs = Object.entries(value).map(([member, inner]) => [
      encode(member),
      write(plain(inner))
    ])
    return explode
      ? pairs.map((pair) => pair.join('=')).join('&')
      : `${key}=${pairs.flat().join(separator)}`
  }
  return `${key}=${write(plain(value))}`
}

export function writeHeaderParameter(parameter: Serialised, value: Json): string {
  if (parameter.content !== undefined) return toHeaderText(JSON.stringify(value))
  const { delimiter, explode } = parameter
  if (delimiter === undefined || !Array.isArray(value)) return writeHeader(value, explode) ?? ''
  return toHeaderText(value.map(plain).join(delimiter))
}

/** One or more pairs of a `Cookie` header. */
export function writeCookieParameter(parameter: Serialised, value: Json): string {
  const { name, explode, content } = parameter
  if (content !== undefined) return `${name}=${encode(JSON.stringify(value))}`
  if (explode && Array.isArray(value)) {
    return value.map((item) => `${name}=${encode(plain(item))}`).join('; ')
  }
  if (explode && isObject(value)) {
    return Object.entries(value)
      .map(([member, inner]) => `${encode(member)}=${encode(plain(inner))}`)
      .join('; ')
  }
  return `${name}=${joinValue(value, false, ',')}`
}

function joinValue(value: Json, explode: boolean, separator: string): string {
  if (Array.isArray(value)) return value.map((item) => encode(plain(item))).join(separator)
  if (!isObject(value)) return encode(plain(value))
  return Object.entries(value)
    .map(([member, inner]) => [encode(member), encode(plain(inner))].join(explode ? '=' : ','))
    .join(separator)
}

function plain(value: Json): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** Strings of a document may contain half a surrogate pair, which cannot be encoded. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Leaves the reserved characters that `allowReserved` permits, except those that end a pair. */
function encodeUnreserved(text: string): string {
  return encodeURI(text.toWellFormed()).replace(/[&#+]/g, encodeURIComponent)
}
