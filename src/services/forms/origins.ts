import type { FormResponse } from './contract.ts'

type Origin = string | null | undefined

/** A request without `Origin` was not sent by a web page of another origin and is allowed. */
export function isOriginNotAllowed(origin: Origin, origins: readonly string[]): boolean {
  return typeof origin === 'string' && !isAllowed(origin, origins)
}

function isAllowed(origin: string, origins: readonly string[]): boolean {
  return origins.includes(origin) || origins.includes('*')
}

/** Other origins get a response too, but without the CORS headers that let a page read it. */
export function withCors(
  response: FormResponse,
  origin: Origin,
  origins: readonly string[]
): FormResponse {
  if (origins.length === 0) return response
  const headers = { ...response.headers, vary: 'Origin' }
  if (typeof origin !== 'string' || !isAllowed(origin, origins)) return { ...response, headers }
  return { ...response, headers: { ...headers, 'access-control-allow-origin': origin } }
}
