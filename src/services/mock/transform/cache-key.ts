import { type Expression, evaluate } from '../expression/expression.ts'
import type { ExpressionContext } from '../expression/expression-context.ts'
import type { Rule } from './rule.ts'

/**
 * What rules make of one and the same answer is the same for requests with the same key; nothing
 * for a request that says too much to be remembered.
 */
export type TransformCacheKey = (subject: ExpressionContext) => string | undefined

/** A request has these from its head; the answer is known, and all else is new every time. */
type Kinds = readonly Expression['kind'][]
const OF_THE_HEAD: Kinds = ['url', 'method', 'path', 'query', 'requestHeader']
const OF_THE_RESPONSE: Kinds = ['statusCode', 'responseHeader', 'responseBody']
const MAX_LENGTH = 500

/** Nothing when the rules may do something else each time. */
export function compileTransformCacheKey(rules: readonly Rule[]): TransformCacheKey | undefined {
  const expressions = rules.flatMap((rule) => rule.expressions)
  const isRepeating =
    rules.every(
      (rule) => !rule.isWaiting && rule.steps.every(({ fault }) => fault === undefined)
    ) &&
    expressions.every(({ kind }) => OF_THE_HEAD.includes(kind) || OF_THE_RESPONSE.includes(kind))
  if (!isRepeating) return undefined
  const asked = different(expressions.filter(({ kind }) => OF_THE_HEAD.includes(kind)))
  return function keyOf(subject) {
    let key = ''
    for (const expression of asked) {
      const text = textOf(evaluate(expression, subject))
      key += `${text.length}${text}`
      if (key.length > MAX_LENGTH) return undefined
    }
    return key
  }
}

function different(expressions: readonly Expression[]): Expression[] {
  return [...new Map(expressions.map((each) => [JSON.stringify(each), each])).values()]
}

/** Begins with its type, because `7` and `"7"` are filled in differently. */
function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `s${value}`
    case 'number':
      return `n${value}`
    default:
      return value === undefined ? 'u' : `j${JSON.stringify(value)}`
  }
}
