import type { Diagnostic } from '../message.ts'

export const VIOLATIONS_HEADER = 'sl-violations'

/** Longer reports are cut to this length, as in Prism. */
const MAX_REPORT_LENGTH = 8092
const TOO_MANY = 'Too many violations! '

export function onSide(side: 'request' | 'response', found: readonly Diagnostic[]): Diagnostic[] {
  return found.map((each) => ({ ...each, location: [side, ...each.location] }))
}

/** A header is ASCII, so other characters are escaped as in JSON. */
export function formatReport(diagnostics: readonly Diagnostic[]): string {
  const json = JSON.stringify(diagnostics).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
  return json.length > MAX_REPORT_LENGTH ? TOO_MANY + json.slice(0, MAX_REPORT_LENGTH) : json
}

export function isError({ severity }: Diagnostic): boolean {
  return severity === 'Error'
}
