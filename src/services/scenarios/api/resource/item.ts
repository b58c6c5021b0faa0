import { RecordNotFound, supportOf } from '../../contract.ts'
import { fixturesOf, LAST_SAMPLE_ID } from '../../data/fixtures.ts'
import { type ApiResponse, json } from '../../http/response.ts'
import { type RequestContext, use } from '../../pipeline/request-context.ts'
import { largeList } from '../../scenario/listing.ts'
import type { RecordRow } from '../../store/records.ts'
import { applyEdges, type WireRecord } from './edges.ts'
import { wireOf, wireOfRow } from './source.ts'
import { syntheticRecord } from './synthetic.ts'

/** Undefined if the string is not a canonical positive integer. */
export function readId(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** A sample without changes has version 0. */
export function versionTag(id: number, version: number): string {
  return `"${id}-${version}"`
}

/** `GET /api/{collection}/{id}`. */
export async function handleItem(
  call: RequestContext,
  collection: string,
  text: string
): Promise<ApiResponse> {
  const id = readId(text)
  if (id === undefined) throw new RecordNotFound()
  const row =
    call.workspace === undefined
      ? undefined
      : await call.context.store.findRecord({ ws: call.workspaceId, collection }, id)
  const record = recordOf(call, collection, id, row)
  const data = applyEdges(call, record)
  const headers: Record<string, string> =
    call.workspace === undefined ? {} : { etag: versionTag(id, row?.version ?? 0) }
  return json({ data, support: supportOf(call.base) }, 200, headers)
}

function recordOf(
  call: RequestContext,
  collection: string,
  id: number,
  row: RecordRow | undefined
): WireRecord {
  if (row?.deleted === 1) throw new RecordNotFound()
  if (row !== undefined) return wireOfRow(call, collection, row)
  const sample = fixturesOf(collection).find((fixture) => fixture.id === id)
  if (sample !== undefined) return wireOf(call, collection, { ...sample })
  const total = id > LAST_SAMPLE_ID ? use(call, largeList) : undefined
  if (total === undefined || id > total) throw new RecordNotFound()
  return wireOf(call, collection, { ...syntheticRecord(collection, call.seed, id) })
}
