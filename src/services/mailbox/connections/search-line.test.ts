import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSearchLine } from './search-line.ts'

const MANY = Array.from({ length: 5000 }, (_, index) => String(index + 1))

function parse(line: string): string[] | undefined {
  const numbers = parseSearchLine(Buffer.from(line))
  return numbers && Array.from(numbers, ({ value }) => value)
}

test('long responses of SEARCH are parsed', () => {
  assert.deepEqual(parse(`* SEARCH ${MANY.join(' ')}`), MANY)
  assert.deepEqual(parse(`* search ${MANY.join('  ')} `), MANY)
})

test('short ones, others and those with more than numbers are left to imapflow', () => {
  assert.equal(parse('* SEARCH 1 2 3'), undefined)
  assert.equal(parse(`* SORT ${MANY.join(' ')}`), undefined)
  assert.equal(parse(`* SEARCH ${MANY.join(' ')} (MODSEQ 5)`), undefined)
  assert.equal(parse(`* SEARCH ${MANY.join(',')}`), undefined)
})
