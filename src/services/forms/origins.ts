import type { FormAnswer } from './contract.ts'

type Origin = string | null | undefined

/** A request without `Origin` comes from no web page and is not foreign. */
export function isForeign(origin: Origin, origins: readonly string[]): boolean {
  return typeof origin === 'string' && !isAllowed(origin, origins)
}

function isAllowed(origin: string, origins: readonly string[]): boolean {
  return origins.includes(origin) || origins.includes('*')
}

/** A foreign page's request is answered all the same; its browser keeps the answer from it. */
export function withCors(
  answer: FormAnswer,
  origin: Origin,
  origins: readonly string[]
): FormAnswer {
  if (origins.length === 0) return answer
  const headers = { ...answer.headers, vary: 'Origin' }
  if (typeof origin !== 'string' || !isAllowed(origin, origins)) return { ...answer, headers }
  return { ...answer, headers: { ...headers, 'access-control-allow-origin': origin } }
}
