/** Requests to the services of one nonet, with the responses that a release gave. */
import { sendPlain } from './plain-http.ts'

export interface RecordedRequest {
  service: string
  method?: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Compares only the links to posts, because the look of a page may change. */
  linksOnly?: boolean
  /** The entity tag contains the version of nonet. */
  tagOfVersion?: boolean
}

export interface RecordedResponse {
  status: number
  headers: Readonly<Record<string, string>>
  /** Text, or base64 if the content is no text. */
  body: string
}

export interface Recording {
  /** Version and commit of the release. */
  version: string
  commit: string
  /** The time of the recording: tokens and keys have not expired at that time. */
  recordedAt: string
  /** Migrations of each service that are applied in the data. */
  migrations: Readonly<Record<string, number>>
  exchanges: readonly { request: RecordedRequest; response: RecordedResponse }[]
}

/** URL of each service. */
export type ServiceUrls = Readonly<Record<string, string>>

const HEADERS = ['content-type', 'etag', 'idempotent-replayed', 'location', 'x-error-code']
const TEXT = /^text\/|json|xml/

/** URLs in responses, and tokens with URLs in them, must not depend on the port of a run. */
export function hostOf(service: string): string {
  return `${service}.localhost`
}

export async function sendRecorded(
  urls: ServiceUrls,
  request: RecordedRequest
): Promise<RecordedResponse> {
  const { service, method = 'GET', path, headers = {}, body, linksOnly = false } = request
  const response = await sendPlain(`${urls[service]}${path}`, {
    method,
    headers: { ...headers, host: hostOf(service) },
    ...(body !== undefined && { body })
  })
  const isText = TEXT.test(response.headers['content-type'] ?? '')
  const text = response.body.toString(isText ? 'utf8' : 'base64')
  // The entity tag of a page changes with its look.
  const hasTag = !linksOnly && request.tagOfVersion !== true
  const names = HEADERS.filter((name) => hasTag || name !== 'etag')
  return {
    status: response.status ?? 0,
    headers: Object.fromEntries(
      names.flatMap((name) => {
        const value = response.headers[name]
        return value === undefined ? [] : [[name, String(value)]]
      })
    ),
    body: linksOnly ? linksOf(text) : text
  }
}

/** In the order of the page, each one once. */
function linksOf(html: string): string {
  const links = Array.from(html.matchAll(/href="([^"]*\/status\/\d+)"/g), ([, link]) => link)
  return [...new Set(links)].join('\n')
}
