import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createScanner } from './scanner.ts'

const scan = (text: string, ...literals: string[]) =>
  createScanner(
    text.split('\r\n'),
    literals.map((literal) => Buffer.from(literal))
  )

test('strings are atoms, quoted or literals', () => {
  assert.equal(scan('a]b').astring(), 'a]b')
  assert.equal(scan('"a \\"b\\" \\\\"').astring(), 'a "b" \\')
  assert.equal(scan(Buffer.from('"ü"').toString('latin1')).astring(), 'ü')
  const scanner = scan('{3}\r\n x', 'a\r\n')
  assert.equal(scanner.astring(), 'a\r\n')
  scanner.space()
  assert.equal(scanner.astring(), 'x')
  scanner.end()
  assert.equal(scan('NIL').nstring(), undefined)
  assert.equal(scan('"NIL"').nstring(), 'NIL')
})

test('lists have items with one space between them', () => {
  const scanner = scan('(a "b" c)')
  assert.deepEqual(scanner.list(scanner.astring), ['a', 'b', 'c'])
  for (const text of ['(a  b)', '(a b', 'a)', '(a )', '( a)']) {
    const broken = scan(text)
    assert.throws(() => broken.list(broken.astring), { status: 'BAD' }, text)
  }
})

test('malformed tokens are errors of syntax', () => {
  for (const text of ['', '"a', '"a\\x"', '(', '{3}', '\u0001', '\u00fc']) {
    assert.throws(() => scan(text).astring(), { status: 'BAD' }, text)
  }
  assert.throws(() => scan('a b').end(), { status: 'BAD' })
  assert.throws(() => scan('x').number(), { status: 'BAD' })
  assert.throws(() => scan('0').sequenceSet(), { status: 'BAD' })
})
