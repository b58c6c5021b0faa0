import { evaluate, parseExpression, toText } from './expression.ts'
import type { ExpressionContext } from './expression-context.ts'

/**
 * The URL of a callback: a template with `{$…}`, or one bare expression. An invalid expression
 * becomes an empty string, as in Prism.
 */
export function expandUrl(template: string, subject: ExpressionContext): string {
  if (template.startsWith('$')) return fill(template, subject)
  return template.replace(/\{(\$[^{}]+)\}/g, (_, text: string) => fill(text, subject))
}

function fill(text: string, subject: ExpressionContext): string {
  const expression = parseExpression(text)
  return expression === undefined ? '' : toText(evaluate(expression, subject))
}
