import { isJson } from '../../../kernel/media-type.ts'
import { arrayAt, isObject, memberOf } from '../document/json.ts'
import { findAt, parsePointer } from '../document/pointer.ts'
import type { Diagnostic } from '../message.ts'
import type { ResponseHeader, ResponseModel } from '../model/api.ts'
import { createResolve } from '../model/resolve.ts'
import { diagnose } from '../request/diagnose.ts'
import type { ServedApi } from '../served-api.ts'
import type { Judged } from './judged.ts'

/** OpenAPI describes it with the content. */
const IGNORED = 'content-type'

export function checkHeaders(
  served: ServedApi,
  { headers }: ResponseModel,
  sent: Judged['headers']
): Diagnostic[] {
  if (headers.length === 0) return []
  return headers
    .filter(({ name }) => name !== IGNORED)
    .flatMap((header) => {
      // A header may be named `constructor`, so only own members are read.
      const own = Object.hasOwn(sent, header.name) ? sent[header.name] : undefined
      return checkHeader(served, header, own)
    })
}

function checkHeader(
  { schemas, document }: ServedApi,
  header: ResponseHeader,
  sent: string | readonly string[] | undefined
): Diagnostic[] {
  const { name, required, content } = header
  if (sent === undefined) return required ? [missing(name)] : []
  const pointer = header.schema ?? content?.schema
  const found = pointer === undefined ? undefined : schemas.find(`#${pointer}`, 'response')
  if (pointer === undefined || !found?.ok) return []
  const text = typeof sent === 'string' ? sent : sent.join(',')
  if (content !== undefined) {
    const value = isJson(content.type) ? parseJson(text) : text
    return found.compiled.validate(value).map(diagnoseHeader)
  }
  const value = readSimple(text, typesOf(document, pointer), header.explode)
  return found.compiled.coerce(value).violations.map(diagnoseHeader)

  function diagnoseHeader(violation: Parameters<typeof diagnose>[0]): Diagnostic {
    return diagnose(violation, 'Response', 'header', [name])
  }
}

function missing(name: string): Diagnostic {
  return {
    location: ['header', name],
    severity: 'Error',
    code: 'required',
    message: `Response header must have required property '${name}'`
  }
}

/** Invalid JSON is returned as a string, which the schema then rejects. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

function typesOf(document: ServedApi['document'], pointer: string): readonly unknown[] {
  const node = createResolve(document)(findAt(document, parsePointer(pointer)), pointer)?.node
  const type = memberOf(node, 'type')
  if (type !== undefined) return Array.isArray(type) ? type : [type]
  if (memberOf(node, 'items') !== undefined) return ['array']
  return isObject(memberOf(node, 'properties')) || arrayAt(node, 'required').length > 0
    ? ['object']
    : []
}

/** Reads style `simple`. */
function readSimple(text: string, types: readonly unknown[], explode: boolean): unknown {
  const parts = text.split(',').map((part) => part.trim())
  if (types.includes('array')) return text === '' ? [] : parts
  if (!types.includes('object')) return text
  const pairs = explode
    ? parts.map((part) => part.split('=', 2))
    : parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1]]] : []))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]))
}
