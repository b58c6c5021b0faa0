import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normaliseDomain, parseEmailAddress } from './email-address.ts'

test('the domain of an address is in ASCII and lower case', () => {
  assert.deepEqual(parseEmailAddress('Jo@Bücher.Example'), {
    address: 'Jo@xn--bcher-kva.example',
    localPart: 'Jo',
    domain: 'xn--bcher-kva.example'
  })
  assert.equal(parseEmailAddress('"a@b"@example.com')?.localPart, '"a@b"')
  assert.equal(parseEmailAddress('a+b=c@example.com.')?.domain, 'example.com')
})

test('an address that public DNS cannot have is rejected', () => {
  for (const text of [
    ...['', '@', 'a', 'a@', '@example.com', 'a@localhost', 'a@127.0.0.1', 'a@[127.0.0.1]'],
    ...['a@2130706433', 'a@0x7f.1', 'a@::1', 'a@example..com', 'a@-x.example', 'a@x_y.example'],
    ...['a@example.com/x', 'a@example.com:80', 'a@example.com?x', 'a@example.com#x'],
    ...['a b@example.com', 'a\r\nb@example.com', 'a@exa mple.com', 'a@example.com\0'],
    ...[`a@${'x'.repeat(64)}.example`, `a@${'x.'.repeat(130)}example`, 'a@example.1', 'a@%31.com']
  ]) {
    assert.equal(parseEmailAddress(text), undefined, JSON.stringify(text))
  }
  assert.equal(normaliseDomain('１２７.0.0.1'), undefined)
})
