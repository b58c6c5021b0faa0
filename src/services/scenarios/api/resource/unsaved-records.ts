import { randomInt } from 'node:crypto'
import { isoTime } from '../../../../kernel/iso-time.ts'
import { drawBetween } from '../../data/hash-random.ts'
import { type ApiResponse, empty, json } from '../../http/response.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'

const MAX_ID = 999

/** `POST` in public mode: returns the fields with an id and a date; nothing is stored. */
export async function echoCreated(call: RequestContext): Promise<ApiResponse> {
  const { fields, text } = await call.body()
  const { id: _, createdAt: __, ...own } = fields
  const { parameters } = call.target
  const isSeeded = parameters.has('seed') || call.request.headers['x-seed'] !== undefined
  const id = isSeeded
    ? drawBetween(1, MAX_ID, call.seed, 'id', call.route.pattern, text)
    : randomInt(1, MAX_ID + 1)
  return json({ ...own, id: String(id), createdAt: timestamp(call) }, 201)
}

/** `PUT` and `PATCH` in public mode: never 404, and no id is added to the response. */
export async function echoUpdated(call: RequestContext): Promise<ApiResponse> {
  const { fields } = await call.body()
  const { updatedAt: _, ...own } = fields
  return json({ ...own, updatedAt: timestamp(call) })
}

export async function echoDeleted(): Promise<ApiResponse> {
  return empty()
}

export function timestamp(call: RequestContext): string {
  return isoTime(call.now())
}
