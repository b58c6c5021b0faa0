import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecret, digestOf } from './formats.ts'
import type { TokenFormat } from './rules.ts'

const PATTERNS: Readonly<Record<TokenFormat, RegExp>> = {
  nonet: /^nnt_[0-9A-Za-z]{43}$/,
  hex: /^[0-9a-f]{64}$/,
  hexBytes: /^[0-9a-f]{64}$/,
  publishable: /^pk_[0-9A-Za-z]{20}$/
}
const FORMATS = Object.keys(PATTERNS) as TokenFormat[]

test('secrets have the form of their format, and none is created twice', () => {
  for (const format of FORMATS) {
    const secrets = Array.from({ length: 200 }, () => createSecret(format))
    for (const secret of secrets) {
      assert.match(secret, PATTERNS[format])
      assert.equal(digestOf(format, secret)?.length, 32)
    }
    assert.equal(new Set(secrets).size, secrets.length)
  }
})

test('every character of the alphabet occurs', () => {
  const secrets = Array.from({ length: 200 }, () => createSecret('nonet').slice(4)).join('')
  assert.equal(new Set(secrets).size, 62)
})

function checkDigest(format: TokenFormat, secret: string, expected: string) {
  assert.equal(digestOf(format, secret)?.toString('hex'), expected)
}

test('the hash is that of the text, or of the bytes that the digits stand for', () => {
  const zeros = '0'.repeat(64)
  checkDigest('hex', zeros, '60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55')
  checkDigest('hexBytes', zeros, '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925')
  checkDigest(
    'nonet',
    `nnt_${'0'.repeat(43)}`,
    '26a452421a347ebfa818c714d05afae6d127f3f3d5d28db7c946e9a244998734'
  )
  checkDigest(
    'publishable',
    `pk_${'0'.repeat(20)}`,
    'ab0f096d9cb7241ac792e34af488962fba80a3282a379d75755213a134698ed7'
  )
})

test('a text of another form has no hash', () => {
  const digits = 'a'.repeat(43)
  const malformed: Readonly<Record<TokenFormat, readonly string[]>> = {
    nonet: [
      ...['', 'nnt_', digits, `nnt_${digits}a`, `nnt_${digits.slice(1)}`, `NNT_${digits}`],
      ...[`nnt_${digits}\n`, ` nnt_${digits}`, `nnt_${digits.slice(1)}-`, `nnt_${digits.slice(1)}é`]
    ],
    hex: ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), 'g'.repeat(64)],
    hexBytes: ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), 'g'.repeat(64)],
    publishable: ['pk_', `pk_${'a'.repeat(19)}`, `pk_${'a'.repeat(21)}`, `sk_${'a'.repeat(20)}`]
  }
  for (const format of FORMATS) {
    for (const text of malformed[format]) {
      assert.equal(digestOf(format, text), undefined, `${format}: ${text}`)
    }
  }
})
