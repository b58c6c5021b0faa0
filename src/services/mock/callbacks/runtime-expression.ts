import { isObject, type Json } from '../document/json.ts'
import { findAt, parsePointer } from '../document/pointer.ts'
import type { Incoming } from '../message.ts'

/** What expressions of OpenAPI may speak of. */
export interface Subject {
  /** As the client called it. */
  url: string
  incoming: Incoming
  /** Path parameters by name in lower case. */
  path: Readonly<Record<string, unknown>>
  /** First value of a query parameter. */
  query: (name: string) => string | undefined
  requestBody: unknown
  status: number
  responseHeaders: Readonly<Record<string, string | readonly string[]>>
  responseBody: unknown
}

/** Replaces every `{$…}` of a template; a bare expression is a template of one. */
export function fillTemplate(template: string, subject: Subject): string {
  if (template.startsWith('$')) return toText(evaluate(template, subject))
  return template.replace(/\{(\$[^{}]+)\}/g, (_, expression: string) =>
    toText(evaluate(expression, subject))
  )
}

/** OpenAPI 3.1, 4.8.20.4; nothing when the expression names what is not there. */
export function evaluate(expression: string, subject: Subject): unknown {
  if (expression === '$url') return subject.url
  if (expression === '$method') return subject.incoming.method
  if (expression === '$statusCode') return subject.status
  const found = /^\$(request|response)\.(header|query|path|body)(?:\.(.+)|(#.*))?$/s.exec(
    expression
  )
  if (found === null) return undefined
  const [, side, place, name = '', fragment = '#'] = found
  return side === 'request'
    ? ofRequest(subject, place, name, fragment)
    : ofResponse(subject, place, name, fragment)
}

function ofRequest(
  { incoming, path, query, requestBody }: Subject,
  place: string | undefined,
  name: string,
  fragment: string
): unknown {
  if (place === 'header') return incoming.headers[name.toLowerCase()]
  if (place === 'query') return query(name)
  if (place === 'path') return ownMember(path, name.toLowerCase())
  return memberAt(requestBody, fragment)
}

function ofResponse(
  { responseHeaders, responseBody }: Subject,
  place: string | undefined,
  name: string,
  fragment: string
): unknown {
  if (place === 'header') return ownMember(responseHeaders, name.toLowerCase())
  return place === 'body' ? memberAt(responseBody, fragment) : undefined
}

function ownMember(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function memberAt(body: unknown, fragment: string): unknown {
  return findAt(body as Json, parsePointer(fragment.slice(1)))
}

export function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)
}
