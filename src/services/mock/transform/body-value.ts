import { isJson, isText, isXml } from '../../../kernel/media-type.ts'
import type { Json } from '../document/json.ts'
import type { Exchange } from '../engine/exchange.ts'
import { bytesOf, type SentBody } from '../message.ts'
import { isTooDeep } from '../request/json-depth.ts'

/** The body of a request: the validated value, or the parsed bytes if there is none. */
export function bodyOf({ values, incoming }: Exchange): Json | undefined {
  if (values?.body !== undefined) return values.body as Json
  return readValue(incoming.body, incoming.headers['content-type'])
}

/** The value of a JSON body, or a text or XML body as a string; otherwise undefined. */
export function readValue(body: SentBody | undefined, type: string | undefined): Json | undefined {
  if (body === undefined || body.length === 0 || type === undefined) return undefined
  if (!isJson(type) && !isText(type) && !isXml(type)) return undefined
  const text = bytesOf(body).toString()
  return isJson(type) ? parseJson(text) : text
}

function parseJson(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
