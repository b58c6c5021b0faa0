import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeFlags, flagColumns, normaliseFlags, parseFlags } from './flags.ts'

test('system flags are recognised in any case and come first', () => {
  const given = ['zebra', '\\SEEN', '$Forwarded', '\\answered', '\\Seen']
  assert.deepEqual(normaliseFlags(given), ['\\Answered', '\\Seen', '$Forwarded', 'zebra'])
})

test('keywords that differ only in case are one, in the first spelling', () => {
  assert.deepEqual(normaliseFlags(['Work', 'WORK', 'work']), ['Work'])
  assert.deepEqual(changeFlags(['Work'], 'add', ['WORK', 'new']), ['Work', 'new'])
  assert.deepEqual(changeFlags(['Work', 'other'], 'remove', ['wORK']), ['other'])
  assert.deepEqual(changeFlags(['Work', 'other'], 'replace', ['wORK']), ['wORK'])
})

test('what is no atom, and flags that only the server sets, are ignored', () => {
  const given = ['\\Recent', '\\Unknown', 'a b', 'a(', 'a)', 'a{', 'a%', 'a*', 'a"', 'a\\', 'a]']
  assert.deepEqual(normaliseFlags([...given, '', 'a\0', 'ä', '\x7f', 'x'.repeat(256)]), [])
  const atoms = ['!', '#', '$', '&', "'", '+', ',', '-', '.', '/', '0', ':', ';', '<', '=', '>']
  assert.deepEqual(normaliseFlags(atoms), atoms)
  assert.deepEqual(
    normaliseFlags(['?', '@', 'A', '[', '^', '_', '`', 'z', '|', '}', '~']).length,
    11
  )
})

test('a message has at most 100 keywords, besides its system flags', () => {
  const many = Array.from({ length: 150 }, (_, index) => `k${index}`)
  const flags = normaliseFlags([...many, '\\Draft'])
  assert.equal(flags.length, 101)
  assert.equal(changeFlags(flags, 'add', ['more', '\\Seen']).length, 102)
})

test('columns can be read back', () => {
  const columns = flagColumns(['\\Deleted', '\\Seen', 'x'])
  assert.deepEqual(columns, { flags: '\\Deleted \\Seen x', is_seen: 1, is_deleted: 1 })
  assert.deepEqual(parseFlags(columns.flags), ['\\Deleted', '\\Seen', 'x'])
  assert.deepEqual(parseFlags(flagColumns([]).flags), [])
})
