import { covers, essenceOf, isXml } from '../../../kernel/media-type.ts'
import type { Json } from '../document/json.ts'
import type { Exchange } from '../engine/exchange.ts'
import { createSchemaSummaries, referenceTo } from '../request/schema-summary.ts'
import { Malformed } from '../request/text-value.ts'
import { isBodiless } from '../response/mocker.ts'
import { readValue } from '../transform/body-value.ts'
import { headerText } from '../transform/message-draft.ts'
import type { Rule } from '../transform/rule.ts'
import { decode } from './decode.ts'

/** Whether one of these rules reads the body of this response. */
export function looksInside(rules: readonly Rule[], { outgoing }: Exchange): boolean {
  const type = headerText(outgoing.headers, 'content-type') ?? ''
  return rules.some(({ readsResponseBody, match }) => {
    if (!readsResponseBody) return false
    const { mediaTypes } = match
    return mediaTypes === undefined || mediaTypes.some((wanted) => covers(wanted, type))
  })
}

/** Whether the response has a body that ends by itself, unlike an event stream. */
export function hasEnd({ incoming, outgoing }: Exchange): boolean {
  const type = headerText(outgoing.headers, 'content-type') ?? ''
  if (incoming.method === 'HEAD' || isBodiless(outgoing.status)) return false
  return essenceOf(type) !== 'text/event-stream'
}

/** Value of an upstream response: decompressed, and parsed by its schema if it is XML. */
export async function readResponse(
  { outgoing, api, response }: Exchange,
  bytes: Buffer,
  maxBytes: number
): Promise<Json | undefined> {
  const type = headerText(outgoing.headers, 'content-type')
  const encoding = headerText(outgoing.headers, 'content-encoding') ?? ''
  const decoded = await decode(bytes, encoding, maxBytes)
  if (decoded === undefined || type === undefined) return undefined
  const schema = isXml(type)
    ? response?.contents.find((media) => covers(media.type, type))?.schema
    : undefined
  if (schema === undefined || api === undefined) return readValue(decoded, type)
  const { readXml } = await import('../request/xml.ts')
  const shape = createSchemaSummaries(api.schemas.view('response')).at(referenceTo(schema))
  const value = await readXml(decoded.toString(), shape)
  if (value instanceof Malformed) return undefined
  const found = api.schemas.find(referenceTo(schema), 'response')
  return (found.ok ? found.compiled.coerce(value).value : value) as Json
}
