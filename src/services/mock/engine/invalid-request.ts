import { Problem } from '../contract.ts'
import type { Diagnostic } from '../message.ts'
import type { RequestCheck } from '../request/check.ts'
import { CODINGS } from '../request/decode-body.ts'
import { isError } from '../response/report.ts'

/** Statuses for an invalid request, best first; undefined if the request is valid. */
export function expectedStatuses(diagnostics: readonly Diagnostic[]): number[] | undefined {
  const errors = diagnostics.filter(isError)
  if (errors.length === 0) return undefined
  if (errors.some(({ code }) => code === 401)) return [401]
  if (errors.some(({ code }) => code === 415)) return [415, 422, 400]
  return [422, 400]
}

/** Problem for an invalid request if the document defines no response for this case. */
export function rejectionOf(check: RequestCheck): Problem {
  const errors = check.diagnostics.filter(isError)
  if (errors.some(({ code }) => code === 401)) return unauthorized(check)
  const wrongType = errors.find(({ code }) => code === 415)
  if (wrongType !== undefined) {
    const headers = wrongType.location.includes('content-encoding')
      ? { 'accept-encoding': CODINGS }
      : {}
    return new Problem('INVALID_CONTENT_TYPE', wrongType.message, { headers })
  }
  return unprocessable(errors)
}

export function unauthorized({ challenges }: RequestCheck): Problem {
  const challenge = challenges.join(',')
  const detail =
    'The request satisfies none of the security requirements of this operation, and the document defines no response for this case.'
  if (challenge === '') return new Problem('UNAUTHORIZED', detail)
  return new Problem('UNAUTHORIZED', detail, {
    members: { headers: { 'WWW-Authenticate': challenge } },
    headers: { 'www-authenticate': challenge }
  })
}

export function unprocessable(errors: readonly Diagnostic[]): Problem {
  const count = errors.length === 1 ? 'one rule' : `${errors.length} rules`
  return new Problem(
    'UNPROCESSABLE_ENTITY',
    `The request violates ${count} of the document, and the document defines no response for this case.`,
    { members: { validation: errors } }
  )
}

export function violations(diagnostics: readonly Diagnostic[]): Problem {
  return new Problem(
    'VIOLATIONS',
    'The response violates the document, and --errors turns such responses into errors.',
    { members: { validation: diagnostics } }
  )
}
