import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastMs } from '../../../../../test/support/least-ms.ts'
import { checkNewName, mailboxFrom, matchesMailbox } from './mailbox-names.ts'

test('patterns of LIST', () => {
  for (const [pattern, name, expected] of [
    ['*', 'a/b', true],
    ['%', 'a/b', false],
    ['%', 'a', true],
    ['a/%', 'a/b', true],
    ['a/%', 'a/b/c', false],
    ['a*c', 'a/b/c', true],
    ['%/%', 'a/b', true],
    ['a', 'ab', false],
    ['', 'a', false],
    ['**%', 'a/b', true],
    ['inbox', 'INBOX', true],
    ['iNb%', 'INBOX', true],
    ['sent', 'Sent', false]
  ] as const) {
    assert.equal(matchesMailbox(pattern, name), expected, `${pattern} ${name}`)
  }
})

test('a pattern of many wildcards takes little time', () => {
  const match = () => matchesMailbox(`${'*%a'.repeat(80)}b`, 'a'.repeat(255))
  assert.equal(match(), false)
  assert.ok(leastMs(match, 1000) < 1000)
})

test('names that a mailbox can have', () => {
  assert.equal(mailboxFrom('inBox'), 'INBOX')
  assert.equal(mailboxFrom('Inbox/a'), 'INBOX/a')
  for (const name of ['', '/a', 'a//b', 'a*', 'a%', 'a\r\nb', 'a'.repeat(256), '\ud800']) {
    assert.throws(() => checkNewName(name), { code: 'CANNOT' }, name)
  }
  checkNewName('Büro/2024 & mehr')
})
