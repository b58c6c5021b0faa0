import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageStructureObject } from 'imapflow'
import { findLeaf, partsOf } from './structure.ts'

const text = { type: 'text/plain', size: 5 }
const pdf = { type: 'application/pdf', size: 9 }
const multipart = (...childNodes: MessageStructureObject[]) => ({
  type: 'multipart/mixed',
  childNodes
})
const message = (...childNodes: MessageStructureObject[]) => ({
  type: 'message/rfc822',
  childNodes
})

function numbers(root: MessageStructureObject) {
  const { plain, html, attachments } = partsOf(root)
  return [plain, html, attachments].map((leaves) => leaves.map(({ number }) => number).join())
}

test('parts have the numbers of RFC 3501', () => {
  assert.deepEqual(numbers(text), ['1', '', ''])
  assert.deepEqual(numbers(multipart(text, multipart(text, pdf))), ['1,2.1', '', '2.2'])
  assert.deepEqual(numbers(multipart(text, message(text))), ['1', '', '2'])
  assert.deepEqual(numbers(multipart(text, message(multipart(text, pdf)))), ['1', '', '2,2.2'])
  assert.deepEqual(numbers(message(multipart(pdf, message(pdf)))), ['', '', '1,1.1,1.2,1.2.1'])
  assert.equal(findLeaf(multipart(text, message(text)), '2.1')?.type, 'text/plain')
  assert.equal(findLeaf(multipart(text), '1.1'), undefined)
})

test('names of files are safe in headers and paths', () => {
  const named = (filename: string) => {
    const leaf = { ...pdf, dispositionParameters: { filename }, parameters: { name: 'other' } }
    return findLeaf(leaf, '1')?.filename
  }
  assert.equal(named('../a\\b\r\nX: y'), '.._a_b X: y')
  assert.equal(named(''), 'other')
  assert.equal(named('ö'.repeat(1000))?.length, 255)
  assert.equal(findLeaf({ ...pdf, type: 'a/b\r\nx: y' }, '1')?.type, 'application/octet-stream')
})

test('a structure of any size is read in parts', () => {
  const wide = multipart(...Array.from({ length: 50_000 }, () => pdf))
  assert.equal(partsOf(wide).attachments.length, 1000)
  let deep: MessageStructureObject = text
  for (let level = 0; level < 5000; level++) deep = multipart(deep)
  assert.deepEqual(numbers(deep), ['', '', ''])
  assert.equal(partsOf(multipart(...Array.from({ length: 500 }, () => text))).plain.length, 100)
})
