/** Imported by mailbox-dovecot.test.ts: what the comparison with Dovecot finds and what it does not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseResponse } from '../support/imap-response.ts'
import { emptyView, normalise } from '../support/mailbox-normalise.ts'

function read(verb: string, ...lines: readonly string[]): readonly string[] {
  const view = emptyView()
  const memory = { validities: [], validity: '1', checkpoints: [10] }
  const select = ['* 4 EXISTS', 'a OK'].map(parseResponse)
  normalise({ verb: 'SELECT', responses: select, view, memory })
  return normalise({ verb, responses: lines.map(parseResponse), view, memory })
}

test('what servers choose does not count', () => {
  const one = read('FETCH', '* 1 FETCH (UID 7 FLAGS (\\Seen a))', '* 0 RECENT', 'a OK [X] done')
  const other = read('FETCH', '* 1 FETCH (FLAGS (a \\Recent \\Seen))', '* 1 FETCH (UID 7)', 'b OK')
  assert.deepEqual(one, other)
  assert.deepEqual(
    read('EXPUNGE', '* 3 EXPUNGE', '* 1 EXPUNGE', 'a OK'),
    read('EXPUNGE', '* 1 EXPUNGE', '* 2 EXPUNGE', 'a OK')
  )
  assert.deepEqual(
    read('FETCH', '* 2 FETCH (BODY[] "ab")', 'a OK'),
    read('FETCH', '* 2 FETCH (BODY[] {2}\r\nab)', 'a OK')
  )
  assert.deepEqual(
    read('UID COPY', 'a OK [COPYUID 5 1:3 4:6]'),
    read('UID COPY', 'a OK [COPYUID 9 1,2,3 4,5:6]')
  )
})

test('what clients rely on counts', () => {
  const pairs: readonly (readonly [string, string])[] = [
    ['* 1 FETCH (FLAGS (\\Seen))', '* 1 FETCH (FLAGS ())'],
    ['* 1 FETCH (FLAGS (\\Seen))', '* 2 FETCH (FLAGS (\\Seen))'],
    ['* 1 EXPUNGE', '* 2 EXPUNGE'],
    ['* 5 EXISTS', '* 6 EXISTS'],
    ['* 3 EXISTS', '* 4 EXISTS'],
    ['* SEARCH 1 2', '* SEARCH 1'],
    ['* 1 FETCH (MODSEQ (10))', '* 1 FETCH (MODSEQ (11))'],
    ['* 1 FETCH (BODY[] "ab")', '* 1 FETCH (BODY[] "ac")'],
    ['* LIST (\\HasChildren) "/" a', '* LIST (\\HasNoChildren) "/" a'],
    ['* STATUS a (MESSAGES 1)', '* STATUS a (MESSAGES 2)'],
    ['* VANISHED 1', '* VANISHED (EARLIER) 1'],
    ['* OK [UIDNEXT 1]', '* OK [UIDNEXT 2]'],
    ['a OK', 'a NO']
  ]
  for (const [one, other] of pairs) {
    assert.notDeepEqual(read('X', one), read('X', other), `${one} and ${other}`)
  }
})
