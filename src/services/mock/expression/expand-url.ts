import { evaluate, parseExpression, toText } from './expression.ts'
import type { ExpressionContext } from './expression-context.ts'

/**
 * The address of a callback: a template of `{$…}`, or one bare expression. What the document
 * cannot mean gives nothing, as in the original.
 */
export function expandUrl(template: string, subject: ExpressionContext): string {
  if (template.startsWith('$')) return fill(template, subject)
  return template.replace(/\{(\$[^{}]+)\}/g, (_, text: string) => fill(text, subject))
}

function fill(text: string, subject: ExpressionContext): string {
  const expression = parseExpression(text)
  return expression === undefined ? '' : toText(evaluate(expression, subject))
}
