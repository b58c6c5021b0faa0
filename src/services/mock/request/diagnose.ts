import type { Diagnostic } from '../message.ts'
import type { Violation } from '../schema/schemas.ts'

export type Speaker = 'Request' | 'Response'
export type DiagnosticLocation = 'body' | 'query' | 'path' | 'header' | 'cookie'

/** A violation of a schema in the words that clients know; `prefix` is where its value stands. */
export function diagnose(
  { path, keyword, message, params }: Violation,
  speaker: Speaker,
  location: DiagnosticLocation,
  prefix: readonly string[] = []
): Diagnostic {
  const whole = [...prefix, ...path]
  const text = `${message}${suffixOf(keyword, params)}`
  return fault(speaker, location, whole, keyword, text)
}

/** Beyond this many nobody reads on, and the answer would outgrow the request. */
const MAX_REPORTED = 1000

export function report(
  violations: readonly Violation[],
  diagnostics: Diagnostic[],
  location: DiagnosticLocation,
  prefix?: readonly string[]
): void {
  for (const violation of violations.slice(0, MAX_REPORTED)) {
    diagnostics.push(diagnose(violation, 'Request', location, prefix))
  }
}

/** Anything else that is wrong at a place. */
export function fault(
  speaker: Speaker,
  location: DiagnosticLocation,
  path: readonly string[],
  code: string,
  text: string
): Diagnostic {
  const noun = location === 'body' ? 'property' : 'parameter'
  const subject = path.length === 0 ? '' : ` ${noun} ${path.join('.')}`
  return {
    location: [location, ...path],
    severity: 'Error',
    code,
    message: `${speaker} ${location}${subject} ${text}`
  }
}

function suffixOf(keyword: string, params: Readonly<Record<string, unknown>>): string {
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    return `: ${params.allowedValues.map(show).join(', ')}`
  }
  if (keyword === 'additionalProperties') return `; found '${params.additionalProperty}'`
  if (keyword === 'unevaluatedProperties') return `: '${params.unevaluatedProperty}'`
  return ''
}

function show(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
