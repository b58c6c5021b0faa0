import assert from 'node:assert/strict'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { MAIL_CORPUS, utf8 } from '../../../../../test/support/mail-corpus.ts'
import { scratchFolder } from '../../../../../test/support/scratch-folder.ts'
import { createFiles, FileTooLarge } from '../../../../kernel/files/files.ts'
import { openFileFolder } from '../../../../kernel/files/folder.ts'
import { attachmentsOf } from './attachments.ts'
import { readHeaderFields, readHeaders } from './header-fields.ts'
import { openPart, openSection } from './read-part.ts'
import { readHtml, readText } from './read-text.ts'
import { receiveMessage } from './receive.ts'
import { matchesEnvelope, matchesHeader, matchesText } from './search.ts'

const files = createFiles(openFileFolder(join(scratchFolder(), 'files'), { durable: false }))

async function receive(binary: string, chunkSize = 7) {
  const bytes = Buffer.from(binary, 'latin1')
  async function* source() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
  }
  const { file, facts } = await receiveMessage(files, source(), { maxBytes: 100_000 })
  return { file, ...facts }
}

test('a message is stored as it came, with complete line ends', async () => {
  for (const binary of Object.values(MAIL_CORPUS)) {
    for (const chunkSize of [1, 5, 10_000]) {
      const { file, root } = await receive(binary, chunkSize)
      const stored = await buffer(await openSection(files, file, [0, file.size]))
      assert.equal(stored.toString('latin1'), binary.replace(/\r?\n/g, '\r\n'))
      assert.equal(root.body[1], file.size)
    }
  }
})

test('a message that is too large is rejected', async () => {
  await assert.rejects(receive('x'.repeat(100_001), 1000), FileTooLarge)
  await assert.rejects(receive('\n'.repeat(50_001), 1000), FileTooLarge)
})

test('text, HTML and attachments are decoded', async () => {
  const message = await receive(MAIL_CORPUS['alternative and related'] ?? '')
  assert.deepEqual(await readText(files, message), { text: 'Grüße', isCut: false })
  assert.deepEqual(await readText(files, message, 3), { text: 'Grü', isCut: true })
  const html = '<img src="cid:i@example.test">'
  assert.deepEqual(await readHtml(files, message), { text: html, isCut: false })
  const [image, ...others] = attachmentsOf(message.root)
  assert.equal(others.length, 0)
  assert.ok(image !== undefined)
  const { number, type, name, id, isEmbedded, isInline } = image
  assert.deepEqual(
    { number, type, name, id, isEmbedded, isInline },
    {
      number: '2.2',
      type: 'image/png',
      name: undefined,
      id: 'i@example.test',
      isEmbedded: true,
      isInline: true
    }
  )
  const content = await buffer(openPart(files, message.file, image.part))
  assert.deepEqual(content, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
  assert.equal(await readHtml(files, await receive('Subject: a\r\n\r\nb')), undefined)
})

test('texts in other charsets are decoded', async () => {
  const texts: Readonly<Record<string, readonly [bytes: string, text: string]>> = {
    'iso-8859-1': ['Gr\u00fc\u00dfe', 'Grüße'],
    'windows-1252': ['\u0080', '€'],
    'koi8-r': ['\u00d0\u00d2\u00c9\u00d7\u00c5\u00d4', 'привет'],
    'iso-2022-jp': ['\x1b$B$3$s$K$A$O\x1b(B', 'こんにちは'],
    gb18030: ['\u00c4\u00e3\u00ba\u00c3', '你好'],
    'utf-7': ['+AOQ-', 'ä'],
    'us-ascii': [utf8('ä'), 'ä'],
    'no-such-charset': [utf8('ä'), 'ä']
  }
  for (const [charset, [bytes, text]] of Object.entries(texts)) {
    const message = await receive(`Content-Type: text/plain; charset=${charset}\r\n\r\n${bytes}`, 1)
    assert.equal((await readText(files, message))?.text, text, charset)
  }
})

test('names of attachments are safe', async () => {
  const message = await receive(
    'Content-Type: image/svg+xml\r\n' +
      `Content-Disposition: attachment; filename="../..\\\\a${utf8('ü')}\tb.svg"\r\n\r\nx`
  )
  assert.deepEqual(
    attachmentsOf(message.root).map(({ name }) => name),
    ['.._.._aü b.svg']
  )
})

test('header fields, decoded and as they came', async () => {
  const message = await receive(MAIL_CORPUS.folded ?? '')
  assert.deepEqual((await readHeaders(files, message)).slice(0, 2), [
    { name: 'Subject', value: 'a long subject in three lines' },
    { name: 'To', value: 'a@example.test,  b@example.test' }
  ])
  const { file, root } = message
  const select = async (names: readonly string[], isNot: boolean) => {
    const bytes = await readHeaderFields(files, file, root.header, { names, isNot })
    return bytes.toString('latin1')
  }
  assert.equal(await select(['to'], false), 'To: a@example.test,\r\n  b@example.test\r\n\r\n')
  assert.equal(await select(['none'], false), '\r\n')
  const rest = await select(['SUBJECT', 'To', 'In-Reply-To'], true)
  assert.equal(rest, 'Message-ID:\r\n <folded@example.test>\r\n\r\n')
  const unended = await receive('Subject: a')
  const subject = await readHeaderFields(files, unended.file, unended.root.header, {
    names: ['subject'],
    isNot: false
  })
  assert.equal(subject.toString(), 'Subject: a\r\n\r\n')
})

test('searches find decoded texts', async () => {
  const message = await receive(
    [
      'From: =?utf-8?q?Gr=C3=A4ce?= <grace@example.test>',
      'Subject: =?utf-8?q?Z=C3=BCrich?=',
      'X-Tag: =?utf-8?b?w6TDtsO8?=',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=FC=DFe aus dem S=',
      'den',
      '--b',
      'Content-Type: application/octet-stream; name=secret.bin',
      '',
      'hidden',
      '--b--'
    ].join('\r\n')
  )
  assert.ok(matchesEnvelope(message.envelope, 'from', 'GRÄCE <grace@'))
  assert.ok(matchesEnvelope(message.envelope, 'subject', 'zürich'))
  assert.ok(!matchesEnvelope(message.envelope, 'to', 'grace'))
  assert.ok(await matchesHeader(files, message, 'x-tag', 'ÄÖ'))
  assert.ok(await matchesHeader(files, message, 'x-tag', ''))
  assert.ok(!(await matchesHeader(files, message, 'x-other', '')))
  const found = async (text: string, scope: 'body' | 'text') =>
    matchesText(files, message, text, scope)
  assert.ok(await found('GRÜßE aus dem Sden', 'body'))
  assert.ok(!(await found('zürich', 'body')))
  assert.ok(await found('zürich', 'text'))
  assert.ok(await found('secret.bin', 'text'))
  assert.ok(!(await found('secret.bin', 'body')))
  assert.ok(!(await found('hidden', 'text')))
})
