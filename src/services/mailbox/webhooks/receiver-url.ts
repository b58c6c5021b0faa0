import { MASK, MASK_MESSAGE } from '../api/schemas/parts.ts'

const URL_MESSAGE = 'must be an http or https URL'
export const BLOCKED_MESSAGE = 'has an IP address that nothing is sent to'

/** The URL of a receiver without its user name and password. */
export interface ReceiverUrl {
  readonly url: string
  /** `name:password`, decoded, for Basic authentication. */
  readonly user: string | undefined
}

/** What is wrong with a URL that a client sent; undefined if nothing is. */
export function urlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return URL_MESSAGE
  if (decoded(url.username) === undefined || decoded(url.password) === undefined) return URL_MESSAGE
  return [url.username, url.password].includes(MASK) ? MASK_MESSAGE : undefined
}

/** Of a URL without problems; the rest of the text stays as it was sent. */
export function splitUser(text: string): ReceiverUrl {
  const { username, password } = new URL(text)
  if (username === '' && password === '') return { url: text, user: undefined }
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return { url: url.href, user: `${decoded(username)}:${decoded(password)}` }
}

/** As responses show it. */
export function maskUrl(text: string): string {
  const { url, user } = splitUser(text)
  return user === undefined ? text : withMask(url)
}

/** The URL without a user that is shown as one that has a user. */
function withMask(url: string): string {
  return url.replace('//', `//${MASK}@`)
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
