import { allowRequestedHeaders, preflightPolicy } from '../../../kernel/cors.ts'
import type { CardContext, Section, SectionRequest } from '../context.ts'
import { COMMON_HEADERS, FILE_CACHE, MethodNotAllowed, ObjectUnknown } from '../contract.ts'
import { resolveViewer } from '../http/credentials.ts'
import { readImageToken } from '../http/preview-token.ts'
import { imagePath } from '../present/image-url.ts'
import { readVisibleImage, type VisibleImage } from '../store/visible-image.ts'
import { readRendition, targetOf } from './rendition.ts'
import { FILE_HEADERS, prepareImage } from './send-image.ts'

const FILE = /^([0-9a-f]{64})(?:\.[a-z]+)?$/
const PREFLIGHT = preflightPolicy('GET, HEAD', 600)

/** `/images/<hash>.<ext>`: images of attachments without metadata, in their size or a smaller one. */
export function createImageHandler(context: CardContext): Section {
  return async (request) => {
    const { raw, query } = request
    if (raw.method === 'OPTIONS') {
      const headers = { ...COMMON_HEADERS, ...PREFLIGHT, ...allowRequestedHeaders(raw.headers) }
      return async (reply) => void reply.writeHead(204, headers).end()
    }
    checkMethod(raw.method)
    const hash = hashOf(request)
    const rendition = readRendition(query)
    const now = context.kernel.now()
    const viewer = await resolveViewer(context, raw, query, {
      readPreviewToken: (token) => readImageToken(context, token, now)
    })
    const image = await context.store.read(() => readVisibleImage(viewer, hash, now.getTime()))
    if (image === undefined || !isPathOf(request, image)) throw new ObjectUnknown()
    const cache = viewer.kind === 'anonymous' ? FILE_CACHE.image : FILE_CACHE.withToken
    const headers = {
      ...FILE_HEADERS,
      'cache-control': cache,
      ...(rendition?.format === 'auto' && { vary: 'Accept' })
    }
    const size = rendition && targetOf(rendition, image, raw.headers.accept)
    const send = await prepareImage(context, image, { size, headers })
    return (reply) => send(raw, reply)
  }
}

function checkMethod(method: string | undefined): void {
  if (method === 'GET' || method === 'HEAD') return
  throw Object.assign(new MethodNotAllowed(), { headers: { allow: 'GET, HEAD' } })
}

function hashOf({ segments }: SectionRequest): string {
  const hash = segments.length === 2 ? FILE.exec(segments[1] ?? '')?.[1] : undefined
  if (hash === undefined) throw new ObjectUnknown()
  return hash
}

/** With the extension of its type or without one. */
function isPathOf({ segments: [, file] }: SectionRequest, image: VisibleImage): boolean {
  return file === image.hash || `/images/${file}` === imagePath(image)
}
