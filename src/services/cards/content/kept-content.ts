import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { createCache } from '../../../kernel/cache.ts'
import { matchesEtag } from '../../../kernel/etag.ts'
import {
  acceptsGzip,
  MIN_GZIP_BYTES,
  type PreparedResponse,
  preparedSize,
  prepareResponse
} from '../../../kernel/prepared-response.ts'
import { CONTENT_HEADERS, PRIVATE_CACHE, PUBLIC_CACHE } from '../contract.ts'
import { seesPublishedOnly, type Viewer } from '../records/viewer.ts'
import type { Revision } from '../store/content.ts'
import { shortHash } from './content-query.ts'

/** All prepared responses together. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024
const compress = promisify(gzip)

type Headers = Readonly<Record<string, string>>

interface Kept extends Revision {
  readonly prepared: PreparedResponse
}

/** Prepared responses; each counts for one revision of its board. */
export interface KeptContent {
  find: (key: string, state: Revision) => PreparedResponse | undefined
  keep: (key: string, state: Revision, prepared: PreparedResponse) => void
}

export function createKeptContent(): KeptContent {
  const cache = createCache<Kept>(MAX_KEPT_BYTES, ({ prepared }, key) =>
    preparedSize(prepared, key)
  )
  return {
    find(key, { id, revision }) {
      const kept = cache.get(key)
      return kept?.revision === revision && kept.id === id ? kept.prepared : undefined
    },
    keep: (key, { id, revision }, prepared) => cache.set(key, { id, revision, prepared })
  }
}

/** Which viewers get the same bytes; undefined if no other one does. */
export function viewerKey(viewer: Viewer): string | undefined {
  switch (viewer.kind) {
    case 'publishable':
      return `publishable ${viewer.board}`
    case 'anonymous':
      return viewer.kind
    case 'member':
      return `member ${viewer.member} ${viewer.boards?.join(' ') ?? '*'}`
    case 'preview':
      return undefined
  }
}

/** Quoted. The revision is that of what the viewer sees, so that drafts do not change it. */
export function contentTag({ id, revision }: Revision, viewer: Viewer, form: string): string {
  const part = seesPublishedOnly(viewer) ? 'published' : viewer.kind
  return `"${id}-${revision}-${shortHash(`${part} ${form}`)}"`
}

export function cacheHeaders(viewer: Viewer): Headers {
  return {
    ...CONTENT_HEADERS,
    'cache-control': seesPublishedOnly(viewer) ? PUBLIC_CACHE : PRIVATE_CACHE,
    vary: 'Authorization, Accept-Encoding'
  }
}

/**
 * The ETag to send with 304, if the client has the response already. `*` is left to the response,
 * which may be an error.
 */
export function currentTag({ headers }: IncomingMessage, tag: string): string | undefined {
  const known = headers['if-none-match']
  if (known === undefined || known.trim() === '*') return undefined
  const compressed = `${tag.slice(0, -1)}-gzip"`
  const tags = acceptsGzip(headers['accept-encoding']) ? [compressed, tag] : [tag]
  return tags.find((one) => matchesEtag(known, one))
}

/** Compresses outside the event loop, because bodies may have megabytes. */
export async function prepareBytes(
  { type, body }: { readonly type: string; readonly body: string | Buffer },
  viewer: Viewer,
  tag: string | undefined
): Promise<PreparedResponse> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return prepareResponse({
    status: 200,
    body: bytes,
    headers: cacheHeaders(viewer),
    contentHeaders: { 'content-type': type },
    hasEtag: true,
    ...(tag !== undefined && { etag: tag }),
    ...(bytes.length >= MIN_GZIP_BYTES && { gzipped: await compress(bytes) })
  })
}
