import type { Json } from '../document/json.ts'
import type { EngineOptions } from '../engine/options.ts'
import type { Operation, Parameter } from '../model/api.ts'
import { concreteType, writeBody } from '../response/body-text.ts'
import { type ContentOptions, makeContent, sample } from '../response/content-value.ts'
import { isSendable, writeHeader } from '../response/header-values.ts'
import { createXmlWriter } from '../response/xml.ts'
import type { ServedApi } from '../served-api.ts'

/** A request that the mock sends: a callback or a webhook. */
export interface OutgoingCall {
  url: string
  method: string
  /** Names are in lower case. */
  headers: Record<string, string>
  body: string | undefined
}

/** Parts of the request that the caller chooses; the rest is taken from the document. */
export interface Wish {
  /** Name of an example of the body. */
  example?: string | undefined
  /** Body to send instead of an example or a generated body. */
  body?: Json | undefined
  /** Media type of the body; the first documented one by default. */
  type?: string | undefined
}

const NO_WISH: Wish = {}

/** The request to `url` that an operation of the document describes. */
export async function makeRequestTo(
  url: string,
  served: ServedApi,
  operation: Operation,
  options: EngineOptions,
  wish: Wish = NO_WISH
): Promise<OutgoingCall> {
  const content = await makeBody(served, operation, options, wish)
  return {
    url: withQuery(url, served, operation),
    method: operation.method,
    headers: {
      ...parameterValues(served, operation, 'header'),
      ...cookieHeader(parameterValues(served, operation, 'cookie')),
      ...(content === undefined ? {} : { 'content-type': content.type })
    },
    body: content?.text
  }
}

async function makeBody(
  served: ServedApi,
  { requestBody }: Operation,
  { dynamic, seed, ignoreExamples, fillProperties }: EngineOptions,
  { example, body, type: wanted }: Wish
) {
  const contents = requestBody?.contents ?? []
  const media = contents.find(({ type }) => type === wanted) ?? contents[0]
  const making: ContentOptions = {
    ...{ example, dynamic, seed, ignoreExamples, fillProperties },
    side: 'request'
  }
  const made = body === undefined && media ? await makeContent(served, media, making) : undefined
  const value = body === undefined ? made?.value : body
  if (value === undefined) return undefined
  const type = wanted ?? concreteType(media?.type ?? 'application/json', value)
  const writeXml = createXmlWriter(served.document, media?.schema)
  return { type, text: writeBody(type, value, writeXml).toString() }
}

/** Values of parameters that are required or have an example. */
function parameterValues(
  served: ServedApi,
  { parameters }: Operation,
  location: Parameter['in']
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const parameter of parameters) {
    const { name, required, examples } = parameter
    if (parameter.in !== location || (!required && examples.length === 0)) continue
    const text = parameterText(served, parameter)
    if (text === undefined || (location === 'header' && !isSendable(name.toLowerCase()))) continue
    values[location === 'header' ? name.toLowerCase() : name] = text
  }
  return values
}

function parameterText(served: ServedApi, parameter: Parameter): string | undefined {
  const { examples, schema, explode, content } = parameter
  const own = [...examples, ...(content?.examples ?? [])].find(({ value }) => value !== undefined)
  if (own !== undefined) return writeHeader(own.value, explode)
  const described = schema ?? content?.schema
  if (described === undefined) return undefined
  return writeHeader(sample(served, described, 'request', 'parameter'), explode)
}

/** Adds query parameters; the rest of the URL stays unchanged. */
function withQuery(url: string, served: ServedApi, operation: Operation): string {
  const values = parameterValues(served, operation, 'query')
  const more = new URLSearchParams(values).toString()
  if (more === '') return url
  const [location, fragment = ''] = url.split(/(?=#)/, 2)
  return `${location}${url.includes('?') ? '&' : '?'}${more}${fragment}`
}

function cookieHeader(cookies: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
  return pairs.length === 0 ? {} : { cookie: pairs.join('; ') }
}
