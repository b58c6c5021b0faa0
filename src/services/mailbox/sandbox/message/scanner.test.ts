import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EFFORT } from '../../../../../test/support/effort.ts'
import { MAIL_CORPUS, randomLines, utf8 } from '../../../../../test/support/mail-corpus.ts'
import { createRandom } from '../../../../../test/support/random.ts'
import type { MessageFacts, MessagePart } from './facts.ts'
import { SCAN_LIMITS } from './scan-limits.ts'
import { createMessageScanner } from './scanner.ts'

function scan(binary: string, limits = SCAN_LIMITS): MessageFacts {
  const scanner = createMessageScanner(limits)
  scanner.write(Buffer.from(binary, 'latin1'))
  return scanner.finish()
}

function outline(part: MessagePart): unknown {
  return part.parts.length === 0 ? part.type : [part.type, ...part.parts.map(outline)]
}

function bodyOf(binary: string, part: MessagePart | undefined): string {
  return binary.slice(...(part?.body ?? [0, 0]))
}

function corpusMessage(name: string): string {
  const message = MAIL_CORPUS[name]
  assert.ok(message !== undefined, name)
  return message
}

test('facts do not depend on how the bytes are divided', () => {
  const random = createRandom(21)
  const randomMessages = Array.from({ length: 300 * EFFORT }, () => randomLines(random))
  for (const binary of [...Object.values(MAIL_CORPUS), ...randomMessages]) {
    const bytes = Buffer.from(binary, 'latin1')
    const whole = scan(binary)
    const byBytes = createMessageScanner()
    const reused = Buffer.alloc(1)
    for (const byte of bytes) {
      // A source may use its buffer again.
      reused[0] = byte
      byBytes.write(reused)
    }
    assert.deepEqual(byBytes.finish(), whole, binary)
    const inPieces = createMessageScanner()
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + random.below(20)
      inPieces.write(bytes.subarray(at, at + size))
      at += size
    }
    assert.deepEqual(inPieces.finish(), whole, binary)
  }
})

test('parts are within their parents, one after the other, and lines are counted', () => {
  const random = createRandom(22)
  const messages = Array.from({ length: 500 * EFFORT }, () => randomLines(random))
  for (const binary of [...Object.values(MAIL_CORPUS), ...messages]) {
    const { root } = scan(binary)
    assert.deepEqual([root.header[0], root.body[1]], [0, binary.length], binary)
    checkParts(binary, root)
  }
})

function checkParts(binary: string, part: MessagePart): void {
  const { header, body, lines, parts } = part
  assert.ok(header[0] <= header[1] && header[1] === body[0] && body[0] <= body[1], binary)
  assert.equal(lines, binary.slice(...body).split('\n').length - 1, binary)
  let end = body[0]
  for (const child of parts) {
    assert.ok(child.header[0] >= end && child.body[1] <= body[1], binary)
    end = child.body[1]
    checkParts(binary, child)
  }
}

test('the parts of a multipart are its children, without the line ends of the boundaries', () => {
  const binary = corpusMessage('multipart')
  const { root } = scan(binary)
  assert.deepEqual(outline(root), ['multipart/mixed', 'text/plain', 'application/octet-stream'])
  assert.deepEqual(
    root.parts.map((part) => bodyOf(binary, part)),
    ['one', 'AAEC']
  )
  assert.equal(root.parts[1]?.encoding, 'base64')
  assert.deepEqual(root.parts[1]?.disposition, {
    type: 'attachment',
    parameters: { filename: 'a.bin' }
  })
})

test('messages in messages and digests have the envelope of the inner message', () => {
  const { root } = scan(corpusMessage('message in message'))
  assert.deepEqual(outline(root), [
    'multipart/mixed',
    ['message/rfc822', ['multipart/mixed', 'text/plain']]
  ])
  assert.equal(root.parts[0]?.envelope?.subject, 'inner')
  const digest = scan(corpusMessage('digest')).root
  assert.deepEqual(outline(digest), [
    'multipart/digest',
    ['message/rfc822', 'text/plain'],
    'text/plain'
  ])
  assert.equal(digest.parts[0]?.envelope?.subject, 'first')
})

test('broken boundaries lose no part', () => {
  const unclosed = corpusMessage('inner multipart without an end')
  const { root } = scan(unclosed)
  assert.deepEqual(outline(root), [
    'multipart/mixed',
    ['multipart/mixed', 'text/plain'],
    'text/plain'
  ])
  assert.equal(bodyOf(unclosed, root.parts[1]), 'outer')
  const longer = scan(corpusMessage('boundary with a longer one in it')).root
  assert.deepEqual(outline(longer), [
    'multipart/mixed',
    ['multipart/mixed', 'text/plain'],
    'text/plain'
  ])
  assert.deepEqual(outline(scan(corpusMessage('boundary never found')).root), 'multipart/mixed')
})

test('the summary is decoded', () => {
  const facts = scan(
    [
      'Date: Mon, 1 Jan 2024 10:00:00 +0100',
      'From: =?utf-8?q?Gr=C3=A4ce?= <grace@example.test>',
      `To: ${utf8('Zoë')} <${utf8('zoë')}@example.test>, friends: a@example.test;`,
      'Cc: c@example.test',
      'Subject: =?utf-8?q?Gr=C3=BC?= =?utf-8?q?=C3=9Fe?=',
      'Message-ID: <3@example.test>',
      'References: <1@example.test> <2@example.test>',
      'In-Reply-To: <2@example.test>',
      'Content-Type: text/html; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<style>p{}</style><p>Gr=FC=DFe &amp; more</p>'
    ].join('\r\n')
  )
  assert.equal(facts.subject, 'Grüße')
  assert.deepEqual(facts.from, [{ name: 'Gräce', address: 'grace@example.test' }])
  assert.deepEqual(facts.recipients, [
    { name: 'Zoë', address: 'zoë@example.test' },
    { name: 'friends', address: '' },
    { name: '', address: 'a@example.test' },
    { name: '', address: 'c@example.test' }
  ])
  assert.equal(facts.sentAt, Date.UTC(2024, 0, 1, 9))
  assert.deepEqual(facts.references, ['<3@example.test>', '<1@example.test>', '<2@example.test>'])
  assert.equal(facts.preview, 'Grüße & more')
})

test('the preview is of the first text, else of the first HTML, and short', () => {
  assert.equal(scan(corpusMessage('alternative and related')).preview, 'Grüße')
  assert.equal(scan(corpusMessage('multipart')).preview, 'one')
  const long = scan(`Subject: a\r\n\r\n${'word '.repeat(1000)}`).preview
  assert.equal(long, 'word '.repeat(40).trim())
})

test('depth, number of parts, headers and addresses are limited', () => {
  const limits = { ...SCAN_LIMITS, depth: 3, parts: 5, headerBytes: 200, addresses: 3 }
  const nested = Array.from(
    { length: 10 },
    (_, level) => `Content-Type: multipart/mixed; boundary=x${level}\r\n\r\n--x${level}`
  )
  const deep = scan(nested.join('\r\n'), limits).root
  assert.deepEqual(outline(deep), [
    'multipart/mixed',
    ['multipart/mixed', ['multipart/mixed', 'multipart/mixed']]
  ])
  const many = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(20)}--b--`
  assert.equal(scan(many, limits).root.parts.length, 4)
  const messages = 'Content-Type: message/rfc822\r\n\r\n'.repeat(200)
  assert.equal(scan(messages).root.parts.length, 1)
  const header = `To: ${'a@b.test, '.repeat(10)}\r\nX: ${'x'.repeat(300)}\r\nSubject: late\r\n\r\nx`
  const facts = scan(header, limits)
  assert.equal(facts.envelope.to.length, 3)
  assert.equal(facts.subject, '')
  assert.equal(bodyOf(header, facts.root), 'x')
})

test('facts survive JSON, and texts have no character that a database rejects', () => {
  const binary = [
    'Subject: a\0b =?utf-8?q?=00=ED=A0=80?=',
    'From: "\0" <\0@example.test>',
    'Content-Type: text/plain; __proto__=x; constructor=y; charset=utf-16',
    '',
    '\0\xd8\0'
  ].join('\r\n')
  const facts = scan(binary)
  const json = JSON.stringify(facts)
  assert.equal(JSON.stringify(JSON.parse(json)), json)
  assert.deepEqual(Object.entries(facts.root.parameters), [
    ['__proto__', 'x'],
    ['constructor', 'y'],
    ['charset', 'utf-16']
  ])
  const texts = [facts.subject, facts.preview, ...facts.from.map(({ name }) => name)]
  for (const text of [...texts, ...facts.references]) {
    assert.ok(!text.includes('\0') && text.isWellFormed(), JSON.stringify(text))
  }
})

/** Texts that are repeated as long as a header may be, after a start. */
const HOSTILE: Readonly<Record<string, readonly [start: string, repeated: string]>> = {
  'one endless line': ['', 'x'],
  'endless header': ['Subject: ', 'x '],
  'many header lines': ['', 'a: b\r\n'],
  'folded lines': ['To: a', '\r\n ,a'],
  'open comments': ['To: ', '('],
  'comments in a list': ['To: ', 'a(,'],
  'open quotes': ['To: ', '"a'],
  'open angles': ['To: ', '<a'],
  'many words': ['To: ', 'a '],
  groups: ['To: ', 'a:'],
  routes: ['To: <', '@a,'],
  'encoded words': ['Subject: ', '=?utf-8?q?'],
  'complete encoded words': ['Subject: ', '=?utf-8?q?a?= '],
  'starts of encoded words': ['Subject: ', '=?'],
  'spaces after encoded words': ['Subject: =?utf-8?q?a?=', ' '],
  parameters: ['Content-Type: a/b', ';a*1*=b'],
  semicolons: ['Content-Type: a/b', ';'],
  dashes: ['Content-Type: multipart/mixed; boundary=-\r\n\r\n', '--\r\n'],
  boundaries: ['Content-Type: multipart/mixed; boundary=b\r\n\r\n', '--b\r\n'],
  messages: ['', 'Content-Type: message/rfc822\r\n\r\n'],
  'open tags': ['Content-Type: text/html\r\n\r\n', '<a '],
  dates: ['Date: ', '1 '],
  'comments in dates': ['Date: ', '('],
  ids: ['References: ', '<']
}

const ATTEMPTS = 5

function cpuOfScan(name: string, [start, repeated]: readonly [string, string], size: number) {
  const bytes = Buffer.from(start + repeated.repeat(size / repeated.length), 'latin1')
  const before = process.cpuUsage()
  const scanner = createMessageScanner()
  scanner.write(bytes)
  assert.ok(scanner.finish().root, name)
  const { user, system } = process.cpuUsage(before)
  return user + system
}

test('the time that a message takes grows with its length, not with the square of it', () => {
  for (const [name, pattern] of Object.entries(HOSTILE)) {
    // Eight times as much by length, 64 times by its square; short times are not measured well.
    const limit = 40 * Math.max(cpuOfScan(name, pattern, 30_000), 5000)
    let many = Number.POSITIVE_INFINITY
    // A shared machine may stop the process meanwhile.
    for (let attempt = 0; attempt < ATTEMPTS && many >= limit; attempt++) {
      many = Math.min(many, cpuOfScan(name, pattern, 240_000))
    }
    assert.ok(many < limit, `${name}: ${many} µs, at most ${limit} µs`)
  }
})
