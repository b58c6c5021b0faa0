import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { etagOf, matchesEtag } from '../../kernel/etag.ts'
import { CACHE_CONTROL, COMMON_HEADERS } from './contract.ts'

/** A finished answer; sending it takes no further work. */
export interface Answer {
  readonly status: number
  readonly plain: Encoded
  /** Made at the first request for it; small bodies gain nothing. */
  readonly gzip: (() => Encoded) | undefined
}

/** The bytes of one content coding, with a validator of its own (RFC 9110 8.8.3.3). */
interface Encoded {
  readonly body: Buffer
  readonly etag: string | undefined
  /** Names and values in turn, as `writeHead` takes them without copying. */
  readonly headers: string[]
  readonly unchangedHeaders: string[]
}

const MIN_GZIP_BYTES = 1024

export interface Content {
  status: number
  body: string | Buffer
  /** Whether browsers and proxies may keep it. */
  keep: boolean
  /** Whether the same request gets these bytes again, so that they deserve a validator. */
  steady: boolean
  headers: Readonly<Record<string, string>>
}

export function createAnswer({ status, body, keep, steady, headers }: Content): Answer {
  const bytes = Buffer.from(body)
  const tag = steady ? etagOf(bytes).slice(0, -1) : undefined
  const common = {
    ...COMMON_HEADERS,
    vary: 'Accept, Accept-Encoding',
    'cache-control': keep ? CACHE_CONTROL : 'no-store'
  }
  let gzip: Encoded | undefined
  function compress(): Encoded {
    const coded = { ...headers, 'content-encoding': 'gzip' }
    gzip ??= encode(gzipSync(bytes), tag && `${tag}-gzip"`, common, coded)
    return gzip
  }
  return {
    status,
    plain: encode(bytes, tag && `${tag}"`, common, headers),
    gzip: bytes.length < MIN_GZIP_BYTES ? undefined : compress
  }
}

function encode(
  body: Buffer,
  etag: string | undefined,
  common: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>
): Encoded {
  const shown = etag === undefined ? common : { ...common, etag }
  const own = { ...shown, ...headers, 'content-length': String(body.length) }
  return {
    body,
    etag,
    headers: Object.entries(own).flat(),
    unchangedHeaders: Object.entries(shown).flat()
  }
}

export function sendAnswer(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  answer: Answer
): void {
  const encoded =
    answer.gzip !== undefined && acceptsGzip(headers['accept-encoding'])
      ? answer.gzip()
      : answer.plain
  const { etag } = encoded
  const conditional = etag !== undefined && (method === 'GET' || method === 'HEAD')
  if (conditional && matchesEtag(headers['if-none-match'], etag)) {
    response.writeHead(304, encoded.unchangedHeaders)
    response.end()
    return
  }
  response.writeHead(answer.status, encoded.headers)
  response.end(encoded.body)
}

/** Named and not refused with a zero quality; `*` alone is not worth a surprise. */
function acceptsGzip(acceptEncoding: string | string[] | undefined): boolean {
  if (typeof acceptEncoding !== 'string' || !acceptEncoding.includes('gzip')) return false
  return !/\bgzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/.test(acceptEncoding)
}

/** What it takes in memory, a compressed copy included. */
export function weighAnswer({ plain }: Answer, key: string): number {
  return 2 * plain.body.length + key.length + 2048
}
