import type { IncomingMessage } from 'node:http'
import { bearerToken, constantTimeEqual, formKeyOf } from '../kernel/admin.ts'
import { isKnownHost } from '../kernel/base-url.ts'
import { isForwarded } from '../kernel/forwarded.ts'
import type { Kernel } from '../kernel/service.ts'
import type { Configuration } from './configuration-reader.ts'
import { isExposed, knownHosts } from './exposure.ts'
import type { OwnCookies } from './own-cookies.ts'

/** Who may use the routes of operators, and until when. */
export type Access = Pick<
  Kernel,
  | 'now'
  | 'loopback'
  | 'isKnownHost'
  | 'isFromOutside'
  | 'isAdmin'
  | 'isAdminToken'
  | 'formKey'
  | 'sessionCookies'
>

export function createAccess(
  configuration: Configuration,
  token: string,
  cookies: OwnCookies
): Access {
  const loopback = !isExposed(configuration)
  const hosts = knownHosts(configuration)
  const isFromOutside = (request: IncomingMessage) => !loopback || isForwarded(request)
  const isAdminToken = (given: string | undefined) => constantTimeEqual(given, token)
  return {
    now: () => new Date(),
    loopback,
    isKnownHost: (host) => isKnownHost(host, hosts),
    isFromOutside,
    isAdmin: (request) => !isFromOutside(request) || isAdminToken(bearerToken(request.headers)),
    isAdminToken,
    formKey: formKeyOf(token),
    sessionCookies: cookies.sessionCookies
  }
}
