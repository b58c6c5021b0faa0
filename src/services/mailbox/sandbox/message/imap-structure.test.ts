import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAIL_CORPUS } from '../../../../../test/support/mail-corpus.ts'
import { imapString } from './imap-strings.ts'
import { formatBodyStructure, formatEnvelope } from './imap-structure.ts'
import { createMessageScanner } from './scanner.ts'

function scan(name: string) {
  const scanner = createMessageScanner()
  scanner.write(Buffer.from(MAIL_CORPUS[name] ?? '', 'latin1'))
  return scanner.finish()
}

test('ENVELOPE', () => {
  const ada = '(("Ada Lovelace" NIL "ada" "example.test"))'
  assert.equal(
    formatEnvelope(scan('plain').envelope),
    `("Mon, 1 Jan 2024 10:00:00 +0100" "Hello" ${ada} ${ada} ${ada}` +
      ' ((NIL NIL "bob" "example.test")) NIL NIL NIL "<1@example.test>")'
  )
})

test('BODY and BODYSTRUCTURE', () => {
  const { root } = scan('multipart')
  const text = '"text" "plain" ("charset" "us-ascii") NIL NIL "7bit" 3 0'
  const file = '"application" "octet-stream" ("name" "a.bin") NIL NIL "base64" 4'
  assert.equal(formatBodyStructure(root, false), `((${text})(${file}) "mixed")`)
  assert.equal(
    formatBodyStructure(root, true),
    `((${text} NIL NIL NIL NIL)(${file} NIL ("attachment" ("filename" "a.bin")) NIL NIL)` +
      ' "mixed" ("boundary" "b") NIL NIL NIL)'
  )
})

test('strings are quoted, or literals where quoting is not possible', () => {
  const strings: Readonly<Record<string, string>> = {
    '': '""',
    'a "b" \\': '"a \\"b\\" \\\\"',
    'a\r\nb': '{4}\r\na\r\nb',
    '\u00e4': '{1}\r\n\u00e4',
    'a\0': '{2}\r\na\u0080',
    '""""""': '{6}\r\n""""""'
  }
  for (const [text, string] of Object.entries(strings)) assert.equal(imapString(text), string)
})
