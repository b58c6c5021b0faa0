import type { IncomingMessage } from 'node:http'
import { isObject, type JsonObject } from '../../../kernel/json.ts'
import { essenceOf } from '../../../kernel/media-type.ts'
import { readRequestBody } from '../../../kernel/request-body.ts'
import { BodyInvalid, BodyTooLarge, TypeNotSupported } from '../contract.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON object of a request; empty if the request has no body. */
export async function readJsonObject(
  request: IncomingMessage,
  maxBytes: number
): Promise<JsonObject> {
  const tooLarge = () => new BodyTooLarge(maxBytes)
  const aborted = () => new BodyInvalid('The request body is incomplete')
  const bytes = await readRequestBody(request, maxBytes, { tooLarge, aborted })
  if (bytes.length === 0) return {}
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers
  if (essenceOf(type) !== 'application/json' || coding !== 'identity') throw new TypeNotSupported()
  const value = parse(bytes)
  if (!isObject(value)) throw new BodyInvalid('The body is not a JSON object')
  return value
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw new BodyInvalid('The body is not JSON in UTF-8')
  }
}
