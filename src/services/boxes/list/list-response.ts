import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matchesEtag } from '../../../kernel/etag.ts'
import { type ResolvedBox, versionOf } from '../box/resolve-box.ts'
import type { BoxTarget } from '../http/box-target.ts'
import { sendJson, sendUnchanged, startJson } from '../http/response.ts'
import { encodeCursor } from '../query/cursor.ts'
import { renderRecord } from '../records/records.ts'
import type { StoredRecord } from '../store/record.ts'
import type { RecordScan, RecordScope, Row } from '../store/scan.ts'
import type { FieldTree } from '../text/fields.ts'
import { joinList } from '../text/record-text.ts'
import type { Listing } from './list.ts'
import type { ListQuery } from './list-query.ts'
import {
  type RowReference,
  readRecords,
  STREAMED_BYTES,
  sizeOf,
  takeReferences
} from './read-records.ts'
import { positionAt } from './row-batches.ts'

/** Size of the parts of a response that is sent while the records are read. */
const PART_LENGTH = 32 * 1024

export interface Page {
  readonly listing: Listing
  readonly query: ListQuery
  readonly fields: FieldTree | undefined
  /** The result of `describeList`. */
  readonly asked: string
  /** The result of `listTag`. */
  readonly etag: string | undefined
  readonly parameters: URLSearchParams
  /** URL of the list without its parameters. */
  readonly url: string
}

/** Identifies a list: its path, its parameters and whether matches are counted. */
export function describeList({ path, parameters }: BoxTarget, isCounted: boolean): string {
  return `${path}?${parameters} ${isCounted}`
}

/** Other than in releases that listed records of one time in another order. */
const ORDER = 'insertion'

/** ETag by the state of the box: the same query in the same state has the same response. */
export function listTag(view: ResolvedBox, asked: string): string | undefined {
  const version = versionOf(view)
  return version === undefined ? undefined : etagOf(`${ORDER} ${version} ${asked}`)
}

export function listHeaders(etag: string): string[] {
  return ['etag', `W/${etag}`, 'cache-control', 'no-cache']
}

/**
 * ETag by the rows, if the state of the box gives none. It includes `asked`, because the same ids
 * and revisions have another body with other fields or in another box.
 */
function tagOfRows({ listing: { rows }, asked }: Page): string {
  return etagOf(`${asked} ${rows.map(({ id, rev }) => `${id} ${rev}`).join()}`)
}

export async function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  scan: RecordScan,
  page: Page
): Promise<void> {
  const etag = page.etag ?? tagOfRows(page)
  const headers = [...listHeaders(etag), ...(await pagingHeaders(scan, page))]
  if (matchesEtag(request.headers['if-none-match'], etag)) sendUnchanged(reply, headers)
  else await sendRows(reply, scan, page, headers)
}

async function sendRows(
  reply: FastifyReply,
  scan: RecordScan,
  { listing: { rows }, query, fields }: Page,
  headers: readonly string[]
): Promise<void> {
  const showCollection = query.scope.collection === undefined
  const render = (record: StoredRecord) => renderRecord(record, showCollection, fields)
  if (sizeOf(rows) > STREAMED_BYTES) {
    const parts = inParts(scan, query.scope, takeReferences(rows), render)
    return pipeline(parts, startJson(reply, headers))
  }
  const texts: string[] = []
  for (const row of rows) {
    const raw = row.raw ?? (await scan.readText(row.pk))
    if (raw !== undefined) texts.push(render({ ...row, raw }))
  }
  sendJson(reply, joinList(texts), headers)
}

/** Parts are bytes: a text that waits to be sent takes three times its length. */
async function* inParts(
  scan: RecordScan,
  scope: RecordScope,
  rows: readonly RowReference[],
  render: (record: StoredRecord) => string
) {
  let part = '['
  let separator = ''
  const add = (records: readonly StoredRecord[]) => {
    for (const record of records) {
      part += separator + render(record)
      separator = ','
    }
    if (part.length < PART_LENGTH) return undefined
    const bytes = Buffer.from(part)
    part = ''
    return bytes
  }
  for await (const bytes of readRecords(scan, scope, rows, add)) if (bytes) yield bytes
  yield Buffer.from(`${part}]`)
}

async function pagingHeaders(scan: RecordScan, page: Page): Promise<string[]> {
  const { rows, more, total } = page.listing
  const headers = total === undefined ? [] : ['x-total-count', String(total)]
  const last = rows.at(-1)
  if (!more || last === undefined) return headers
  return [...headers, 'link', `<${await nextUrl(scan, page, last)}>; rel="next"`]
}

/** With a cursor, or with `skip` if the sort value of the last record is too long for a URL. */
async function nextUrl(scan: RecordScan, page: Page, last: Row): Promise<string> {
  const { query, url } = page
  const position = await positionAt(scan, query.sort, last)
  const cursor = position && encodeCursor(query.sort, position)
  const parameters = new URLSearchParams(page.parameters)
  for (const name of ['skip', 'offset']) parameters.delete(name)
  if (cursor === undefined) parameters.set('skip', String(query.skip + page.listing.rows.length))
  else parameters.set('cursor', cursor)
  return `${url}?${parameters}`
}
