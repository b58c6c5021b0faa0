import { isJson } from '../../../kernel/media-type.ts'
import { writeJson } from '../document/exact-integers.ts'
import type { Json } from '../document/json.ts'
import type { Operation, ResponseHeader, ResponseModel } from '../model/api.ts'
import type { ServedApi } from '../served-api.ts'
import { type ContentOptions, random, sample } from './content-value.ts'
import { isSendable, toHeaderText, writeHeader } from './header-values.ts'

export type Headers = Record<string, string>

/** Creates the headers that the document describes for a response. */
export function makeHeaders(
  served: ServedApi,
  operation: Operation,
  { headers }: ResponseModel,
  making: ContentOptions
): Headers {
  // Without a prototype, so that a header may have any name.
  const made: Headers = Object.create(null)
  if (operation.deprecated) made.deprecation = 'true'
  for (const header of headers) {
    if (!isSendable(header.name)) continue
    const text = makeText(served, header, making)
    if (text !== undefined) made[header.name] = text
  }
  return made
}

function makeText(
  served: ServedApi,
  header: ResponseHeader,
  making: ContentOptions
): string | undefined {
  const { content, explode } = header
  const value = makeValue(served, header, making)
  if (content === undefined || !isJson(content.type)) return writeHeader(value, explode)
  return value === undefined ? undefined : toHeaderText(writeJson(value))
}

function makeValue(
  served: ServedApi,
  { examples, schema, content }: ResponseHeader,
  making: ContentOptions
): Json | undefined {
  const own = [...examples, ...(content?.examples ?? [])].find(({ value }) => value !== undefined)
  if (own !== undefined) return own.value
  const described = schema ?? content?.schema
  if (described === undefined) return undefined
  return making.dynamic
    ? random(served, described, making, 'header')
    : sample(served, described, making.side, 'header')
}
