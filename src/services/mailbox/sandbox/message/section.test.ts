import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAIL_CORPUS } from '../../../../../test/support/mail-corpus.ts'
import { createMessageScanner } from './scanner.ts'
import { findSection, leavesOf, type SectionKind } from './section.ts'

function read(name: string, path: string, kind: SectionKind): string | undefined {
  const binary = MAIL_CORPUS[name] ?? ''
  const scanner = createMessageScanner()
  scanner.write(Buffer.from(binary, 'latin1'))
  const numbers = path === '' ? [] : path.split('.').map(Number)
  const section = findSection(scanner.finish().root, numbers, kind)
  return section === undefined ? undefined : binary.slice(...section)
}

test('sections of a message without parts', () => {
  const body = 'Hello Bob,\r\nhow are you?\r\n'
  assert.equal(read('plain', '', 'all'), MAIL_CORPUS.plain)
  assert.equal(read('plain', '', 'text'), body)
  assert.equal(read('plain', '1', 'all'), body)
  assert.equal(read('plain', '', 'header'), MAIL_CORPUS.plain?.slice(0, -body.length))
  assert.equal(read('plain', '1', 'mime'), MAIL_CORPUS.plain?.slice(0, -body.length))
  for (const path of ['2', '1.1', '0']) assert.equal(read('plain', path, 'all'), undefined)
  assert.equal(read('plain', '1', 'header'), undefined)
  assert.equal(read('plain', '', 'mime'), undefined)
})

test('sections of a message in a message', () => {
  const name = 'message in message'
  assert.equal(read(name, '1', 'mime'), 'Content-Type: message/rfc822\r\n\r\n')
  assert.match(read(name, '1', 'header') ?? '', /^Subject: inner\r\n[\s\S]*\r\n\r\n$/)
  assert.equal(read(name, '1', 'text'), '--c\r\n\r\ninner one\r\n--c--\r\n')
  assert.equal(read(name, '1.1', 'all'), 'inner one')
  assert.equal(read(name, '1.1', 'mime'), '\r\n')
  assert.equal(read(name, '1.2', 'all'), undefined)
  assert.equal(read('message at the top', '1', 'header'), 'Subject: inner\r\n\r\n')
  assert.equal(read('message at the top', '1.1', 'all'), 'inner body\r\n')
})

test('leaves have the numbers of their sections', () => {
  const scanner = createMessageScanner()
  scanner.write(Buffer.from(MAIL_CORPUS['alternative and related'] ?? '', 'latin1'))
  assert.deepEqual(
    leavesOf(scanner.finish().root).map(({ path, part, isRelated }) => [
      path,
      part.type,
      isRelated
    ]),
    [
      ['1', 'text/plain', false],
      ['2.1', 'text/html', true],
      ['2.2', 'image/png', true]
    ]
  )
})
