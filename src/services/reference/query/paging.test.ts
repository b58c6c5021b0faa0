import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageQuery, parsePaging } from './paging.ts'

function check(query: string, count: number, page: number, pages: number): void {
  const paging = parsePaging(new Map(new URLSearchParams(query)), count)
  assert.deepEqual([paging.page, paging.pages], [page, pages], query)
}

test('pages have ten records by default', () => {
  check('', 0, 1, 1)
  check('', 10, 1, 1)
  check('', 11, 1, 2)
  check('page=last', 21, 3, 3)
  check('page=last', 0, 1, 1)
  check('page_size=500&page=2', 501, 2, 2)
})

test('unknown pages', () => {
  for (const page of ['0', '2', '-1', '1.0', 'x', '+1', '1e0', '9'.repeat(30)]) {
    assert.throws(
      () => check(`page=${encodeURIComponent(page)}`, 10, 0, 0),
      { code: 'NOT_FOUND' },
      page
    )
  }
})

test('the page is replaced at its position, and once', () => {
  assert.equal(pageQuery('a=1&page=2&b=3', 4), '?a=1&page=4&b=3')
  assert.equal(pageQuery('page=1&page=2', 4), '?page=4')
  assert.equal(pageQuery('', 4), '?page=4')
})
