import type { FastifyError } from 'fastify'
import type { Rendered } from '../../../kernel/failures.ts'
import { PROBLEM_TYPE, Problem } from '../contract.ts'

/** What the HTTP parser refuses never reaches an engine; its status is kept. */
export function renderMalformed(error: FastifyError): Rendered {
  const status = error.statusCode ?? 500
  const problem =
    status < 500
      ? new Problem('MALFORMED_REQUEST', `${error.message}.`)
      : new Problem('UNKNOWN', 'nonet met something that it did not foresee; see its log.')
  return { status, type: PROBLEM_TYPE, body: JSON.stringify({ ...problem.body, status }) }
}
