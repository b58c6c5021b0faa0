import type { ErrorObject } from 'ajv'
import { splitPointer } from '../../../kernel/json-pointer.ts'

export interface Violation {
  /** Names and indexes from the root of the value, unescaped. */
  path: string[]
  keyword: string
  message: string
  params: Record<string, unknown>
}

/** An error of `if` only names the branch that was taken; that branch has its own violation. */
const NOISE = new Set(['if'])

export function readViolations(errors: readonly ErrorObject[]): Violation[] {
  const telling = errors.filter(({ keyword }) => !NOISE.has(keyword))
  const seen = new Set<string>()
  return (telling.length > 0 ? telling : errors).map(readViolation).filter((violation) => {
    // Several branches may report the same violation.
    const key = JSON.stringify(violation)
    return !seen.has(key) && seen.add(key)
  })
}

function readViolation({ instancePath, keyword, message, params }: ErrorObject): Violation {
  return {
    path: splitPointer(instancePath),
    keyword,
    message: message ?? `fails ${keyword}`,
    params
  }
}
