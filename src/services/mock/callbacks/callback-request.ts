import type { EngineOptions } from '../engine/options.ts'
import { fillAddress } from '../expression/address.ts'
import type { Subject } from '../expression/subject.ts'
import type { Callback, Operation, Parameter } from '../model/api.ts'
import { concreteType, writeBody } from '../response/body-text.ts'
import { type Making, makeContent, sample } from '../response/content-value.ts'
import { isSendable, writeHeader } from '../response/header-values.ts'
import { createXmlWriter } from '../response/xml.ts'
import type { ServedApi } from '../served-api.ts'

export interface CallbackRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: string | undefined
}

/** The request that a callback of the document asks for. */
export function makeCallbackRequest(
  served: ServedApi,
  { expression, operation }: Callback,
  subject: Subject,
  options: EngineOptions
): CallbackRequest {
  const content = makeBody(served, operation, options)
  const url = withQuery(fillAddress(expression, subject), served, operation)
  return {
    url,
    method: operation.method,
    headers: {
      ...parameterValues(served, operation, 'header'),
      ...cookieHeader(parameterValues(served, operation, 'cookie')),
      ...(content === undefined ? {} : { 'content-type': content.type })
    },
    body: content?.text
  }
}

function makeBody(served: ServedApi, { requestBody }: Operation, options: EngineOptions) {
  const media = requestBody?.contents[0]
  if (media === undefined) return undefined
  const { dynamic, seed, ignoreExamples, fillProperties } = options
  const making: Making = {
    example: undefined,
    dynamic,
    seed,
    ignoreExamples,
    fillProperties,
    side: 'request'
  }
  const { value } = makeContent(served, media, making)
  if (value === undefined) return undefined
  const type = concreteType(media.type, value)
  const writeXml = createXmlWriter(served.document, media.schema)
  return { type, text: writeBody(type, value, writeXml).toString() }
}

/** Those that must be there, and those that the author shows a value for. */
function parameterValues(
  served: ServedApi,
  { parameters }: Operation,
  place: Parameter['in']
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const parameter of parameters) {
    const { name, required, examples } = parameter
    if (parameter.in !== place || (!required && examples.length === 0)) continue
    const text = parameterText(served, parameter)
    if (text === undefined || (place === 'header' && !isSendable(name.toLowerCase()))) continue
    values[place === 'header' ? name.toLowerCase() : name] = text
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

/** What the expression gave stays as it is. */
function withQuery(address: string, served: ServedApi, operation: Operation): string {
  const values = parameterValues(served, operation, 'query')
  const more = new URLSearchParams(values).toString()
  if (more === '') return address
  const [place, fragment = ''] = address.split(/(?=#)/, 2)
  return `${place}${address.includes('?') ? '&' : '?'}${more}${fragment}`
}

function cookieHeader(cookies: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
  return pairs.length === 0 ? {} : { cookie: pairs.join('; ') }
}
