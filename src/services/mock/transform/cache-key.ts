import { type Expression, evaluate } from '../expression/expression.ts'
import type { ExpressionContext } from '../expression/expression-context.ts'
import type { Rule } from './rule.ts'

/**
 * Key of what rules make of a response: requests with the same key get the same result. Undefined
 * if the key would be too long.
 */
export type TransformCacheKey = (subject: ExpressionContext) => string | undefined

/**
 * Kinds of expressions whose results can be cached: the key contains values of the request head,
 * and the response is known.
 */
type Kinds = readonly Expression['kind'][]
const OF_THE_HEAD: Kinds = ['url', 'method', 'path', 'query', 'requestHeader']
const OF_THE_RESPONSE: Kinds = ['statusCode', 'responseHeader', 'responseBody']
const MAX_LENGTH = 500

/** Undefined if the rules may have another result each time. */
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

/** Starts with the type, because `7` and `"7"` are filled in differently. */
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
