import { STATUS_CODES } from 'node:http'
import type { FastifyError } from 'fastify'
import type { Rendered } from '../../../kernel/failures.ts'
import { PROBLEM_TYPE, Problem } from '../contract.ts'

/** Of the addresses below `/__nonet/`, which the original does not have. */
const OWN_CODES = [
  'FOREIGN_HOST',
  'FOREIGN_ORIGIN',
  'TOKEN_MISSING',
  'ROUTE_NOT_FOUND',
  'STATE_OFF',
  'COLLECTION_UNKNOWN'
]

/** What the HTTP parser refuses never reaches an engine; its status is kept. */
export function renderMalformed(error: FastifyError): Rendered {
  if (error instanceof Problem) return ownProblem(error)
  const status = error.statusCode ?? 500
  const body = OWN_CODES.includes(error.code) ? ownBody(error, status) : problemBody(error, status)
  // As bytes, because Fastify adds a charset to the type of a text.
  return { status, type: PROBLEM_TYPE, body: Buffer.from(JSON.stringify(body)) }
}

function ownProblem({ status, body }: Problem): Rendered {
  return { status, type: PROBLEM_TYPE, body: Buffer.from(JSON.stringify(body)) }
}

function ownBody({ code, message }: FastifyError, status: number): object {
  return { type: 'about:blank', title: STATUS_CODES[status], status, detail: message, code }
}

function problemBody({ message }: FastifyError, status: number): object {
  const problem =
    status < 500
      ? new Problem('MALFORMED_REQUEST', `${message}.`)
      : new Problem('UNKNOWN', 'nonet met something that it did not foresee; see its log.')
  return { ...problem.body, status }
}
