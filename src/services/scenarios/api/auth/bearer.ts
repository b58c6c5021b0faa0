import type { IncomingMessage } from 'node:http'
import { bearerToken } from '../../../../kernel/admin.ts'

export const ACCESS_COOKIE = 'nonet_access'
export const REFRESH_COOKIE = 'nonet_refresh'

export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = part.trim().split('=')
    if (key === name) return value.join('=') || undefined
  }
  return undefined
}

/** Token of a request: from the header, otherwise from our cookie. */
export function tokenOf(request: IncomingMessage): string | undefined {
  return bearerToken(request.headers) ?? cookieOf(request, ACCESS_COOKIE)
}

/** Everything in a request that names its sender; undefined if there is nothing. */
export function credentialOf(request: IncomingMessage): string | undefined {
  const { authorization, 'x-api-key': key } = request.headers
  const given = [authorization, cookieOf(request, ACCESS_COOKIE), key]
  return given.every((value) => value === undefined) ? undefined : JSON.stringify(given)
}

export function hasToken(request: IncomingMessage): boolean {
  return request.headers.authorization !== undefined || tokenOf(request) !== undefined
}
