import type { Diagnostic } from '../message.ts'
import type { Violation } from '../schema/schemas.ts'

export type Speaker = 'Request' | 'Response'
export type DiagnosticLocation = 'body' | 'query' | 'path' | 'header' | 'cookie'

/** Converts a schema violation to a diagnostic for clients; `prefix` is the path of the value. */
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

/** Maximum number of reported violations, so that a response does not outgrow the request. */
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

/** A diagnostic of any other error at a path. */
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
