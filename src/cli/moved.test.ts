import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMoved } from './moved.ts'

test('files are mentioned only if there are any', () => {
  assert.equal(describeMoved({ rows: 12, files: 0 }), '12 rows')
  assert.equal(describeMoved({ rows: 12, files: 3 }), '12 rows and 3 files')
})
