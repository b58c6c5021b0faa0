export const PUPIL_COOKIE = 'nonet_pupil'
/**
 * Cookies know no ports: the path keeps this one from most requests to other servers of the host,
 * and from the API, where a page of another origin could make a browser send it.
 */
const ATTRIBUTES = 'Path=/_demo; HttpOnly; SameSite=Lax'

const SECRET = /^[\w-]{43}$/
/** Other ports of the host can set more cookies of the name. */
const MAX_COOKIES = 8

/** Values of the cookie in the header `Cookie`. */
export function pupilSecrets(cookies = ''): readonly string[] {
  const pairs = cookies.split(';').map((pair) => pair.trim().split('=', 2))
  return pairs
    .flatMap(([name, value = '']) => (name === PUPIL_COOKIE && SECRET.test(value) ? [value] : []))
    .slice(0, MAX_COOKIES)
}

/** Value of `Set-Cookie`. */
export function pupilCookie(secret: string, seconds: number, isSecure: boolean): string {
  return `${PUPIL_COOKIE}=${secret}; ${ATTRIBUTES}; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
}

/** Value of `Set-Cookie` that deletes the cookie. */
export const ENDED_PUPIL_COOKIE = `${PUPIL_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`
