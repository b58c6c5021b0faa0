import { essenceOf, isJson, isSequenceType, isText, isXml } from '../../../kernel/media-type.ts'
import { Problem } from '../contract.ts'
import { writeJson, writePlain } from '../document/exact-integers.ts'
import type { Json } from '../document/json.ts'
import { writeSequence } from './sequence.ts'
import type { WriteXml } from './xml.ts'

/** Types for ranges in the document, if the client accepts any type. */
const USUAL_TYPES: Readonly<Record<string, string>> = {
  application: 'application/json',
  audio: 'audio/mpeg',
  font: 'font/woff2',
  image: 'image/png',
  text: 'text/plain',
  video: 'video/mp4'
}

/** A type for a media range without one: `text/plain` for strings, as in Prism, otherwise JSON. */
export function concreteType(range: string, value: Json): string {
  const [kind = '*', subtype] = essenceOf(range).split('/')
  if (kind !== '*' && subtype !== '*') return range
  return USUAL_TYPES[kind] ?? (typeof value === 'string' ? 'text/plain' : 'application/json')
}

/** Serialises a body for its media type. */
export function writeBody(type: string, value: Json, writeXml: WriteXml): Buffer {
  if (isJson(type)) return Buffer.from(writeJson(value))
  if (typeof value === 'string') return Buffer.from(value)
  if (isSequenceType(type) && Array.isArray(value)) return Buffer.from(writeSequence(type, value))
  if (isXml(type)) return Buffer.from(writeXml(value))
  if (isText(type)) return Buffer.from(writeText(type, value))
  const essence = essenceOf(type)
  if (essence === 'application/x-www-form-urlencoded') return Buffer.from(writeForm(value))
  // Vendor types are often JSON, and there is no other representation of an object.
  return Buffer.from(writeJson(value))
}

function writeText(type: string, value: Json): string {
  if (typeof value === 'object' && value !== null) {
    throw new Problem(
      'NO_COMPLEX_OBJECT_TEXT',
      `An ${Array.isArray(value) ? 'array' : 'object'} cannot be written as ${essenceOf(type)}.`
    )
  }
  return writePlain(value)
}

function writeForm(value: Json): string {
  const form = new URLSearchParams()
  for (const [name, member] of Object.entries(value ?? {})) {
    for (const item of Array.isArray(member) ? member : [member])
      form.append(name, writePlain(item))
  }
  return form.toString()
}
