import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastMs } from '../../../../test/support/least-ms.ts'
import { parseFetchLine } from './fetch-line.ts'

/** Without what a response does not tell. */
function parse(line: string) {
  const parsed = parseFetchLine(Buffer.from(line))
  return parsed && JSON.parse(JSON.stringify(parsed))
}

test('UID and flags are read in any order and between other items', () => {
  assert.deepEqual(parse('* 12 FETCH (UID 5 FLAGS (\\Seen $Forwarded))'), {
    uid: 5,
    flags: ['\\Seen', '$Forwarded']
  })
  assert.deepEqual(parse('* 4294967295 fetch (flags () modseq (624140003) uid 4294967295)'), {
    uid: 4_294_967_295,
    flags: []
  })
  const items =
    'INTERNALDATE "17-Jul-1996 02:44:25 -0700" EMAILID (M6d) THREADID NIL RFC822.SIZE 4286'
  const internalDate = '17-Jul-1996 02:44:25 -0700'
  const expected = { uid: 7, flags: ['a'], internalDate }
  assert.deepEqual(parse(`* 1 FETCH (${items} UID 7 FLAGS (a))`), expected)
  assert.deepEqual(parse(`* 1 FETCH (UID 7 ${items})`), { uid: 7, internalDate })
})

test('labels may be quoted, with spaces and parentheses', () => {
  const labels = '("\\\\Inbox" Work "a \\"b\\" (c)" \\Sent "&ZeVnLIqe-" "")'
  assert.deepEqual(parse(`* 1 FETCH (X-GM-LABELS ${labels} UID 5 FLAGS ())`), {
    uid: 5,
    flags: [],
    labels: ['\\Inbox', 'Work', 'a "b" (c)', '\\Sent', '&ZeVnLIqe-', '']
  })
  assert.deepEqual(parse('* 1 FETCH (UID 5 FLAGS () X-GM-LABELS ())')?.labels, [])
})

test('keywords beyond ASCII are text', () => {
  assert.deepEqual(parse('* 1 FETCH (UID 5 FLAGS (größe))')?.flags, ['größe'])
})

test('all other responses are left to imapflow', () => {
  for (const line of [
    '* 1 FETCH (FLAGS (\\Seen))',
    '* 1 FETCH (UID 5)',
    '* 1 FETCH (UID 0 FLAGS ())',
    '* 1 FETCH (UID 4294967296 FLAGS ())',
    '* 1 FETCH (UID -5 FLAGS ())',
    '* 1 FETCH (UID 5.5 FLAGS ())',
    '* 1 FETCH (UID x FLAGS ())',
    '* 1 FETCH (UID 5 FLAGS \\Seen)',
    '* 1 FETCH (UID 5 FLAGS (\\Seen)) x',
    '* 1 FETCH (UID 5 FLAGS (\\Seen)',
    '* 1 FETCH (UID 5 FLAGS ((\\Seen)))',
    '* 1 FETCH (UID 5 FLAGS () X-GM-LABELS ({4}))',
    '* 1 FETCH (UID 5 FLAGS () BODY[] {4})',
    '* 1 FETCH (UID 5 FLAGS () BODY[] "a")',
    '* 1 FETCH (UID 5  FLAGS ())',
    '* 1 FETCH ()',
    '* 1 FETCH (',
    '* 1 EXPUNGE',
    'a1 FETCH (UID 5 FLAGS ())',
    '* 1 FETCH (UID 5 FLAGS () ENVELOPE ("x" NIL (("a" NIL "b" "c")) NIL))'
  ]) {
    assert.equal(parse(line), undefined, line)
  }
  assert.equal(parse(`* 1 FETCH (UID 5 FLAGS (${'a '.repeat(33_000)}))`), undefined)
})

test('long lines that never end are given up in time', () => {
  const parseAll = () => {
    for (const part of ['a ', '"', '"\\', '(', '"" ', 'UID 5 ', 'FLAGS () ']) {
      const text = part.repeat(Math.floor(60_000 / part.length))
      assert.equal(parse(`* 1 FETCH (UID 5 FLAGS (${text}`), undefined)
      assert.equal(parse(`* 1 FETCH (${text}`), undefined)
    }
  }
  assert.ok(leastMs(parseAll, 1000) < 1000)
})
