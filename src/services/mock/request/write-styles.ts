import { isObject } from '../../../kernel/json.ts'
import { isJson } from '../../../kernel/media-type.ts'
import { writeJson, writePlain } from '../document/exact-integers.ts'
import type { Parameter } from '../model/api.ts'
import { DELIMITERS } from './field-styles.ts'

type Written = Pick<Parameter, 'name' | 'style' | 'explode' | 'delimiter' | 'content'>

/** Text of a path parameter that `createPathReader` reads as the value. */
export function writePathValue(parameter: Written, value: unknown): string {
  const { name, style, explode, content, delimiter = ',' } = parameter
  if (content !== undefined) return encodeText(contentText(content.type, value))
  if (style === 'label') return `.${writeParts(value, explode ? '.' : ',', explode)}`
  if (style === 'matrix') {
    const key = encodeText(name)
    if (!explode) return `;${key}=${writeParts(value, ',', false)}`
    const prefix = isObject(value) ? '' : `${key}=`
    return partsOf(value, true)
      .map((part) => `;${prefix}${part}`)
      .join('')
  }
  return writeParts(value, delimiter, explode)
}

/** Pairs of a query that the reader of a query parameter reads as the value. */
export function writeField(parameter: Written, value: unknown): string[] {
  const { name, style, explode, content } = parameter
  const key = encodeText(name)
  if (content !== undefined) return [`${key}=${encodeText(contentText(content.type, value))}`]
  if (typeof value !== 'object' || value === null) return [`${key}=${encodeText(textOf(value))}`]
  if (style === 'deepObject') return deepPairs(key, value)
  const delimiter = parameter.delimiter ?? DELIMITERS[style] ?? ','
  if (Array.isArray(value)) {
    if (!explode) return [`${key}=${writeParts(value, delimiter, false)}`]
    return value.map((item) => `${key}=${encodeText(textOf(item))}`)
  }
  if (!explode || Object.hasOwn(DELIMITERS, style)) {
    return [`${key}=${writeParts(value, delimiter, false)}`]
  }
  // An exploded object has no way to write an object in an object, but is also read as JSON.
  if (Object.values(value).some(isObject)) return [`${key}=${encodeText(writeJson(value))}`]
  return Object.entries(value).flatMap(([member, inner]) => {
    const all = Array.isArray(inner) ? inner : [inner]
    return all.map((item) => `${encodeText(member)}=${encodeText(textOf(item))}`)
  })
}

/** Brackets are encoded, because curl expands them. */
function deepPairs(key: string, value: unknown): string[] {
  if (Array.isArray(value)) {
    const isFlat = value.every((item) => typeof item !== 'object')
    return value.flatMap((item, index) => deepPairs(`${key}%5B${isFlat ? '' : index}%5D`, item))
  }
  if (!isObject(value)) return [`${key}=${encodeText(textOf(value))}`]
  return Object.entries(value).flatMap(([member, inner]) =>
    deepPairs(`${key}%5B${encodeText(member)}%5D`, inner)
  )
}

function writeParts(value: unknown, delimiter: string, explode: boolean): string {
  const parts = partsOf(value, explode)
  const escaped =
    delimiter === '.' && parts.length > 1 ? parts.map((part) => part.replaceAll('.', '%2E')) : parts
  return escaped.join(/[.,]/.test(delimiter) ? delimiter : encodeText(delimiter))
}

function partsOf(value: unknown, explode: boolean): string[] {
  if (Array.isArray(value)) return value.map((item) => encodeText(textOf(item)))
  if (!isObject(value)) return [encodeText(textOf(value))]
  const pairs = Object.entries(value).map(([name, inner]) => [
    encodeText(name),
    encodeText(textOf(inner))
  ])
  return explode ? pairs.map((pair) => pair.join('=')) : pairs.flat()
}

function contentText(type: string, value: unknown): string {
  return isJson(type) ? `${writeJson(value)}` : textOf(value)
}

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return 'string'
  return writePlain(value)
}

/**
 * Also encodes the signs that shells and brackets of Markdown give a meaning. Strings of a document
 * may contain half a surrogate pair, which cannot be encoded.
 */
export function encodeText(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed())
  return encoded.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Literal text of a path or query, in which delimiters such as a colon are readable as they are. */
export function encodeLiteral(text: string): string {
  return encodeText(text).replace(/%(?:2C|3A|3B|3D|40|24|2B)/g, decodeURIComponent)
}
