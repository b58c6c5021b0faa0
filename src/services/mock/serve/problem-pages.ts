import type { IncomingMessage } from 'node:http'
import type { PresentError } from '../../../kernel/errors.ts'
import { PROBLEM_TYPE, type Problem, type ProblemName } from '../contract.ts'
import type { Exchange, OutgoingResponse } from '../engine/exchange.ts'
import { explain } from './malformed.ts'

/** The response to send for an exchange that ended with a problem. */
export type ProblemPages = (
  request: IncomingMessage,
  exchange: Exchange
) => OutgoingResponse | Promise<OutgoingResponse>

/** Problems of URLs without an operation. Other problems are of an operation and stay as they are. */
const UNROUTED: readonly ProblemName[] = [
  'NO_RESOURCE_PROVIDED_ERROR',
  'NO_PATH_MATCHED_ERROR',
  'NO_METHOD_MATCHED_ERROR',
  'NO_SERVER_CONFIGURATION_PROVIDED_ERROR',
  'NO_SERVER_MATCHED_ERROR'
]

/** Shows people who open a URL without an operation the way to the admin pages. */
export function createProblemPages(present: PresentError): ProblemPages {
  return (request, { outgoing, problem }) => {
    if (problem === undefined || !isUnchanged(outgoing, problem)) return outgoing
    const { status, body, headers } = outgoing
    const rendered = {
      status,
      type: PROBLEM_TYPE,
      body: body ?? '',
      headers: headers.vary === undefined ? {} : { vary: String(headers.vary) },
      explanation: explain(problem.body)
    }
    const presented = present(request, request.url ?? '/', rendered)
    if (!(presented instanceof Promise)) return outgoing
    return presented.then((page) => ({
      status: page.status,
      headers: { ...headers, ...page.headers, 'content-type': page.type },
      body: Buffer.from(page.body)
    }))
  }
}

/** Whether no rule or hook has replaced the problem. */
function isUnchanged({ status, headers, body }: OutgoingResponse, problem: Problem): boolean {
  return (
    UNROUTED.includes(problem.code) &&
    status === problem.status &&
    headers['content-type'] === PROBLEM_TYPE &&
    body !== undefined &&
    Buffer.from(body).toString() === JSON.stringify(problem.body)
  )
}
