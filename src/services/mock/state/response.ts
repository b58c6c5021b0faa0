import { isObject, type Json, type JsonObject } from '../document/json.ts'
import type { EngineOptions } from '../engine/options.ts'
import type { Incoming } from '../message.ts'
import type { Operation } from '../model/api.ts'
import { concreteType, writeBody } from '../response/body-text.ts'
import { checkResponse } from '../response/check-response.ts'
import type { Choice } from '../response/choose-response.ts'
import { toHeaderText } from '../response/header-values.ts'
import { type Headers, makeHeaders } from '../response/headers.ts'
import { isBodiless, type Mocked } from '../response/mocker.ts'
import type { Content } from '../response/negotiate.ts'
import { createXmlWriter } from '../response/xml.ts'
import { type Collection, isRecordSchema } from './collection.ts'
import { fitToSchema, setOwn, withoutSecrets } from './fit-to-schema.ts'
import { plain } from './identity.ts'
import { isNextMember, type Page, pageMember } from './paging.ts'
import { findList, findRecord } from './record-location.ts'

/** The request and the documented response that a response is built for. */
export interface ResponseFormat {
  collection: Collection
  operation: Operation
  incoming: Incoming
  choice: Choice
  /** Undefined if the response has no body. */
  content: Content | undefined
}

const TOTAL_HEADER = /total(?:count|items|records)?$/

/** The response with one record, fitted to its schema. */
export function showRecord(
  asked: ResponseFormat,
  options: EngineOptions,
  record: JsonObject,
  location: string | undefined
): Mocked {
  const headers: Headers = location === undefined ? {} : { location }
  return buildStateResponse(asked, options, headers, () => recordBody(asked, record))
}

/** The response with a page of records. */
export function showPage(asked: ResponseFormat, options: EngineOptions, page: Page): Mocked {
  const totals = asked.choice.response.headers
    .filter(({ name }) => TOTAL_HEADER.test(plain(name)))
    .map(({ name }): [string, string] => [name, String(page.total)])
  return buildStateResponse(asked, options, Object.fromEntries(totals), () => listBody(asked, page))
}

function buildStateResponse(
  { collection, operation, incoming, choice, content }: ResponseFormat,
  options: EngineOptions,
  own: Headers,
  makeBody: () => Json | undefined
): Mocked {
  const { served } = collection
  const { response, status } = choice
  const headers = makeHeaders(served, operation, response, {
    example: undefined,
    dynamic: options.dynamic,
    seed: options.seed ?? '',
    ignoreExamples: options.ignoreExamples,
    fillProperties: options.fillProperties,
    side: 'response'
  })
  for (const [name, value] of Object.entries(own)) {
    if (response.headers.some((header) => header.name === name)) {
      headers[name] = toHeaderText(name === 'location' ? locate(asked(name), value) : value)
    }
  }
  const isSilent = content === undefined || isBodiless(status) || operation.method === 'HEAD'
  const value = isSilent ? undefined : makeBody()
  const written = content === undefined || value === undefined ? undefined : write(content, value)
  if (written !== undefined) headers['content-type'] = written.type
  const mocked: Mocked = {
    response,
    status,
    headers,
    value,
    body: written?.body,
    example: undefined,
    diagnostics: [],
    isPrepared: false
  }
  if (!options.validateResponse) return mocked
  const judged = { status, headers, type: written?.type, body: written && { value } }
  return { ...mocked, diagnostics: checkResponse(served, operation, judged) }

  function asked(name: string): string | undefined {
    const schema = response.headers.find((header) => header.name === name)?.schema
    return schema === undefined ? undefined : collection.reader.traits(schema).format
  }

  /** A full URL only if the document requires the format `uri`; otherwise a path. */
  function locate(format: string | undefined, path: string): string {
    const { host } = incoming.headers
    return format === 'uri' && host !== undefined ? `http://${host}${path}` : path
  }

  function write({ media, type: wanted }: Content, body: Json) {
    const type = wanted ?? concreteType(media.type, body)
    const writeXml = createXmlWriter(served.document, media.schema)
    return { type, body: writeBody(type, body, writeXml) }
  }
}

/** The record, a wrapper around it, or a sample if the response describes something else. */
function recordBody({ collection, content }: ResponseFormat, record: JsonObject): Json | undefined {
  const { reader, served } = collection
  const schema = content?.media.schema
  if (schema === undefined) return record
  const sample = () => sampleAt(collection, schema)
  const location = findRecord(reader, schema, (pointer) => isRecordSchema(collection, pointer))
  if (location === undefined) return sample()
  const shown = withoutSecrets(reader, location.schema ?? schema, record)
  if (location.member === undefined) return fitToSchema(served, schema, shown, sample)
  return fitToSchema(served, schema, wrap(sample(), location.member, shown), sample)
}

function listBody(asked: ResponseFormat, page: Page): Json | undefined {
  const { collection, content } = asked
  const { served, reader, path } = collection
  if (content === undefined) return undefined
  const segment = path.slice(path.lastIndexOf('/') + 1)
  const location = findList(served, reader, content.media, segment)
  const { schema } = content.media
  const records = page.records.map(({ record }) => shapeItem(collection, location?.schema, record))
  if (location?.member === undefined) return records
  const sample = () => (schema === undefined ? undefined : sampleAt(collection, schema))
  const whole = wrap(sample(), location.member, records)
  if (schema === undefined) return whole
  fillPage(asked, schema, whole, location.member, page)
  return fitToSchema(served, schema, whole, sample, location.member)
}

function shapeItem(collection: Collection, schema: string | undefined, record: JsonObject): Json {
  if (schema === undefined) return record
  const { reader, served } = collection
  const shown = withoutSecrets(reader, schema, record)
  return fitToSchema(served, schema, shown, () => sampleAt(collection, schema))
}

function sampleAt({ served }: Collection, schema: string): Json | undefined {
  const made = served.generator.sample(`#${schema}`, 'response')
  return made.ok ? (made.value as Json) : undefined
}

function wrap(sample: Json | undefined, member: string, inner: Json): JsonObject {
  const whole = isObject(sample) ? structuredClone(sample) : {}
  setOwn(whole, member, inner)
  return whole
}

/** Fills members about paging, such as totals, at the top level and one level below. */
function fillPage(
  asked: ResponseFormat,
  schema: string,
  whole: JsonObject,
  member: string | undefined,
  page: Page
): void {
  for (const property of asked.collection.reader.properties(schema).values()) {
    const { name, types, pointer } = property
    const inner = Object.hasOwn(whole, name) ? whole[name] : undefined
    if (name === member) continue
    if (isObject(inner)) {
      if (member !== undefined) fillPage(asked, pointer, inner, undefined, page)
      continue
    }
    const value = pageMember(name, types, page)
    if (value !== undefined) setOwn(whole, name, value)
    else if (isNextMember(name) && page.next === undefined && !property.required) {
      delete whole[name]
    }
  }
}
