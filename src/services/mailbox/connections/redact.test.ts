import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HIDDEN, redact } from './redact.ts'

const PASSWORD = 'correct horse "battery" \\ staple'

test('a secret is hidden as it is and as a quoted string', () => {
  const quoted = PASSWORD.replace(/["\\]/g, '\\$&')
  assert.equal(redact(`a ${PASSWORD} b "${quoted}"`, [PASSWORD]), `a ${HIDDEN} b "${HIDDEN}"`)
})

test('nothing of a secret can be decoded from Base64, whatever is before and after it', () => {
  for (const before of ['', 'a', 'ab', '\0user\0', 'user=a@b.test\x01auth=Bearer ']) {
    for (const after of ['', 'x', 'xy', '\x01\x01']) {
      const encoded = Buffer.from(before + PASSWORD + after).toString('base64')
      const shown = redact(`NO ${encoded}`, [PASSWORD])
      assert.ok(shown.includes(HIDDEN), encoded)
      const rest = Buffer.from(shown.replace(HIDDEN, ''), 'base64').toString('latin1')
      assert.ok(!rest.includes(PASSWORD.slice(3, -3)), shown)
    }
  }
})

test('a text that was cut within a secret has nothing of it', () => {
  const encoded = Buffer.from(`\0user\0${PASSWORD}`).toString('base64')
  assert.equal(redact(`NO ${PASSWORD.slice(0, 20)}`, [PASSWORD]), `NO ${HIDDEN}`)
  const shown = redact(`NO ${encoded.slice(0, -8)}`, [PASSWORD])
  assert.ok(shown.endsWith(HIDDEN) && shown.length < 40, shown)
  assert.equal(redact(`NO ${PASSWORD.slice(0, 20)} not`, [PASSWORD]).includes(HIDDEN), false)
})

test('a text without the secret stays as it is', () => {
  assert.equal(redact('OK done', [PASSWORD, '', 'ab']), 'OK done')
})
