import type { Incoming, Outgoing } from '../message.ts'
import { toHeaderText } from '../response/header-values.ts'

/** Whether the request is a CORS preflight, which is answered for any path. */
export function isPreflight({ method, headers }: Incoming): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

export function handlePreflight({ headers }: Incoming): Outgoing {
  const method = toHeaderText(String(headers['access-control-request-method']))
  return {
    status: 204,
    headers: { 'access-control-allow-methods': method, vary: 'origin', 'content-length': '0' },
    body: undefined
  }
}

const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': '*'
}

/** Adds CORS headers; headers that the response already has take precedence. */
export function addCors({ headers: sent }: Incoming, headers: Outgoing['headers']) {
  const { origin } = sent
  const wanted = sent['access-control-request-headers']
  if (origin === undefined && wanted === undefined) return { ...OPEN, ...headers }
  return {
    ...OPEN,
    ...(origin === undefined ? {} : { 'access-control-allow-origin': toHeaderText(origin) }),
    ...(wanted === undefined ? {} : { 'access-control-allow-headers': toHeaderText(wanted) }),
    ...headers
  }
}
