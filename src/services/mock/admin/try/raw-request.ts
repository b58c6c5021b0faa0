import { validateHeaderName } from '../../../../kernel/node-http.ts'
import { InvalidRequest } from '../errors.ts'
import { isForAdmin } from '../reserved.ts'

/** A request that the window sends to the mock. */
export interface RawRequest {
  method: string
  /** Path and query, as in the first line of an HTTP request. */
  target: string
  /** Names as written; a name may occur more than once. */
  headers: readonly HeaderLine[]
  body: Uint8Array | undefined
}

export type HeaderLine = readonly [name: string, value: string]

/** Headers that belong to the connection; the window sets them itself. */
export const CONNECTION_HEADERS: readonly string[] = [
  ...['connection', 'content-length', 'expect', 'host', 'http2-settings', 'keep-alive'],
  ...['proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']
]

const MAX_TARGET = 8000
/** Node rejects longer headers of requests that arrive. */
const MAX_HEADER_BYTES = 16 * 1024
const METHOD = /^[!#$%&'*+.^_`|~\dA-Za-z-]{1,40}$/
/** Characters that cannot be in the first line of a request. */
const NOT_IN_TARGET = /[^\x21-\x7e]/u

/** Checks what a person wrote; throws an error that says what is wrong. */
export function checkRequest(request: RawRequest): RawRequest {
  const { method, target, headers } = request
  if (!METHOD.test(method)) throw new InvalidRequest('The method is not a word such as POST')
  if (!target.startsWith('/')) {
    throw new InvalidRequest(
      'The path has to start with a slash: requests are sent to this mock only'
    )
  }
  if (target.length > MAX_TARGET) {
    throw new InvalidRequest(`The path with its query exceeds ${MAX_TARGET} characters`)
  }
  if (isForAdmin(target)) {
    throw new InvalidRequest('Paths under /__nonet/ are not part of the mocked API')
  }
  let bytes = 0
  for (const [name, value] of headers) {
    checkHeader(name, value)
    bytes += name.length + value.length + 4
  }
  if (bytes > MAX_HEADER_BYTES) {
    throw new InvalidRequest(`The headers exceed ${MAX_HEADER_BYTES} bytes`)
  }
  return { ...request, method: method.toUpperCase(), target: encodeTarget(target) }
}

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name)
  } catch {
    throw new InvalidRequest(`The header name ${name} is not allowed in HTTP`)
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what HTTP forbids.
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) {
    throw new InvalidRequest(`The header ${name} has a control character`)
  }
}

/** People write spaces and letters of all languages, which a browser would encode. */
function encodeTarget(target: string): string {
  const [location = ''] = target.split('#', 1)
  return location.replace(new RegExp(NOT_IN_TARGET, 'gu'), (character) =>
    encodeURIComponent(character.toWellFormed())
  )
}

/** Reads lines such as `Accept: text/plain`; empty lines are ignored. */
export function parseHeaderLines(text: string): HeaderLine[] {
  return text.split(/\r?\n/).flatMap((line): HeaderLine[] => {
    if (line.trim() === '') return []
    const [, name, value] = /^\s*([^:\s]+)\s*:(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) {
      throw new InvalidRequest(
        `Headers are lines such as Accept: text/plain, not ${line.slice(0, 60)}`
      )
    }
    return [[name, value.trim()]]
  })
}

/** Headers as Node presents those of requests that arrive. */
export function headersOf({ headers, body }: RawRequest, host: string): Record<string, string> {
  const merged: Record<string, string> = Object.create(null)
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    if (CONNECTION_HEADERS.includes(key)) continue
    const bytes = toBytes(value)
    const before = merged[key]
    merged[key] =
      before === undefined ? bytes : `${before}${key === 'cookie' ? '; ' : ', '}${bytes}`
  }
  return {
    host,
    ...merged,
    ...(body === undefined ? {} : { 'content-length': String(body.length) })
  }
}

/** One character per byte; characters that are not of Latin-1 become several. */
function toBytes(text: string): string {
  return /[\u0100-\uffff]/.test(text) ? Buffer.from(text.toWellFormed()).toString('latin1') : text
}
