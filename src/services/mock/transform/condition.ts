import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json } from '../document/json.ts'
import { type Expression, evaluate, parseExpression } from '../expression/expression.ts'
import type { Template } from '../expression/template.ts'
import { compilePattern, MAX_TEXT_LENGTH } from '../schema/pattern/pattern.ts'
import type { Condition } from './rule.ts'
import type { RuleNode } from './rule-node.ts'

const OPERATORS = ['equals', 'exists', 'in', 'matches']
const MAX_DEPTH = 50
const MAX_PATTERN_LENGTH = 1000

/** Whether a value, which may be undefined, satisfies an operator. */
type Test = (value: unknown, subject: Parameters<Condition>[0]) => boolean

/** Compiles an object whose members must all be true: expressions, or `and`, `or`, `not`. */
export function compileCondition(
  node: RuleNode,
  meet: (expression: Expression) => void,
  depth = 0
): Condition {
  const { value, addFinding: complain, at } = node
  if (!isObject(value) || Object.keys(value).length === 0) {
    complain('must be an object of conditions, such as {$request.path.id: 7}')
    return never
  }
  if (depth > MAX_DEPTH) {
    complain(`is nested deeper than ${MAX_DEPTH} levels`)
    return never
  }
  const members = Object.entries(value).map(([name, member]) => {
    const inner = at(member, name)
    if (name === 'and' || name === 'or') return compileMany(inner, name, meet, depth)
    if (name === 'not') {
      const negated = compileCondition(inner, meet, depth + 1)
      return (subject: Parameters<Condition>[0]) => !negated(subject)
    }
    return compileOne(name, inner, meet)
  })
  const [first = never] = members
  return members.length === 1 ? first : (subject) => members.every((member) => member(subject))
}

const never: Condition = () => false

function compileMany(
  node: RuleNode,
  kind: 'and' | 'or',
  meet: (expression: Expression) => void,
  depth: number
): Condition {
  if (!Array.isArray(node.value) || node.value.length === 0) {
    node.addFinding('must be an array of conditions')
    return never
  }
  const parts = node.value.map((part, index) =>
    compileCondition(node.at(part, String(index)), meet, depth + 1)
  )
  return kind === 'and'
    ? (subject) => parts.every((part) => part(subject))
    : (subject) => parts.some((part) => part(subject))
}

function compileOne(
  name: string,
  node: RuleNode,
  meet: (expression: Expression) => void
): Condition {
  const text = name.startsWith('{') && name.endsWith('}') ? name.slice(1, -1) : name
  const expression = text.startsWith('$') ? parseExpression(text) : undefined
  if (expression === undefined) {
    node.addFinding('is neither an expression nor one of and, or, not')
    return never
  }
  meet(expression)
  const isBody = expression.kind === 'requestBody' || expression.kind === 'responseBody'
  const test = compileTest(node, isBody ? isSame : isAlike)
  return (subject) => test(evaluate(expression, subject), subject)
}

function compileTest(node: RuleNode, same: typeof isSame): Test {
  const { value, at } = node
  if (!isObject(value)) return equalTo(node.template(), same)
  const tests = Object.entries(value).map(([name, given]) => {
    const inner = at(given, name)
    if (name === 'equals') return equalTo(inner.template(), same)
    if (name === 'exists') return compileExists(inner)
    if (name === 'in') return compileIn(inner, same)
    if (name === 'matches') return compileMatches(inner)
    inner.addFinding(`is unknown; known operators: ${OPERATORS.join(', ')}`)
    return () => false
  })
  if (tests.length === 0) node.addFinding(`requires one of ${OPERATORS.join(', ')}`)
  return (tested, subject) => tests.every((test) => test(tested, subject))
}

function equalTo(template: Template | undefined, same: typeof isSame): Test {
  if (template === undefined) return () => false
  return (value, subject) => same(value ?? null, template.fill(subject))
}

function isSame(one: unknown, other: Json): boolean {
  return one === other || (typeof one === 'object' && isDeepStrictEqual(one, other))
}

/** Parameters and headers are strings before validation, so `7` equals `"7"`. */
function isAlike(one: unknown, other: Json): boolean {
  if (isSame(one, other)) return true
  const isText =
    typeof one === 'string' && (typeof other === 'number' || typeof other === 'boolean')
  const isNumber =
    typeof other === 'string' && (typeof one === 'number' || typeof one === 'boolean')
  return (isText || isNumber) && String(one) === String(other)
}

function compileExists({ value, addFinding: complain }: RuleNode): Test {
  if (typeof value !== 'boolean') complain('must be true or false')
  return (tested) => (tested !== undefined) === value
}

function compileIn(node: RuleNode, same: typeof isSame): Test {
  const template = node.template()
  if (!Array.isArray(node.value)) node.addFinding('must be an array')
  return (tested, subject) => {
    const list = template?.fill(subject)
    return Array.isArray(list) && list.some((item) => same(tested ?? null, item))
  }
}

/** The time is linear in the length of the string, whatever the pattern. */
function compileMatches({ value, addFinding: complain }: RuleNode): Test {
  if (typeof value !== 'string' || value.length > MAX_PATTERN_LENGTH) {
    complain(`must be a pattern of at most ${MAX_PATTERN_LENGTH} characters`)
    return () => false
  }
  try {
    const pattern = compilePattern(value)
    return (tested) => {
      if (tested === undefined || tested === null || typeof tested === 'object') return false
      const text = String(tested)
      return text.length <= MAX_TEXT_LENGTH && pattern.test(text)
    }
  } catch (error) {
    complain(`cannot be used: ${(error as Error).message}`)
    return () => false
  }
}
