import { supportOf } from '../../contract.ts'
import { type ApiResponse, json } from '../../http/response.ts'
import { type RequestContext, use } from '../../pipeline/request-context.ts'
import {
  cursor,
  emptyList,
  largeList,
  lastPageShort,
  oneItem,
  pagePastEnd,
  shifting
} from '../../scenario/listing.ts'
import { applyEdges } from './edges.ts'
import { type Paging, readLimit, readPaging } from './paging.ts'
import {
  enlarged,
  type RecordSource,
  sampleSource,
  shifted,
  shortened,
  wireOf,
  workspaceSource
} from './source.ts'
import { syntheticRecord } from './synthetic.ts'

/** `GET /api/{collection}`. */
export async function handleList(call: RequestContext, collection: string): Promise<ApiResponse> {
  const paging = readPaging(call.target.parameters)
  const source = await chooseSource(call, collection, paging)
  return use(call, cursor) ? listByCursor(call, source) : listByPage(call, source, paging)
}

async function chooseSource(
  call: RequestContext,
  collection: string,
  { page, perPage }: Paging
): Promise<RecordSource> {
  let source =
    call.workspace === undefined
      ? sampleSource(call, collection)
      : await workspaceSource(call, collection)
  if (call.selection.size === 0) return source
  const total = use(call, largeList)
  if (total !== undefined) source = enlarged(source, call, collection, total)
  if (use(call, shifting) && (page > 1 || call.target.parameters.has('cursor'))) {
    const made = syntheticRecord(collection, call.seed, source.nextId)
    source = shifted(source, wireOf(call, collection, { ...made }))
  }
  if (use(call, lastPageShort) && source.total % perPage === 0) {
    source = shortened(source, source.total - 1)
  }
  if (use(call, oneItem)) source = shortened(source, 1)
  return use(call, emptyList) ? shortened(source, 0) : source
}

async function listByPage(
  call: RequestContext,
  source: RecordSource,
  paging: Paging
): Promise<ApiResponse> {
  const { perPage } = paging
  const total_pages = Math.ceil(source.total / perPage)
  const page = use(call, pagePastEnd) ? total_pages + 1 : paging.page
  const records = page > total_pages ? [] : await source.slice((page - 1) * perPage, perPage)
  return json({
    page,
    per_page: perPage,
    total: source.total,
    total_pages,
    data: records.map((record) => applyEdges(call, record)),
    support: supportOf(call.base)
  })
}

async function listByCursor(call: RequestContext, source: RecordSource): Promise<ApiResponse> {
  const limit = readLimit(call.target.parameters)
  const from = readCursor(call.target.parameters.get('cursor'))
  const records = await source.slice(from, limit)
  const has_more = from + records.length < source.total
  return json({
    data: records.map((record) => applyEdges(call, record)),
    meta: {
      limit,
      returned: records.length,
      next_cursor: has_more ? writeCursor(from + records.length) : null,
      has_more
    }
  })
}

const CURSOR_START = 'at:'

function writeCursor(position: number): string {
  return Buffer.from(CURSOR_START + position).toString('base64url')
}

/** Position of a cursor; 0 if the cursor is invalid. */
function readCursor(text: string | null): number {
  const plain = Buffer.from(text ?? '', 'base64url').toString()
  const digits = plain.startsWith(CURSOR_START) ? plain.slice(CURSOR_START.length) : ''
  return /^\d{1,9}$/.test(digits) ? Number(digits) : 0
}
