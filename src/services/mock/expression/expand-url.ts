import { evaluate, parseExpression, toText } from './expression.ts'
import type { ExpressionContext } from './expression-context.ts'

const EXPRESSION = /\{(\$[^{}]+)\}/g

/**
 * The URL of a callback: a template with `{$…}`, or one bare expression. An invalid expression
 * becomes an empty string, as in Prism.
 */
export function expandUrl(template: string, subject: ExpressionContext): string {
  if (template.startsWith('$')) return fill(template, subject)
  return template.replace(EXPRESSION, (_, text: string) => fill(text, subject))
}

/** The expressions of such a URL, with their dollar sign and without braces. */
export function expressionsIn(template: string): string[] {
  if (template.startsWith('$')) return [template]
  return [...template.matchAll(EXPRESSION)].map(([, text = '']) => text)
}

function fill(text: string, subject: ExpressionContext): string {
  const expression = parseExpression(text)
  return expression === undefined ? '' : toText(evaluate(expression, subject))
}
