import type { Json } from '../document/json.ts'
import type { ResponseModel } from '../model/api.ts'
import { concreteType, writeBody } from '../response/body-text.ts'
import { covers, isJson, isXml } from '../response/media-type.ts'
import { createXmlWriter } from '../response/xml.ts'
import type { ServedApi } from '../served-api.ts'
import { type Headers, headerText } from './draft.ts'

const BYTE_HEADERS = ['content-length', 'content-encoding', 'transfer-encoding', 'content-md5']

/** The bytes of a body that rules changed, and their text where it is ASCII. */
export interface WrittenValue {
  body: Buffer
  text: string | undefined
}

/** Headers that spoke of the old bytes go. */
export function writeValue(
  value: Json,
  headers: Headers,
  served: ServedApi | undefined,
  response: ResponseModel | undefined
): WrittenValue {
  const given = headerText(headers, 'content-type')
  const type = given ?? concreteType('*/*', value)
  if (given === undefined) headers['content-type'] = type
  forgetBytes(headers)
  if (isJson(type)) {
    const text = JSON.stringify(value)
    const body = Buffer.from(text)
    return { body, text: body.length === text.length ? text : undefined }
  }
  const schema = isXml(type)
    ? response?.contents.find((media) => covers(media.type, type))?.schema
    : undefined
  const body = writeBody(type, value, createXmlWriter(served?.document ?? {}, schema))
  return { body, text: undefined }
}

export function forgetBytes(headers: Headers): void {
  // Deleting what is not there makes every later look at the object slower.
  for (const name of BYTE_HEADERS) if (headers[name] !== undefined) delete headers[name]
}
