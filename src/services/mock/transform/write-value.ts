import type { Json } from '../document/json.ts'
import type { ResponseModel } from '../model/api.ts'
import { concreteType, writeBody } from '../response/body-text.ts'
import { covers, isXml } from '../response/media-type.ts'
import { createXmlWriter } from '../response/xml.ts'
import type { ServedApi } from '../served-api.ts'
import { type Headers, headerText } from './draft.ts'

/** The bytes of a body that rules changed; headers that spoke of the old bytes go. */
export function writeValue(
  value: Json,
  headers: Headers,
  served: ServedApi | undefined,
  response: ResponseModel | undefined
): Buffer {
  const type = headerText(headers, 'content-type') ?? concreteType('*/*', value)
  headers['content-type'] = type
  forgetBytes(headers)
  const schema = isXml(type)
    ? response?.contents.find((media) => covers(media.type, type))?.schema
    : undefined
  return writeBody(type, value, createXmlWriter(served?.document ?? {}, schema))
}

export function forgetBytes(headers: Headers): void {
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding', 'content-md5']) {
    delete headers[name]
  }
}
