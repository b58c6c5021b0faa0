import { PROBLEM_TYPE, type Problem } from '../contract.ts'
import type { Outgoing } from '../message.ts'
import { toHeaderText } from './header-values.ts'

export function renderProblem(problem: Problem): Outgoing {
  const headers: Outgoing['headers'] = { 'content-type': PROBLEM_TYPE }
  for (const [name, value] of Object.entries(problem.headers)) {
    headers[name.toLowerCase()] = toHeaderText(value)
  }
  return { status: problem.status, headers, body: Buffer.from(JSON.stringify(problem.body)) }
}
