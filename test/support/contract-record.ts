import { appendFileSync } from 'node:fs'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Row } from './contract-row.ts'

/** File that gets one line for each table; the rows are then not played. */
export const RECORD_FILE = process.env.NONET_CONTRACT_RECORD

/** Prefix of the names of the recording tests. */
const RECORD_MARK = 'recorded:'

interface Table {
  title: string
  service: string
  /** Whether the rows are played on every engine. */
  stored: boolean
  settings: () => Promise<object>
  /** OpenAPI document that is mocked. */
  document?: object
}

/** Writes the requests of a table as plain data, for `npm run compare`. */
export function recordRows(table: Table, rows: readonly Row[]): void {
  test(`${RECORD_MARK} ${table.title}`, async () => {
    const { title, service, stored, document } = table
    const settings = await table.settings()
    const plain = JSON.parse(JSON.stringify(settings)) as object
    const portable = isDeepStrictEqual(plain, settings)
    const requests = rows.map(requestOf)
    const line = { title, service, stored, settings: plain, portable, document, requests }
    if (RECORD_FILE !== undefined) appendFileSync(RECORD_FILE, `${JSON.stringify(line)}\n`)
  })
}

function requestOf({ proves, send: { method = 'GET', path, headers = {}, body } }: Row) {
  const base64 = body === undefined ? undefined : Buffer.from(body).toString('base64')
  // fetch adds this content type to a string body.
  const typed = typeof body === 'string' ? { 'content-type': 'text/plain;charset=UTF-8' } : {}
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return { proves, method, path, headers: named ? headers : { ...headers, ...typed }, base64 }
}
