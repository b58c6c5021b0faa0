import type { FastifyError } from 'fastify'
import type { ErrorResponse } from '../../../kernel/errors.ts'
import { STATUS_CODES } from '../../../kernel/node-http.ts'
import { OWN_CODES } from '../admin/errors.ts'
import { PROBLEM_TYPE, Problem } from '../contract.ts'

/**
 * Renders errors that no engine handles, such as those of the HTTP parser; their status is kept.
 */
export function renderMalformed(error: FastifyError): ErrorResponse {
  if (error instanceof Problem) return ownProblem(error)
  const status = error.statusCode ?? 500
  const body = OWN_CODES.includes(error.code) ? ownBody(error, status) : problemBody(error, status)
  // Sent as bytes, because Fastify adds a charset to the type of a string.
  return { status, type: PROBLEM_TYPE, body: Buffer.from(JSON.stringify(body)) }
}

function ownProblem({ status, body }: Problem): ErrorResponse {
  return { status, type: PROBLEM_TYPE, body: Buffer.from(JSON.stringify(body)) }
}

/** Body for errors of the endpoints under `/__nonet/`, which Prism does not have. */
function ownBody({ code, message, validation }: FastifyError, status: number): object {
  const body = { type: 'about:blank', title: STATUS_CODES[status], status, detail: message, code }
  return validation === undefined ? body : { ...body, validation }
}

function problemBody({ message }: FastifyError, status: number): object {
  const problem =
    status < 500
      ? new Problem('MALFORMED_REQUEST', `${message}.`)
      : new Problem('UNKNOWN', 'Internal error; see the log.')
  return { ...problem.body, status }
}
