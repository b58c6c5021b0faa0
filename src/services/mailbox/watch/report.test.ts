import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReport } from './report.ts'

test('the same error of many accounts is printed once a minute', () => {
  const printed: string[] = []
  let time = 0
  const report = createReport(
    (text) => printed.push(text),
    () => time
  )
  for (let count = 0; count < 1000; count++) report(new Error('disk full'))
  report('other')
  assert.deepEqual(printed, [
    'accounts cannot be watched now: disk full',
    'accounts cannot be watched now: other'
  ])
  time = 60_000
  report(new Error('disk full'))
  assert.equal(printed.length, 3)
})
