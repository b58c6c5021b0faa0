import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { COMMON_HEADERS, LINES_TYPE } from '../contract.ts'
import { keepMatches } from '../list/matching.ts'
import { dropTexts, readRecords, STREAMED_BYTES, sizeOf } from '../list/read-records.ts'
import { slicesOf } from '../list/row-batches.ts'
import { createScanBudget } from '../list/scan-budget.ts'
import type { Filter } from '../query/filter.ts'
import { parseSort } from '../query/sort-syntax.ts'
import type { StoredRecord } from '../store/record.ts'
import type { RecordScan, RecordScope } from '../store/scan.ts'
import { writeLine } from './record-line.ts'

/** Oldest first, so that records created meanwhile are at the end. */
const SORT = parseSort('_createdOn')

/** One line for each record, a few at a time. */
export async function* exportLines(
  scan: RecordScan,
  scope: RecordScope,
  filter: Filter | undefined
): AsyncGenerator<string> {
  const budget = createScanBudget(Number.POSITIVE_INFINITY)
  const limit = Number.MAX_SAFE_INTEGER
  const query = { scope, filter, sort: SORT, after: undefined, skip: 0, limit, indexes: [] }
  for await (const slice of slicesOf(scan, query, budget)) {
    const rows = filter === undefined ? slice : await keepMatches(scan, slice, filter, budget)
    if (sizeOf(slice) > STREAMED_BYTES) dropTexts(slice)
    for await (const lines of readRecords(scan, scope, rows, toLines)) if (lines !== '') yield lines
  }
}

function toLines(records: readonly StoredRecord[]): string {
  return records.map((record) => `${writeLine(record)}\n`).join('')
}

export async function sendLines(
  request: FastifyRequest,
  reply: FastifyReply,
  lines: AsyncIterable<string>,
  headers: Readonly<Record<string, string>> = {}
): Promise<void> {
  reply.hijack()
  const response = reply.raw.writeHead(200, {
    ...COMMON_HEADERS,
    'content-type': LINES_TYPE,
    'cache-control': 'no-store',
    ...headers
  })
  if (request.method === 'HEAD') response.end()
  else await pipeline(lines, response)
}
