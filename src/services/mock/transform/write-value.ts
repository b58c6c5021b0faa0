import { covers, isJson, isXml } from '../../../kernel/media-type.ts'
import { writeJson } from '../document/exact-integers.ts'
import type { Json } from '../document/json.ts'
import { MAX_TEXT_BYTES, type SentBody } from '../message.ts'
import type { ResponseModel } from '../model/api.ts'
import { concreteType, writeBody } from '../response/body-text.ts'
import { createXmlWriter } from '../response/xml.ts'
import type { ServedApi } from '../served-api.ts'
import { type Headers, headerText } from './message-draft.ts'

const BYTE_HEADERS = ['content-length', 'content-encoding', 'transfer-encoding', 'content-md5']

/** Serialises a value of rules or hooks; headers about the previous bytes are removed. */
export function writeValue(
  value: Json,
  headers: Headers,
  served: ServedApi | undefined,
  response: ResponseModel | undefined
): SentBody {
  const given = headerText(headers, 'content-type')
  const type = given ?? concreteType('*/*', value)
  if (given === undefined) headers['content-type'] = type
  forgetBytes(headers)
  if (isJson(type)) return sentBody(writeJson(value))
  const schema = isXml(type)
    ? response?.contents.find((media) => covers(media.type, type))?.schema
    : undefined
  return writeBody(type, value, createXmlWriter(served?.document ?? {}, schema))
}

/** ASCII stays a string, because its characters are its bytes. */
function sentBody(text: string): SentBody {
  const isOwn = text.length <= MAX_TEXT_BYTES && Buffer.byteLength(text) === text.length
  return isOwn ? text : Buffer.from(text)
}

export function forgetBytes(headers: Headers): void {
  const { 'content-length': length, 'transfer-encoding': framing } = headers
  const { 'content-encoding': encoding, 'content-md5': digest } = headers
  // Deleting an absent property makes later access to the object slower.
  if ((length ?? framing ?? encoding ?? digest) === undefined) return
  for (const name of BYTE_HEADERS) if (headers[name] !== undefined) delete headers[name]
}
