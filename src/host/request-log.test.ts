import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createRequestLog } from './request-log.ts'

const REQUEST = { service: 'boxes', method: 'GET', url: '/', status: 200, milliseconds: 1.26 }

async function linesFor(requests: readonly object[]): Promise<string[]> {
  const written: string[] = []
  const log = createRequestLog({
    isTTY: false,
    write: (text) => {
      written.push(text)
    }
  })
  for (const request of requests) log({ ...REQUEST, ...request })
  await setImmediate()
  await setImmediate()
  return written.join('').trimEnd().split('\n')
}

describe('lines of the request log for programs', () => {
  test('each is JSON with the members in this order', async () => {
    const [line = ''] = await linesFor([{}])
    const { time, ...rest } = JSON.parse(line)
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000, time)
    assert.equal(
      JSON.stringify(rest),
      '{"service":"boxes","method":"GET","path":"/","status":200,"ms":1.3}'
    )
  })

  const PATHS: readonly (readonly [url: string | undefined, path: string])[] = [
    ['/a?b=c', '/a'],
    ['/a?b?c', '/a'],
    ['/"quoted"\\', '/"quoted"\\'],
    ['/\u00e4\u0007 b', '/%C3%A4%07%20b'],
    [`/${'a'.repeat(300)}`, `/${'a'.repeat(199)}…`],
    [undefined, '']
  ]
  test('the path has no query, no unprintable characters and at most 200 characters', async () => {
    const lines = await linesFor(PATHS.map(([url]) => ({ url })))
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).path),
      PATHS.map(([, path]) => path)
    )
  })
})
