import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachmentIdOf, parseAttachmentId, parseTextId, textIdOf } from './content-ids.ts'

const KEY = { mailbox: 12, uid: 1838 }

test('an attachment has the id of its message and the number of its part', () => {
  const id = attachmentIdOf({ ...KEY, number: '1.2' })
  assert.equal(id, Buffer.from('0000000c0000072e312e32', 'hex').toString('base64url'))
  assert.deepEqual(parseAttachmentId(id), { ...KEY, number: '1.2' })
})

test('a text has the numbers of its parts', () => {
  const key = { ...KEY, plain: ['1.1', '3'], html: ['1.2'] }
  assert.deepEqual(parseTextId(textIdOf(key)), key)
  const empty = { ...KEY, plain: [], html: [] }
  assert.deepEqual(parseTextId(textIdOf(empty)), empty)
})

test('an id has one form', () => {
  const withRest = (rest: string) =>
    Buffer.concat([Buffer.from('0000000c0000072e', 'hex'), Buffer.from(rest, 'latin1')]).toString(
      'base64url'
    )
  const rests = [
    '',
    '0',
    '1.',
    '.1',
    '01',
    '1..2',
    '1;2;3',
    'TEXT',
    '1]<0.9',
    '1\r\n',
    '\xff',
    '1,'
  ]
  for (const rest of rests) {
    assert.equal(parseAttachmentId(withRest(rest)), undefined, rest)
    assert.equal(parseTextId(withRest(rest)), undefined, rest)
  }
  for (const id of ['', 'AAAADAAABy4', '*', `${withRest('1')}=`, `${withRest('1')}\n`]) {
    assert.equal(parseAttachmentId(id), undefined, id)
  }
  assert.equal(parseAttachmentId(withRest(`${'1.'.repeat(60)}1`)), undefined)
  assert.equal(parseTextId('A'.repeat(10_241)), undefined)
  for (const rest of ['1,1;', ';2,2', '1;1', `${'1,'.repeat(3000)}1;`]) {
    assert.equal(parseTextId(withRest(rest)), undefined, rest)
  }
})
