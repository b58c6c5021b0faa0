import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../../../test/support/random.ts'
import { type ArrayPosition, ItemScanner } from './item-scanner.ts'

const MAX_ITEM_BYTES = 400

/** Scans the bytes in chunks of these sizes, the last one repeated. */
function scan(text: string, array: ArrayPosition, sizes: () => number): string[] {
  const bytes = Buffer.from(text)
  const scanner = new ItemScanner({
    ...{ array, maxItemBytes: MAX_ITEM_BYTES },
    fail: (position, problem) => new Error(`${position}: ${problem}`)
  })
  const items: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = sizes()
    for (const item of scanner.push(bytes.subarray(at, at + size))) {
      assert.equal(bytes.subarray(item.start, item.end).toString(), item.bytes.toString())
      items.push(item.bytes.toString())
    }
    at += size
  }
  scanner.end()
  return items
}

const ITEMS = [
  '{"a":"]},{\\"[","b":[[1,2],{"c":"\\\\"}]}',
  '{}',
  '{ "é": "😀 \\u005d \\\\\\"" }',
  '{"x":{"y":{"z":[]}}}'
]

test('items are found whatever the strings in them contain, in chunks of any size', () => {
  const random = createRandom(17)
  const files: [string, ArrayPosition][] = [
    [`window.YTD.tweets.part0 = [${ITEMS.join(',')}]`, 'assignment'],
    [`\ufeffwindow.a=\n[ ${ITEMS.join(' ,\r\n\t')} ]\n;\n`, 'assignment'],
    [`{"a":{"items":[{}]},"b":"items","items":[${ITEMS.join(',')}],"c":[1]}`, { member: 'items' }],
    [`\ufeff{ "items" : [ ${ITEMS.join(' , ')} ] }\n`, { member: 'items' }]
  ]
  for (const [text, array] of files) {
    assert.deepEqual(
      scan(text, array, () => 1),
      ITEMS
    )
    assert.deepEqual(
      scan(text, array, () => 100_000),
      ITEMS
    )
    for (let round = 0; round < 50; round++) {
      assert.deepEqual(
        scan(text, array, () => 1 + random.below(9)),
        ITEMS
      )
    }
  }
  assert.deepEqual(
    scan('x = [ ]', 'assignment', () => 2),
    []
  )
  assert.deepEqual(
    scan('{"items":[]}', { member: 'items' }, () => 2),
    []
  )
})

const REFUSED: Readonly<Record<string, [string, ArrayPosition, RegExp]>> = {
  'an empty file': ['', 'assignment', /^0: it has no data/],
  'no assignment': ['x'.repeat(2000), 'assignment', /^1025: there is no "="/],
  'another value': ['x = {"a":1}', 'assignment', /^4: an array is expected/],
  'an item that is no object': ['x = [1]', 'assignment', /^5: an object is expected/],
  'a comma too many': ['x = [{},]', 'assignment', /^8: an object is expected/],
  'a missing comma': ['x = [{}{}]', 'assignment', /^7: a comma is expected/],
  'more data': ['x = [{}]; y = []', 'assignment', /^10: the data has ended before/],
  'a cut item': ['x = [{"a":"b', 'assignment', /it ends in the middle/],
  'a cut array': ['x = [{}', 'assignment', /it ends in the middle/],
  'a large item': [
    `x = [{"a":"${'b'.repeat(500)}"}]`,
    'assignment',
    /^5: an item is larger than 400/
  ],
  'deep nesting': [`x = [{"a":${'['.repeat(300)}`, 'assignment', /^209: it is nested too deeply/],
  'no such member': ['{"a":[]}', { member: 'items' }, /^7: it has no array "items"/],
  'an array for an object': ['[{}]', { member: 'items' }, /^0: it is not an object/],
  'a cut object': ['{"items":[{}]', { member: 'items' }, /it ends in the middle/]
}

for (const [title, [text, array, message]] of Object.entries(REFUSED)) {
  test(`a file is refused with the position: ${title}`, () => {
    for (const size of [1, 3, 100_000]) {
      assert.throws(() => scan(text, array, () => size), { message }, `chunks of ${size}`)
    }
  })
}
