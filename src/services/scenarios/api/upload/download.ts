import { pipeline } from 'node:stream/promises'
import { RecordNotFound } from '../../contract.ts'
import type { ApiResponse } from '../../http/response.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'

/** Files up to this size are always read at once, longer ones within a limit of memory. */
const PART_BYTES = 256 * 1024

/** The content of a stored file, with the headers it needs. */
export async function fileContent(
  call: RequestContext,
  id: string,
  size: number
): Promise<Pick<ApiResponse, 'headers' | 'body' | 'stream'>> {
  if (size <= PART_BYTES || holdsFile(call, size)) {
    return { headers: {}, body: await readPart(call, id, 0, size) }
  }
  return {
    headers: { 'content-length': String(size) },
    stream(response) {
      // The client has disconnected, or the file was deleted meanwhile.
      pipeline(partsOf(call, id, size), response).catch(() => response.destroy())
    }
  }
}

/** Whether there is memory for the whole file until the response ends. */
function holdsFile({ context, response }: RequestContext, size: number): boolean {
  const budget = context.openDownloadBudget()
  if (!budget.take(size)) return false
  response.once('close', budget.giveBack)
  return true
}

/** Slower than reading the file once, because the database reads all of it for each part. */
async function* partsOf(call: RequestContext, id: string, size: number) {
  for (let from = 0; from < size; from += PART_BYTES)
    yield await readPart(call, id, from, PART_BYTES)
}

async function readPart(
  { context, workspaceId }: RequestContext,
  id: string,
  offset: number,
  length: number
): Promise<Uint8Array> {
  const part = await context.store.readUpload(workspaceId, id, offset, length)
  if (part === undefined) throw new RecordNotFound()
  return part
}
