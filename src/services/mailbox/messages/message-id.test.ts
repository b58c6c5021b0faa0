import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageIdOf, parseMessageId } from './message-id.ts'

test('an id has 11 characters and stands for a mailbox and a UID', () => {
  assert.equal(messageIdOf({ mailbox: 12, uid: 1838 }), 'AAAADAAABy4')
  assert.deepEqual(parseMessageId('AAAADAAABy4'), { mailbox: 12, uid: 1838 })
  const largest = { mailbox: 0xffff_ffff, uid: 0xffff_ffff }
  assert.deepEqual(parseMessageId(messageIdOf(largest)), largest)
})

test('other texts are no ids, nor are other spellings of one', () => {
  for (const text of [
    '',
    'AAAADAAABy',
    'AAAADAAABy44',
    'AAAADAAABy5',
    'AAAADAAABy=',
    'AAAAD/AABy4'
  ]) {
    assert.equal(parseMessageId(text), undefined)
  }
})
