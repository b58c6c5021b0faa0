import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Files } from '../../../kernel/files/files.ts'
import type { TargetSize } from '../../../kernel/images/images.ts'
import { resizeStored } from '../../../kernel/images/resize-stored.ts'
import { ImagesBusy } from '../../../kernel/images/work-queue.ts'
import { prepareResponse, sendPrepared } from '../../../kernel/prepared-response.ts'
import { type SentFile, sendStoredFile } from '../../../kernel/send-file.ts'
import type { CardContext } from '../context.ts'
import {
  API_CACHE,
  COMMON_HEADERS,
  FILE_POLICY,
  FilesBusy,
  ObjectUnknown,
  renderError
} from '../contract.ts'
import type { VisibleImage } from '../store/visible-image.ts'

interface FileContext {
  readonly kernel: { readonly files: Pick<Files, 'open'> }
  readonly images: CardContext['images']
}

type Send = (request: IncomingMessage, response: ServerResponse) => Promise<void>
type FileHeaders = Readonly<Record<string, string>>

export const FILE_HEADERS: FileHeaders = { ...COMMON_HEADERS, ...FILE_POLICY }

/** Without `size` the image as it is, which is never the file that was uploaded. */
export async function prepareImage(
  context: FileContext,
  image: VisibleImage,
  { size, headers }: { size: TargetSize | undefined; headers: FileHeaders }
): Promise<Send> {
  const { hash, mediaType } = image
  if (size === undefined) {
    return sendFile(context, { hash, size: image.size, mediaType, headers })
  }
  const resized = await resize(context, hash, size)
  if (resized === undefined) throw new ObjectUnknown()
  const response = prepareResponse({
    status: 200,
    body: resized.bytes,
    headers,
    contentHeaders: { 'content-type': resized.mediaType },
    hasEtag: true
  })
  return async (request, reply) => sendPrepared(request, reply, { ...response, gzip: undefined })
}

async function resize({ kernel, images }: FileContext, hash: string, size: TargetSize) {
  try {
    return await resizeStored(kernel.files, await images(), hash, size)
  } catch (error) {
    throw error instanceof ImagesBusy ? new FilesBusy() : error
  }
}

/** A file that is missing on the disk is like one that is not there. */
export function sendFile({ kernel }: Pick<FileContext, 'kernel'>, file: SentFile): Send {
  return async (request, reply) => {
    if (await sendStoredFile(kernel.files, request, reply, file, renderError)) return
    reply.writeHead(404, { ...COMMON_HEADERS, 'cache-control': API_CACHE, 'content-length': '0' })
    reply.end()
  }
}
