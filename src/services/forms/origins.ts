import type { FormConfig } from './config.ts'
import type { FormResponse } from './contract.ts'

type Origin = string | null | undefined

/** The pages of this machine, on any port. */
const LOOPBACK_ORIGIN =
  /^https?:\/\/(?:localhost|[a-z\d.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

/** A request without `Origin` was not sent by a web page of another origin and is allowed. */
export function isOriginNotAllowed(origin: Origin, config: FormConfig): boolean {
  return typeof origin === 'string' && !isAllowed(origin, config)
}

/** Configured origins are a complete list: with them, the pages of this machine are not special. */
function isAllowed(origin: string, { origins = [], loopbackOrigins }: FormConfig): boolean {
  if (origins.length === 0) return loopbackOrigins === true && LOOPBACK_ORIGIN.test(origin)
  return origins.includes(origin) || origins.includes('*')
}

/** With configured origins, all pages get a response, but others one without permission. */
export function answersPreflight(origin: Origin, config: FormConfig): boolean {
  return (config.origins ?? []).length > 0 || !isOriginNotAllowed(origin, config)
}

/** Other origins get a response too, but without the CORS headers that let a page read it. */
export function withCors(response: FormResponse, origin: Origin, config: FormConfig): FormResponse {
  const isGranted = typeof origin === 'string' && isAllowed(origin, config)
  if (!isGranted && (config.origins ?? []).length === 0) return response
  const headers = { ...response.headers, vary: 'Origin' }
  if (!isGranted) return { ...response, headers }
  return { ...response, headers: { ...headers, 'access-control-allow-origin': origin } }
}
