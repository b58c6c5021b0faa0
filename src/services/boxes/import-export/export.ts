import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { COMMON_HEADERS, LINES_TYPE } from '../contract.ts'
import { keepMatches } from '../list/matching.ts'
import { slicesOf } from '../list/row-batches.ts'
import { createScanBudget } from '../list/scan-budget.ts'
import type { Filter } from '../query/filter.ts'
import { parseSort } from '../query/sort-syntax.ts'
import type { RecordScan, RecordScope } from '../store/scan.ts'
import { writeLine } from './record-line.ts'

/** Oldest first, so that records created meanwhile are at the end. */
const SORT = parseSort('_createdOn')

/** One line for each record, a slice at a time. */
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
    let lines = ''
    for (const row of rows) {
      const raw = row.raw ?? (await scan.readText(row.pk))
      if (raw !== undefined) lines += `${writeLine({ ...row, raw })}\n`
      // Long records are sent one by one.
      if (row.raw === null) {
        yield lines
        lines = ''
      }
    }
    if (lines !== '') yield lines
  }
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
