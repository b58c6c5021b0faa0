import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { etagOf, matchesEtag } from '../../kernel/etag.ts'
import { CACHE_CONTROL, COMMON_HEADERS } from './contract.ts'

/** A finished answer; sending it takes no further work. */
export interface Answer {
  /** Milliseconds, whole seconds: what `Last-Modified` can carry. */
  readonly modified: number
  readonly plain: Encoded
  /** Made at the first request for it; small bodies gain nothing. */
  readonly gzip: (() => Encoded) | undefined
}

/** The bytes of one content coding; each has a validator of its own (RFC 9110 8.8.3.3). */
interface Encoded {
  /** One character per byte: `http` sends a string together with the head in one write. */
  readonly body: string
  readonly etag: string
  /** Names and values in turn, as `writeHead` takes them without copying. */
  readonly headers: string[]
  readonly unchangedHeaders: string[]
}

const SECOND_MS = 1000
const MIN_GZIP_BYTES = 1024
const BYTES = 'latin1'

export function createAnswer(
  content: string,
  headers: Readonly<Record<string, string>>,
  edited: string
): Answer {
  const body = Buffer.from(content)
  const tag = etagOf(body).slice(0, -1)
  const modified = Math.floor(Date.parse(edited) / SECOND_MS) * SECOND_MS
  const lastModified = new Date(modified).toUTCString()
  const plain = encode(body, `${tag}"`, lastModified, headers)
  let gzip: Encoded | undefined
  function compress(): Encoded {
    gzip ??= encode(gzipSync(body), `${tag}-gzip"`, lastModified, {
      ...headers,
      'content-encoding': 'gzip'
    })
    return gzip
  }
  return { modified, plain, gzip: body.length < MIN_GZIP_BYTES ? undefined : compress }
}

function encode(
  body: Buffer,
  etag: string,
  lastModified: string,
  headers: Readonly<Record<string, string>>
): Encoded {
  const validators = {
    ...COMMON_HEADERS,
    'cache-control': CACHE_CONTROL,
    etag,
    'last-modified': lastModified
  }
  const own = { ...validators, ...headers, 'content-length': String(body.length) }
  return {
    body: body.toString(BYTES),
    etag,
    headers: Object.entries(own).flat(),
    unchangedHeaders: Object.entries(validators).flat()
  }
}

export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer
): void {
  const { headers } = request
  const encoded =
    answer.gzip !== undefined && acceptsGzip(headers['accept-encoding'])
      ? answer.gzip()
      : answer.plain
  if (isUnchanged(headers, encoded.etag, answer.modified)) {
    response.writeHead(304, encoded.unchangedHeaders)
    response.end()
    return
  }
  response.writeHead(200, encoded.headers)
  response.end(encoded.body, BYTES)
}

/** Named and not refused with a zero quality; `*` alone is not worth a surprise. */
function acceptsGzip(acceptEncoding: string | string[] | undefined): boolean {
  if (typeof acceptEncoding !== 'string' || !acceptEncoding.includes('gzip')) return false
  return !/\bgzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/.test(acceptEncoding)
}

/** RFC 9110 13.2.2: `If-Modified-Since` counts only without `If-None-Match`. */
function isUnchanged(headers: IncomingMessage['headers'], etag: string, modified: number): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return matchesEtag(tags, etag)
  const since = headers['if-modified-since']
  return since !== undefined && modified <= Date.parse(since)
}
