import type { Diagnostic } from '../message.ts'
import type { SecurityRequirement, SecurityScheme } from '../model/api.ts'
import {
  type Credentials,
  checkAnonymous,
  createSchemeCheck,
  describeScheme,
  type SchemeCheck
} from './schemes.ts'

export interface SecurityVerdict {
  diagnostics: readonly Diagnostic[]
  challenges: readonly string[]
}

export type SecurityCheck = (credentials: Credentials) => SecurityVerdict

const NOTHING: SecurityVerdict = { diagnostics: [], challenges: [] }

const UNAUTHORIZED: Diagnostic = {
  location: [],
  severity: 'Error',
  code: 401,
  message: 'Invalid security scheme used'
}

/** Passes if one of the requirements is satisfied completely. */
export function createSecurityCheck(
  requirements: readonly SecurityRequirement[]
): SecurityCheck | undefined {
  if (requirements.length === 0) return undefined
  const entries = requirements.map(createEntry)
  return function checkSecurity(credentials) {
    const challenges = new Set<string>()
    for (const { checks, remarks } of entries) {
      if (passes(checks, credentials, challenges)) {
        return remarks.length === 0 ? NOTHING : { diagnostics: remarks, challenges: [] }
      }
    }
    return { diagnostics: [UNAUTHORIZED], challenges: [...challenges] }
  }
}

function passes(
  checks: readonly SchemeCheck[],
  credentials: Credentials,
  challenges: Set<string>
): boolean {
  let all = true
  for (const check of checks) {
    const verdict = check(credentials)
    if (verdict.passes) continue
    all = false
    if (verdict.challenge !== undefined) challenges.add(verdict.challenge)
  }
  return all
}

interface Entry {
  checks: readonly SchemeCheck[]
  /** Warnings about schemes that cannot be validated. */
  remarks: readonly Diagnostic[]
}

function createEntry(requirement: SecurityRequirement): Entry {
  if (requirement.length === 0) return { checks: [checkAnonymous], remarks: [] }
  const checks = requirement.map(createSchemeCheck)
  return {
    checks: checks.filter((check) => check !== undefined),
    remarks: requirement.filter((_, index) => checks[index] === undefined).map(remarkOn)
  }
}

function remarkOn(scheme: SecurityScheme): Diagnostic {
  const message = `Security scheme of an unknown type was not validated: ${describeScheme(scheme)}`
  return { location: [], severity: 'Warning', message }
}
