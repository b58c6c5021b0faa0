import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createJobId } from './job-id.ts'

test('sorts by time and is different each time', () => {
  const time = Date.UTC(2026, 0, 1)
  const ids = [time, time + 1, time + 1_000, time + 10 ** 11].map(createJobId)
  assert.deepEqual(ids.toSorted(), ids)
  for (const id of ids) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
  assert.equal(Number.parseInt(ids[0]?.replace('-', '').slice(0, 12) ?? '', 16), time)
  assert.notEqual(createJobId(time), createJobId(time))
})
