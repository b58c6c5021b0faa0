import type { FastifyError } from 'fastify'
import type { ErrorExplanation, ErrorResponse } from '../../../kernel/errors.ts'
import { STATUS_CODES } from '../../../kernel/node-http.ts'
import { OWN_CODES } from '../admin/errors.ts'
import { PROBLEM_TYPE, Problem, type ProblemBody } from '../contract.ts'

/**
 * Renders errors that no engine handles, such as those of the HTTP parser; their status is kept.
 */
export function renderMalformed(error: FastifyError): ErrorResponse {
  if (error instanceof Problem) return problemResponse(error.status, error.body)
  const status = error.statusCode ?? 500
  const isOwn = OWN_CODES.includes(error.code)
  return problemResponse(status, isOwn ? ownBody(error, status) : problemBody(error, status))
}

function problemResponse(status: number, body: ProblemBody): ErrorResponse {
  return {
    status,
    type: PROBLEM_TYPE,
    // Sent as bytes, because Fastify adds a charset to the type of a string.
    body: Buffer.from(JSON.stringify(body)),
    explanation: explain(body)
  }
}

/** What the page for people says about a problem. */
export function explain({ detail, code }: ProblemBody): ErrorExplanation {
  return { message: detail, code }
}

/** Body for errors of the endpoints under `/__nonet/`, which Prism does not have. */
function ownBody({ code, message, validation }: FastifyError, status: number): ProblemBody {
  const body = { type: 'about:blank', title: STATUS_CODES[status], status, detail: message, code }
  return validation === undefined ? body : { ...body, validation }
}

function problemBody({ message }: FastifyError, status: number): ProblemBody {
  const problem =
    status < 500
      ? new Problem('MALFORMED_REQUEST', `${message}.`)
      : new Problem('UNKNOWN', 'Internal error; see the log.')
  return { ...problem.body, status }
}
