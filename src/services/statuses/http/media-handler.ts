import type { IncomingMessage, ServerResponse } from 'node:http'
import { prepareResponse } from '../../../kernel/prepared-response.ts'
import { sendStoredFile } from '../../../kernel/send-file.ts'
import type { Handler, StatusContext, StatusResponse } from '../context.ts'
import { CACHE, COMMON_HEADERS, renderError } from '../contract.ts'
import { mediaPath } from '../pages/links.ts'
import { type PublicFile, readPublicFile } from '../store/media-files.ts'
import { type MediaSize, mediaSizeOf } from './media-size.ts'
import { resizeFile } from './resize-file.ts'

const FILE = /^([0-9a-f]{64})(?:\.[a-z0-9]+)?$/
/** Any site may show media; opened directly, they must not load or run anything. */
const MEDIA_HEADERS = {
  ...COMMON_HEADERS,
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': CACHE.media
}
const NOT_FOUND: StatusResponse = { kind: 'notFound' }

const DEFAULT_PICTURE = prepareResponse({
  status: 200,
  body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="#cfd9de"/><circle cx="24" cy="19" r="8" fill="#fff"/><path d="M8 44a16 14 0 0 1 32 0z" fill="#fff"/></svg>',
  headers: MEDIA_HEADERS,
  contentHeaders: { 'content-type': 'image/svg+xml' },
  hasEtag: true
})

export const serveMedia: Handler = async (context, request, { file = '' }) => {
  if (file === 'default' || file === 'default.svg') {
    return { kind: 'prepared', response: DEFAULT_PICTURE, isKept: false }
  }
  const hash = FILE.exec(file)?.[1]
  const found = hash && (await context.store.read(() => readPublicFile(hash)))
  if (!hash || !found || !isPathOf(`/media/${file}`, hash, found)) return NOT_FOUND
  const size = mediaSizeOf(request.query.get('name'))
  const isImage = found.mediaType.startsWith('image/')
  return size === undefined || !isImage
    ? sendFile(context, hash, found)
    : sendResized(context, hash, size)
}

/** With the extension of its type or without one. */
function isPathOf(path: string, hash: string, { mediaType }: PublicFile): boolean {
  return path === mediaPath(hash) || path === mediaPath(hash, mediaType)
}

async function sendResized(
  context: StatusContext,
  hash: string,
  size: MediaSize
): Promise<StatusResponse> {
  const resized = await resizeFile(context, hash, size)
  if (resized === undefined) return NOT_FOUND
  const response = prepareResponse({
    status: 200,
    body: resized.bytes,
    headers: MEDIA_HEADERS,
    contentHeaders: { 'content-type': resized.mediaType },
    hasEtag: true
  })
  return { kind: 'prepared', response: { ...response, gzip: undefined }, isKept: false }
}

function sendFile(context: StatusContext, hash: string, found: PublicFile): StatusResponse {
  const { files } = context.kernel

  async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { size, mediaType } = found
    const file = { hash, size, mediaType, headers: MEDIA_HEADERS }
    const isSent = await sendStoredFile(files, request, response, file, renderError)
    if (isSent) return
    response.writeHead(404, { 'cache-control': 'no-store', 'content-length': '0' }).end()
  }

  return { kind: 'media', send }
}
