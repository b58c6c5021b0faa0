import { essenceOf, isJson } from '../../../../kernel/media-type.ts'
import { isObject, type Json } from '../../document/json.ts'
import type { MediaType } from '../../model/api.ts'
import { writeBody } from '../../response/body-text.ts'
import { createXmlWriter } from '../../response/xml.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { ServedApi } from '../../served-api.ts'
import { readField } from './field-value.ts'
import { type FormValues, memberField } from './form-values.ts'
import { factsOf, type SchemaFacts } from './schema-facts.ts'

/** One property of a body, as a field of the form. */
export interface Member {
  name: string
  required: boolean
  facts: SchemaFacts
}

/** A body with more properties is edited as text. */
const MAX_MEMBERS = 40
const BOUNDARY = 'nonet-form-boundary'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

/** The properties of a body that can be filled in one by one; undefined for other bodies. */
export function membersOf(served: ServedApi, media: MediaType): Member[] | undefined {
  const { type, schema } = media
  const essence = essenceOf(type)
  if (schema === undefined || (!isJson(type) && essence !== FORM && essence !== MULTIPART)) {
    return undefined
  }
  const view = served.schemas.view('request')
  const { properties, required, isUnion } = factsOf(view, view.at(`#${schema}`))
  if (isUnion || properties.size === 0 || properties.size > MAX_MEMBERS) return undefined
  return [...properties]
    .filter(([, inner]) => !isReadOnly(inner))
    .map(([name, inner]) => ({
      name,
      required: required.has(name),
      facts: factsOf(view, inner)
    }))
}

function isReadOnly(schema: JsonSchema): boolean {
  return schema === false || (typeof schema === 'object' && schema.readOnly === true)
}

/** The body that the fields describe; undefined if all of them are empty. */
export function valueOfMembers(
  members: readonly Member[],
  values: FormValues
): { [name: string]: Json } | undefined {
  const filled = members.flatMap(({ name, facts }): [string, Json][] => {
    const text = values[memberField(name)] ?? ''
    return text === '' ? [] : [[name, readField(text, facts.types)]]
  })
  return filled.length === 0 ? undefined : Object.fromEntries(filled)
}

/** The text of a body for a person to edit. */
export function bodyText(served: ServedApi, media: MediaType, value: Json): string {
  if (isJson(media.type)) return JSON.stringify(value, null, 2)
  if (essenceOf(media.type) === MULTIPART && isObject(value)) return multipartText(value)
  return writeBody(media.type, value, createXmlWriter(served.document, media.schema)).toString()
}

/** The Content-Type to send; a multipart body needs the boundary of `bodyText`. */
export function contentTypeOf(type: string): string {
  const isBare = essenceOf(type) === MULTIPART && !/boundary=/i.test(type)
  return isBare ? `${type}; boundary=${BOUNDARY}` : type
}

/** Lines of a multipart body end with CR LF; text areas show and send that by themselves. */
export function bodyBytes(type: string, text: string): Buffer {
  return Buffer.from(
    essenceOf(type) === MULTIPART ? text.replace(/\r?\n/g, '\r\n') : text.replaceAll('\r\n', '\n')
  )
}

function multipartText(value: { [name: string]: Json }): string {
  const parts = Object.entries(value).flatMap(([name, member]) =>
    (Array.isArray(member) ? member : [member]).map((item) => partText(name, item))
  )
  return `${parts.join('')}--${BOUNDARY}--\n`
}

function partText(name: string, item: Json): string {
  const isComplex = typeof item === 'object' && item !== null
  const type = isComplex ? '\nContent-Type: application/json' : ''
  const field = name.replace(/["\r\n]/g, encodeURIComponent)
  return `--${BOUNDARY}\nContent-Disposition: form-data; name="${field}"${type}\n\n${isComplex ? JSON.stringify(item) : item}\n`
}
