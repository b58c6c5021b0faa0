import type { Json } from '../document/json.ts'
import { findAt, parsePointer } from '../document/pointer.ts'
import type { ExpressionContext, Generators } from './expression-context.ts'

/** A value of an exchange: OpenAPI 3.1, 4.8.20.4, and a closed set of extensions. */
export type Expression =
  | { kind: 'url' | 'method' | 'statusCode' }
  | { kind: 'path' | 'query' | 'requestHeader' | 'responseHeader'; name: string }
  | { kind: 'requestBody' | 'responseBody'; tokens: readonly string[] }
  | { kind: 'uuid' | 'now' | 'seq' }
  | { kind: 'faker'; name: string }
  | { kind: 'state'; name: string; tokens: readonly string[] }

/** Longer expressions are a mistake or an attack and are invalid. */
const MAX_LENGTH = 2000
const TOKEN = /^[\w!#$%&'*+\-.^`|~]+$/
const SOURCES: Readonly<Record<string, 'path' | 'query' | 'requestHeader' | 'responseHeader'>> = {
  'request.path': 'path',
  'request.query': 'query',
  'request.header': 'requestHeader',
  'response.header': 'responseHeader'
}

/** Parses an expression without its braces; undefined if it is invalid. */
export function parseExpression(text: string): Expression | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const word = text.slice(1)
  if (word === 'url' || word === 'method' || word === 'statusCode') return { kind: word }
  if (word === 'uuid' || word === 'now' || word === 'seq') return { kind: word }
  const body = /^(request|response)\.body(?:#(.*))?$/s.exec(word)
  if (body !== null) {
    const tokens = tokensOf(body[2])
    return tokens && { kind: body[1] === 'request' ? 'requestBody' : 'responseBody', tokens }
  }
  return parseSource(word) ?? parseOwn(word)
}

function parseSource(word: string): Expression | undefined {
  const [, source = '', name = ''] = /^(\w+\.\w+)\.(.+)$/s.exec(word) ?? []
  const kind = Object.hasOwn(SOURCES, source) ? SOURCES[source] : undefined
  if (kind === undefined) return undefined
  if (kind === 'path' || kind === 'query') return { kind, name }
  return TOKEN.test(name) ? { kind, name: name.toLowerCase() } : undefined
}

function parseOwn(word: string): Expression | undefined {
  const [, method] = /^faker\.(\w+\.\w+)$/.exec(word) ?? []
  if (method !== undefined) return { kind: 'faker', name: method }
  const [, name, pointer] = /^state\.([^#]+)(?:#(.*))?$/s.exec(word) ?? []
  const tokens = name === undefined ? undefined : tokensOf(pointer)
  return name === undefined || tokens === undefined ? undefined : { kind: 'state', name, tokens }
}

function tokensOf(pointer: string | undefined): string[] | undefined {
  if (pointer === undefined || pointer === '') return []
  return pointer.startsWith('/') ? parsePointer(pointer) : undefined
}

/** Undefined if the value does not exist. */
export function evaluate(expression: Expression, subject: ExpressionContext): unknown {
  switch (expression.kind) {
    case 'url':
      return subject.url()
    case 'method':
      return subject.method()
    case 'statusCode':
      return subject.status()
    case 'path':
      return subject.path(expression.name)
    case 'query':
      return subject.query(expression.name)
    case 'requestHeader':
      return subject.requestHeader(expression.name)
    case 'responseHeader':
      return subject.responseHeader(expression.name)
    case 'requestBody':
      return memberAt(subject.requestBody(), expression.tokens)
    case 'responseBody':
      return memberAt(subject.responseBody(), expression.tokens)
    default:
      return subject.generators && generate(expression, subject.generators)
  }
}

function generate(expression: Expression, generators: Generators): unknown {
  switch (expression.kind) {
    case 'uuid':
      return generators.uuid()
    case 'now':
      return generators.now()
    case 'seq':
      return generators.seq()
    case 'faker':
      return generators.faker(expression.name)
    case 'state':
      return memberAt(generators.state(expression.name), expression.tokens)
    default:
      return undefined
  }
}

function memberAt(body: unknown, tokens: readonly string[]): unknown {
  return body === undefined ? undefined : findAt(body as Json, tokens)
}

export function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
