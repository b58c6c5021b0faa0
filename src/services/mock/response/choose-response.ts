import { Problem } from '../contract.ts'
import type { Operation, ResponseModel } from '../model/api.ts'

export interface Choice {
  response: ResponseModel
  status: number
}

/** A status below this is not a final response: the client would continue to wait. */
const LOWEST_FINAL_STATUS = 200
const DEFAULT_STATUS = 200

/** The response of the document for a status: the exact code, its range, otherwise `default`. */
export function findResponse(
  responses: readonly ResponseModel[],
  status: number
): ResponseModel | undefined {
  const wanted = String(status)
  return (
    responses.find(({ code }) => code === wanted) ??
    responses.find(({ code }) => code === `${wanted[0]}XX`) ??
    responses.find(({ code }) => code === 'default')
  )
}

export function chooseForced({ responses }: Operation, code: number): Choice {
  if (code < LOWEST_FINAL_STATUS) {
    throw new Problem('NOT_FOUND', `Status ${code} cannot be the final response to a request.`)
  }
  const response = findResponse(responses, code)
  if (response === undefined) {
    const known = responses.map((each) => each.code).join(', ') || 'none'
    throw new Problem(
      'NOT_FOUND',
      `The document defines no response ${code} for this operation; it defines ${known}.`
    )
  }
  return { response, status: code }
}

/** The lowest success, otherwise `default`, otherwise the first usable response. */
export function chooseUsual({ responses, method, path }: Operation): Choice {
  const usable = responses.filter(({ code }) => code === 'default' || isFinal(code))
  const success = usable
    .filter(({ code }) => code.startsWith('2'))
    .sort((one, other) => (one.code < other.code ? -1 : 1))[0]
  const response = success ?? usable.find(({ code }) => code === 'default') ?? usable[0]
  if (response === undefined) {
    throw new Problem(
      'NO_RESPONSE_RESPONSE_DEFINED',
      `The document defines no usable response for ${method} ${path}.`
    )
  }
  return { response, status: statusOf(response.code) }
}

/** The first expected status that is documented, otherwise `default` with the first of them. */
export function chooseRejection(
  { responses }: Operation,
  expected: readonly number[]
): Choice | undefined {
  for (const status of expected) {
    const response = findResponse(responses, status)
    if (response !== undefined && response.code !== 'default') return { response, status }
  }
  const fallback = responses.find(({ code }) => code === 'default')
  const [first] = expected
  return fallback && first !== undefined ? { response: fallback, status: first } : undefined
}

function isFinal(code: string): boolean {
  return /^[2-9](?:\d\d|XX)$/.test(code)
}

function statusOf(code: string): number {
  return code === 'default' ? DEFAULT_STATUS : Number(code.replace('XX', '00'))
}
