import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { requestChunks } from '../../../../kernel/request-body.ts'
import type { CardContext } from '../../context.ts'
import { ImportAborted, ImportTooLarge } from '../../contract.ts'
import { storeUpload } from '../../files/store-upload.ts'
import type { StoredUpload } from '../../records/stored-upload.ts'
import { FILE_NAME_HEADER } from '../protocol.ts'

/** Stores the body of the request as a file. */
export async function receiveFile(
  context: CardContext,
  request: IncomingMessage
): Promise<StoredUpload> {
  const chunks = requestChunks(request, () => new ImportAborted())
  try {
    return await storeChunks(context, nameIn(request), chunks)
  } catch (error) {
    // The host closes a connection with an unread rest, on which the client may send more already.
    await chunks.return(undefined)
    await finished(request.resume(), { writable: false }).catch(() => undefined)
    throw error
  }
}

/** Stores what was received or downloaded; the temporary file is removed. */
export async function storeChunks(
  context: CardContext,
  name: string,
  chunks: AsyncIterable<Uint8Array>
): Promise<StoredUpload> {
  const { uploadFolder, options } = context
  const path = join(uploadFolder, `${randomUUID()}.part`)
  await mkdir(uploadFolder, { recursive: true })
  let size = 0
  async function* limited(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > options.maxFileBytes) throw new ImportTooLarge(options.maxFileBytes)
      yield chunk
    }
  }
  try {
    await pipeline(limited(), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return await storeUpload(context, { path, name, size })
  } finally {
    await rm(path, { force: true })
  }
}

function nameIn({ headers }: IncomingMessage): string {
  const given = headers[FILE_NAME_HEADER]
  try {
    return decodeURIComponent(typeof given === 'string' ? given : '')
  } catch {
    return ''
  }
}
