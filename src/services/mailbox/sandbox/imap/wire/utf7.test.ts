import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeUtf7, encodeUtf7 } from './utf7.ts'

test('names of mailboxes are encoded as RFC 3501 shows', () => {
  for (const [name, text] of [
    ['INBOX', 'INBOX'],
    ['Tom & Jerry', 'Tom &- Jerry'],
    ['~peter/mail/台北/日本語', '~peter/mail/&U,BTFw-/&ZeVnLIqe-'],
    ['Entwürfe', 'Entw&APw-rfe'],
    ['😀', '&2D3eAA-']
  ] as const) {
    assert.equal(encodeUtf7(name), text)
    assert.equal(decodeUtf7(text), name)
  }
})

test('other spellings of a name are not names', () => {
  for (const text of ['&', 'a&b', '&AGE-', '&U,BTFw-&ZeVnLIqe-', '&Jj!-', 'ü', '&APw', 'a\u0000']) {
    assert.equal(decodeUtf7(text), undefined, text)
  }
})
