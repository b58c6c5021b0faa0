import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { FastifyError } from 'fastify'
import { parseRange, type RangeRequest } from './byte-range.ts'
import type { ErrorResponse } from './errors.ts'
import { matchesEtag } from './etag.ts'
import type { Files, StoredFile } from './files/files.ts'

export interface SentFile extends StoredFile {
  mediaType: string
  /** Of every response, 304 and 416 too. */
  headers: OutgoingHttpHeaders
}

/**
 * Sends a stored file or a range of it; the hash is its entity tag. False if the file is not
 * stored: then nothing was sent. `renderError` is for a storage that is unavailable.
 */
export async function sendStoredFile(
  files: Pick<Files, 'open'>,
  request: IncomingMessage,
  response: ServerResponse,
  file: SentFile,
  renderError: (error: FastifyError) => ErrorResponse
): Promise<boolean> {
  const etag = `"${file.hash}"`
  const headers = { ...file.headers, etag, 'accept-ranges': 'bytes' }
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end()
    return true
  }
  const range = rangeOf(request, etag, file.size)
  if (range === 'unsatisfiable') {
    response
      .writeHead(416, {
        ...headers,
        'content-range': `bytes */${file.size}`,
        'content-length': '0'
      })
      .end()
    return true
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const content = {
    ...headers,
    'content-type': file.mediaType,
    'content-length': String(end - start + 1),
    ...(range !== undefined && { 'content-range': `bytes ${start}-${end}/${file.size}` })
  }
  const status = range === undefined ? 200 : 206
  if (request.method === 'HEAD') {
    response.writeHead(status, content).end()
    return true
  }
  const opened = await files.open(file.hash, range).catch((error) => {
    if (error.statusCode === undefined) throw error
    sendRendered(response, renderError(error))
    return 'unavailable' as const
  })
  if (opened === 'unavailable') return true
  if (opened === undefined) return false
  response.writeHead(status, content)
  await pipeline(opened.stream, response).catch(() => {
    // The stream of a client that disconnected before is not destroyed by `pipeline`.
    opened.stream.destroy()
    response.destroy()
  })
  return true
}

function sendRendered(response: ServerResponse, rendered: ErrorResponse): void {
  const { status, body, type, headers } = rendered
  const length = String(Buffer.byteLength(body))
  response.writeHead(status, { ...headers, 'content-type': type, 'content-length': length })
  response.end(body)
}

/** RFC 9110 13.1.5: with another `If-Range` the whole file is sent. */
function rangeOf({ headers }: IncomingMessage, etag: string, size: number): RangeRequest {
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return undefined
  return parseRange(headers.range, size)
}
