import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { EngineOptions } from '../../src/services/mock/engine/options.ts'
import { compare, type Row, send } from './contract.ts'
import { RECORD_FILE, recordRows } from './contract-record.ts'
import { type MockServer, openMock } from './mock-server.ts'

const TYPE_BASE = 'https://stoplight.io/prism/errors#'

/** An OpenAPI document with these paths. */
export function documentOf(paths: object, more: object = {}): object {
  return { openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths, ...more }
}

/** Plays rows over a real socket against one document. */
export function mockRows(
  title: string,
  document: object,
  options: Partial<EngineOptions>,
  rows: readonly Row[]
): void {
  if (RECORD_FILE !== undefined) {
    const settings = async () => options
    recordRows({ title, service: 'mock', stored: false, settings, document }, rows)
    return
  }
  describe(title, () => {
    let mock: MockServer
    before(async () => {
      mock = await openMock(document, options)
    })
    after(async () => {
      await mock.close()
      assert.deepEqual(mock.defects, [])
    })
    for (const row of rows) {
      test(row.proves, async () => compare(await send(mock.url, row.send), row.expect))
    }
  })
}

/** The expected error in the format of Prism. */
export function problem(code: string, status: number, title: string, more: object = {}) {
  return {
    status,
    type: 'application/problem+json',
    check({ text }: { text: string }) {
      const { detail, ...body } = JSON.parse(text)
      assert.equal(typeof detail, 'string')
      assert.deepEqual(body, { type: TYPE_BASE + code, title, status, code, ...more })
    }
  }
}

export function violationsIn(answer: { headers: Headers }): unknown {
  const header = answer.headers.get('sl-violations')
  return header === null ? undefined : JSON.parse(header)
}
