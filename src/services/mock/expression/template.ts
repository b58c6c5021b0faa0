import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { type Expression, evaluate, parseExpression, toText } from './expression.ts'
import type { ExpressionContext } from './expression-context.ts'

/** A value of a rules file whose expressions can be filled in. */
export interface Template {
  fill: (subject: ExpressionContext) => Json
  /** Whether the value contains no expressions. */
  isConstant: boolean
  expressions: readonly Expression[]
}

/** An invalid string in a rules file. */
export class TemplateFault extends Error {
  /** Position inside the value. */
  readonly tokens: readonly string[]

  constructor(message: string, tokens: readonly string[]) {
    super(message)
    this.tokens = tokens
  }
}

const MAX_TEXT_LENGTH = 1_000_000
const NO_EXPRESSIONS: readonly Expression[] = []

/** Strings may contain expressions; names of members may not. */
export function compileTemplate(value: Json, tokens: readonly string[] = []): Template {
  if (typeof value === 'string') return compileText(value, tokens)
  if (Array.isArray(value)) return compileList(value, tokens)
  return isObject(value) ? compileObject(value, tokens) : constant(value)
}

function constant(value: Json): Template {
  return { fill: () => value, isConstant: true, expressions: NO_EXPRESSIONS }
}

function compileList(list: readonly Json[], tokens: readonly string[]): Template {
  const items = list.map((item, index) => compileTemplate(item, [...tokens, String(index)]))
  if (items.every(({ isConstant }) => isConstant)) return constant([...list])
  return {
    fill: (subject) => items.map((item) => item.fill(subject)),
    isConstant: false,
    expressions: items.flatMap(({ expressions }) => expressions)
  }
}

function compileObject(object: JsonObject, tokens: readonly string[]): Template {
  const members = Object.entries(object).map(
    ([name, value]) => [name, compileTemplate(value, [...tokens, name])] as const
  )
  if (members.every(([, { isConstant }]) => isConstant)) return constant(object)
  // `fromEntries` preserves a member named `__proto__` but is slower.
  const isUsual = members.every(([name]) => name !== '__proto__')
  return {
    fill: (subject) =>
      isUsual
        ? fillMembers(members, subject)
        : Object.fromEntries(members.map(([name, member]) => [name, member.fill(subject)])),
    isConstant: false,
    expressions: members.flatMap(([, { expressions }]) => expressions)
  }
}

function fillMembers(
  members: readonly (readonly [string, Template])[],
  subject: ExpressionContext
): JsonObject {
  const filled: JsonObject = {}
  for (const [name, member] of members) filled[name] = member.fill(subject)
  return filled
}

/** An expression inside a string. */
interface Part {
  expression: Expression
  /** Value to use if the expression is undefined or null. */
  otherwise: Json
}

/** `{$request.query.q|default}`: a single expression keeps its type, and `{$$…}` is an escape. */
function compileText(text: string, tokens: readonly string[]): Template {
  if (!text.includes('{$')) return constant(text)
  const parts = splitText(text, tokens)
  const filled = parts.filter((part) => typeof part !== 'string')
  const [only] = parts
  if (filled.length === 0) return constant(parts.join(''))
  const expressions = filled.map(({ expression }) => expression)
  if (parts.length === 1 && only !== undefined && typeof only !== 'string') {
    return { fill: (subject) => fillPart(only, subject), isConstant: false, expressions }
  }
  return { fill: (subject) => join(parts, subject), isConstant: false, expressions }
}

function splitText(text: string, tokens: readonly string[]): (string | Part)[] {
  const parts: (string | Part)[] = []
  let from = 0
  for (let open = text.indexOf('{$'); open !== -1; open = text.indexOf('{$', from)) {
    const close = text.indexOf('}', open)
    if (close === -1)
      throw new TemplateFault(`${text.slice(open, open + 40)} is not closed`, tokens)
    if (open > from) parts.push(text.slice(from, open))
    const inner = text.slice(open + 1, close)
    parts.push(inner.startsWith('$$') ? `{${inner.slice(1)}}` : readPart(inner, tokens))
    from = close + 1
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

function readPart(inner: string, tokens: readonly string[]): Part {
  const bar = inner.indexOf('|')
  const source = bar === -1 ? inner : inner.slice(0, bar)
  const expression = parseExpression(source)
  if (expression === undefined) {
    throw new TemplateFault(`{${source.slice(0, 80)}} is not a known expression`, tokens)
  }
  return { expression, otherwise: bar === -1 ? null : readDefault(inner.slice(bar + 1)) }
}

/** `|1` is a number, `|"1"` and `|one` are strings. */
function readDefault(text: string): Json {
  if (!/^(?:-?\d|true$|false$|null$|")/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

function fillPart({ expression, otherwise }: Part, subject: ExpressionContext): Json {
  return (evaluate(expression, subject) as Json | undefined) ?? otherwise
}

function join(parts: readonly (string | Part)[], subject: ExpressionContext): string {
  let text = ''
  for (const part of parts) {
    text += typeof part === 'string' ? part : toText(fillPart(part, subject))
    if (text.length > MAX_TEXT_LENGTH) return text.slice(0, MAX_TEXT_LENGTH)
  }
  return text
}
