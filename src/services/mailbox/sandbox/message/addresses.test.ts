import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAddresses } from './addresses.ts'

const ADDRESSES: Readonly<Record<string, readonly (readonly (string | null)[])[]>> = {
  '': [],
  '  ': [],
  'ada@example.test': [[null, null, 'ada', 'example.test']],
  'Ada Lovelace <ada@example.test>': [['Ada Lovelace', null, 'ada', 'example.test']],
  '"Lovelace, Ada" <ada@example.test>': [['Lovelace, Ada', null, 'ada', 'example.test']],
  '"a \\"b\\" \\\\" <a@b>': [['a "b" \\', null, 'a', 'b']],
  'a@b (Ada)': [['Ada', null, 'a', 'b']],
  'a@b (one) (two)': [['two', null, 'a', 'b']],
  'Ada (x) L. <a@b>, c@d': [
    ['Ada L.', null, 'a', 'b'],
    [null, null, 'c', 'd']
  ],
  '<a@b>': [[null, null, 'a', 'b']],
  '<@r,@s:a@b>': [[null, '@r,@s', 'a', 'b']],
  '"odd local"@b': [[null, null, 'odd local', 'b']],
  'a . b @ c . d': [[null, null, 'a.b', 'c.d']],
  'a@[127.0.0.1]': [[null, null, 'a', '[127.0.0.1]']],
  'g: a@b, C <c@d>;': [
    [null, null, 'g', null],
    [null, null, 'a', 'b'],
    ['C', null, 'c', 'd'],
    [null, null, null, null]
  ],
  'undisclosed-recipients:;': [
    [null, null, 'undisclosed-recipients', null],
    [null, null, null, null]
  ],
  'g:;, a@b': [
    [null, null, 'g', null],
    [null, null, null, null],
    [null, null, 'a', 'b']
  ],
  'gr\u00c3\u00bc@\u00c3\u00a4.test': [[null, null, 'gr\u00c3\u00bc', '\u00c3\u00a4.test']]
}

test('addresses, groups, comments, quotes and routes', () => {
  for (const [value, addresses] of Object.entries(ADDRESSES)) {
    assert.deepEqual(parseAddresses(value, 100), addresses, value)
  }
})

test('a list ends at the limit', () => {
  assert.equal(parseAddresses('a@b, '.repeat(50), 7).length, 7)
})
