import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normaliseHost } from './host-name.ts'

test('names are in ASCII and lower case, without a dot at the end', () => {
  assert.equal(normaliseHost('BÜCHER.example.'), 'xn--bcher-kva.example')
  assert.equal(normaliseHost('mail_1.local'), 'mail_1.local')
})

test('IP addresses stay as they are, without brackets', () => {
  assert.equal(normaliseHost('192.0.2.1'), '192.0.2.1')
  assert.equal(normaliseHost('[2001:db8::1]'), '2001:db8::1')
})

test('what is neither is empty', () => {
  const hosts = ['', 'a b', 'a/b', 'u@a', 'a:1', '-a.example', 'ä..', 'fe80::1%eth0']
  for (const host of [...hosts, `${'a'.repeat(64)}.example`]) {
    assert.equal(normaliseHost(host), '', host)
  }
})
