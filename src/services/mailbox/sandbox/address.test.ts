import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookupAddresses, normaliseAddress } from './address.ts'

function check(text: string, expected: string | undefined) {
  assert.equal(normaliseAddress(text), expected)
}

test('an address is compared in lower case', () => {
  check('Alice@Example.TEST', 'alice@example.test')
  check("o'neil+tag@example.test", "o'neil+tag@example.test")
})

test('the domain has one form, whether it is sent as Unicode or as ASCII', () => {
  check('zoë@xn--mnchen-3ya.test', 'zoë@münchen.test')
  check('zoë@MÜNCHEN.test', 'zoë@münchen.test')
})

test('an IP address in brackets is a domain', () => {
  check('a@[127.0.0.1]', 'a@[127.0.0.1]')
  check('a@[IPv6:::1]', 'a@[ipv6:::1]')
})

test('nothing that could end a line, a name or an address is accepted', () => {
  const characters = ['\r', '\n', '\0', ' ', '<', '>', '"', '(', ',', ';', ':', '\\', '@', '\u0085']
  for (const character of characters) {
    check(`a${character}b@example.test`, undefined)
    check(`a@exam${character}ple.test`, undefined)
  }
})

test('a malformed address is rejected', () => {
  for (const text of ['', 'a', '@b', 'a@', '.a@b', 'a.@b', 'a..b@c', 'a@b..c', 'a@-b', 'a@b-.c']) {
    check(text, undefined)
  }
  check(`${'a'.repeat(250)}@b.test`, undefined)
})

test('an address with a tag is also the address without it', () => {
  assert.deepEqual(lookupAddresses('a+b+c@d.test'), ['a+b+c@d.test', 'a@d.test'])
  assert.deepEqual(lookupAddresses('a@d.test'), ['a@d.test'])
  assert.deepEqual(lookupAddresses('+a@d.test'), ['+a@d.test'])
})
