import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFoundLine, parseVanishedLine } from './uid-lines.ts'

function vanished(line: string) {
  const uids = parseVanishedLine(Buffer.from(line))
  return uids && [...uids]
}

function found(line: string) {
  const uids = parseFoundLine(Buffer.from(line))
  return uids && [...uids]
}

test('removed UIDs are ranges, however many they are', () => {
  assert.deepEqual(vanished('* VANISHED 405,407,410:425'), [405, 405, 407, 407, 410, 425])
  assert.deepEqual(vanished('* vanished (earlier) 1:4294967295'), [1, 4_294_967_295])
})

test('other responses have no removed UIDs', () => {
  for (const line of [
    '* VANISHED',
    '* VANISHED x',
    '* VANISHED 1:*',
    '* VANISHED (LATER) 1',
    '* 1 EXPUNGE',
    'a VANISHED 1'
  ]) {
    assert.equal(vanished(line), undefined, line)
  }
})

test('UIDs found by a search are ranges, also of an extended response', () => {
  assert.deepEqual(found('* SEARCH 2 3 4 9'), [2, 4, 9, 9])
  assert.deepEqual(found('* SEARCH 9 4  3 2 '), [2, 4, 9, 9])
  assert.deepEqual(found('* SEARCH'), [])
  assert.deepEqual(found('* ESEARCH (TAG "A282") UID ALL 1:4294967295'), [1, 4_294_967_295])
  assert.deepEqual(found('* esearch (tag A282) uid all 2,10:11'), [2, 2, 10, 11])
  assert.deepEqual(found('* ESEARCH (TAG "A282") UID'), [])
})

test('other responses are left to imapflow', () => {
  for (const line of [
    '* SEARCH 2 (MODSEQ 917162500)',
    '* SEARCH 1:5x',
    '* SEARCHED 2',
    '* ESEARCH (TAG "A282") UID MIN 2 COUNT 3',
    '* ESEARCH (TAG "A282") UID ALL 1:*',
    '* SORT 2 3'
  ]) {
    assert.equal(found(line), undefined, line)
  }
})
