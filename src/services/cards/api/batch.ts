import type { ApiHandler } from '../context.ts'
import { errorForBatch, LimitReached, RequestInvalid, ValueInvalid } from '../contract.ts'
import { WrittenJson, writeJson } from '../http/write-json.ts'
import { sent } from './requests.ts'
import type { HandlerName } from './route-table.ts'

const MAX_REQUESTS = 10
/** URLs begin with a slash, so that they may contain commas. */
const BETWEEN = /,(?=\/)/
/** Of all responses together, which are in memory at the same time. */
const MAX_MIB = 32
const MAX_BYTES = MAX_MIB * 1024 * 1024
const TOO_LONG = `The responses of a batch can have at most ${MAX_MIB} MiB; send fewer requests`
const BEFORE = Buffer.from('{"200":')
const AFTER = Buffer.from('}')

/** Each request in turn, so that a batch takes no more of the database than one client. */
const batch: ApiHandler = async (_context, request) => {
  const value = sent(request, 'urls')
  const urls = typeof value === 'string' && value !== '' ? value.split(BETWEEN) : value
  if (!Array.isArray(urls) || urls.some((url) => typeof url !== 'string')) {
    throw new ValueInvalid('urls')
  }
  if (urls.length > MAX_REQUESTS) {
    throw new RequestInvalid(`A batch can have at most ${MAX_REQUESTS} requests`)
  }
  const responses: WrittenJson[] = []
  let bytesLeft = MAX_BYTES
  for (const url of urls) {
    const response = await respond(() => request.get(url), bytesLeft)
    responses.push(response ?? (await errorOf(new LimitReached(TOO_LONG))))
    // After the first that is too long, no other one is read.
    bytesLeft = response === undefined ? 0 : bytesLeft - response.bytes.length
  }
  return { body: responses }
}

/** By the status, which clients read as the first key; undefined if it is too long. */
async function respond(
  get: () => ReturnType<ApiHandler>,
  bytesLeft: number
): Promise<WrittenJson | undefined> {
  if (bytesLeft <= 0) return undefined
  try {
    const response = await get()
    if ('send' in response) throw new RequestInvalid('A batch cannot contain files')
    const bytes = await writeJson(response.body)
    if (bytes.length > bytesLeft) return undefined
    return new WrittenJson(Buffer.concat([BEFORE, bytes, AFTER]))
  } catch (error) {
    return errorOf(error)
  }
}

async function errorOf(error: unknown): Promise<WrittenJson> {
  return new WrittenJson(await writeJson(errorForBatch(error)))
}

export const batchHandlers = { batch } as const satisfies Partial<Record<HandlerName, ApiHandler>>
