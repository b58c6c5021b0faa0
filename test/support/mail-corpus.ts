import type { Random } from './random.ts'

/** Messages by name, as binary strings: common, unusual and malformed ones. */
export const MAIL_CORPUS: Readonly<Record<string, string>> = {
  empty: '',
  'body only': mail('', 'no header at all'),
  'header only': 'Subject: no body',
  'header without empty line': 'Subject: a\r\nFrom: a@example.test\r\n',
  plain: mail(
    'Date: Mon, 1 Jan 2024 10:00:00 +0100',
    'From: Ada Lovelace <ada@example.test>',
    'To: bob@example.test',
    'Subject: Hello',
    'Message-ID: <1@example.test>',
    '',
    'Hello Bob,',
    'how are you?',
    ''
  ),
  'last line without end': mail('Subject: a', '', 'one', 'two'),
  'bare line feeds': 'Subject: a\nTo: b@example.test\n\none\ntwo\n',
  'encoded words': mail(
    'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?= =?utf-8?b?4oKs?=',
    'From: =?iso-8859-1?q?Gr=E4ce?= <g@example.test>',
    '',
    'x'
  ),
  'bytes above 127': mail(
    `Subject: ${utf8('Grüße €')}`,
    `From: ${utf8('Grüße')} <${utf8('grüße')}@${utf8('exämple')}.test>`,
    'To: Gr\u00e4ce <g@example.test>',
    '',
    utf8('Grüße')
  ),
  folded: mail(
    'Subject: a long',
    ' subject',
    '\tin three lines',
    'To: a@example.test,',
    '  b@example.test',
    'Message-ID:',
    ' <folded@example.test>',
    'In-Reply-To: <1@example.test>',
    ' <2@example.test>',
    '',
    ''
  ),
  'white space': mail('Subject:  two  spaces \t and a tab ', 'From:   a@example.test  ', '', ''),
  'empty values': mail('Subject:', 'From:', 'To: ', 'Date:', 'Message-ID: ', '', ''),
  'fields twice': mail(
    'Subject: one',
    'Subject: two',
    'From: a@example.test',
    'From: b@example.test',
    'Message-ID: <1@example.test>',
    'Message-ID: <2@example.test>',
    '',
    ''
  ),
  'odd names': mail('subject : space before the colon', 'FROM: a@example.test', 'no colon', '', ''),
  addresses: mail(
    'From: "Lovelace, Ada" <ada@example.test>',
    'Sender: ada@example.test (Ada (the first) Lovelace)',
    'Reply-To: <ada@example.test>',
    'To: friends: a@example.test, "B \\"b\\" B" <b@example.test>;, c@example.test',
    'Cc: undisclosed-recipients:;',
    'Bcc: <@relay.test,@other.test:user@example.test>',
    '',
    ''
  ),
  'odd addresses': mail(
    'From: root',
    'Sender: Ada Lovelace',
    'Reply-To: "quoted only"',
    'To: a@[127.0.0.1], "odd local"@example.test, a . b @ example . test',
    'Cc: <>, <a>, <a@>, a@, @example.test',
    'Bcc: one two@example.test, three@example.test four, ;',
    '',
    ''
  ),
  'malformed addresses': mail(
    'From: "never closed <a@example.test>',
    'Sender: a@example.test (never closed',
    'Reply-To: Ada <a@example.test',
    'To: group: a@example.test, b@example.test',
    'Cc: a@example.test,,b@example.test, ,',
    'Bcc: A. Name <a@example.test>, .dot@example.test, a..b@example.test, a.@example.test',
    '',
    ''
  ),
  'text with parameters': mail(
    'MIME-Version: 1.0',
    'Content-Type: TEXT/Html; CHARSET="UTF-8"; format=flowed (comment)',
    'Content-Transfer-Encoding: QUOTED-PRINTABLE',
    'Content-Language: en, de-DE',
    'Content-Location: http://example.test/a',
    'Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==',
    'Content-ID: <a@example.test>',
    'Content-Description: A text',
    'Content-Disposition: inline; filename="a.html"',
    '',
    '<p>Gr=C3=BC=C3=9Fe</p>'
  ),
  'content fields without MIME': mail(
    'Content-Transfer-Encoding: base64',
    'Content-ID: <a@example.test>',
    '',
    'aGVsbG8='
  ),
  'odd types': mail('Content-Type: text', '', 'x'),
  'unknown type': mail('Content-Type: foo', '', 'x'),
  'empty type': mail('Content-Type:', '', 'x'),
  'broken type': mail('Content-Type: text/plain charset=utf-8', '', 'x'),
  'broken parameters': mail('Content-Type: text/plain; =x; charset; name=; a=b=c; ok=1;', '', 'x'),
  'odd encoding': mail('MIME-Version: 1.0', 'Content-Transfer-Encoding: 8bit; x=y', '', 'x'),
  'long parameters': mail(
    'Content-Type: application/x-a; name*0="part one "; name*1="part two"',
    "Content-Disposition: attachment; filename*0*=utf-8'en'%e2%82%ac; filename*1=%20.txt",
    '',
    'x'
  ),
  'parameters with a gap': mail('Content-Type: application/x-a; name*0=a; name*2=c', '', 'x'),
  'encoded parameter': mail(
    "Content-Disposition: attachment; filename*=utf-8''gr%C3%BC%C3%9Fe.txt",
    'Content-Type: application/octet-stream; name="=?utf-8?q?gr=C3=BC?="',
    '',
    'x'
  ),
  multipart: multipart('mixed', 'b', [
    'preamble',
    '--b',
    'Content-Type: text/plain',
    '',
    'one',
    '--b',
    'Content-Type: application/octet-stream; name=a.bin',
    'Content-Disposition: attachment; filename=a.bin',
    'Content-Transfer-Encoding: base64',
    '',
    'AAEC',
    '--b--',
    'epilogue'
  ]),
  'alternative and related': multipart('alternative', 'a', [
    '--a',
    'Content-Type: text/plain; charset=utf-8',
    '',
    utf8('Grüße'),
    '--a',
    'Content-Type: multipart/related; boundary="r"',
    '',
    '--r',
    'Content-Type: text/html',
    '',
    '<img src="cid:i@example.test">',
    '--r',
    'Content-Type: image/png',
    'Content-ID: <i@example.test>',
    'Content-Transfer-Encoding: base64',
    '',
    'iVBORw0KGgo=',
    '--r--',
    '--a--',
    ''
  ]),
  'message in message': multipart('mixed', 'b', [
    '--b',
    'Content-Type: message/rfc822',
    '',
    'Subject: inner',
    'From: i@example.test',
    'Content-Type: multipart/mixed; boundary=c',
    '',
    '--c',
    '',
    'inner one',
    '--c--',
    '--b--',
    ''
  ]),
  'message at the top': mail(
    'Content-Type: message/rfc822',
    '',
    'Subject: inner',
    '',
    'inner body',
    ''
  ),
  'message without header end': multipart('mixed', 'b', [
    '--b',
    'Content-Type: message/rfc822',
    '',
    'Subject: inner',
    '--b',
    'Content-Type: message/rfc822',
    '--b--',
    ''
  ]),
  digest: multipart('digest', 'd', [
    '--d',
    '',
    'Subject: first',
    '',
    'one',
    '--d',
    'Content-Type: text/plain',
    '',
    'two',
    '--d--',
    ''
  ]),
  'no boundary parameter': mail('Content-Type: multipart/mixed', '', '--b', '', 'x', '--b--', ''),
  'boundary never found': multipart('mixed', 'b', ['only', 'text']),
  'boundary never closed': multipart('mixed', 'b', ['--b', '', 'one', '--b', '', 'two', '']),
  'only the last boundary': multipart('mixed', 'b', ['--b--', 'after']),
  'empty parts': multipart('mixed', 'b', ['--b', '--b', '', '--b', 'A: b', '--b', '', '', '--b--']),
  'boundary at the end': multipart('mixed', 'b', ['--b', '', 'x', '--b']),
  'boundary at the end with line end': multipart('mixed', 'b', ['--b', '', 'x', '--b', '']),
  'boundary with a longer one in it': multipart('mixed', 'b', [
    '--b',
    'Content-Type: multipart/mixed; boundary=bb',
    '',
    '--bb',
    '',
    'inner',
    '--bb--',
    '--b',
    '',
    'outer',
    '--b--'
  ]),
  'equal boundaries': multipart('mixed', 'b', [
    '--b',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'inner',
    '--b--',
    '--b',
    '',
    'x',
    '--b--'
  ]),
  'inner multipart without an end': multipart('mixed', 'b', [
    '--b',
    'Content-Type: multipart/mixed; boundary=c',
    '',
    '--c',
    '',
    'inner',
    '--b',
    '',
    'outer',
    '--b--',
    ''
  ]),
  'text after the boundary': multipart('mixed', 'b', [
    '--b and more',
    '',
    'x',
    '--b-- and more',
    ''
  ]),
  'boundary with spaces': multipart('mixed', 'b c', ['--b c  ', '', 'x', '--b c--  ', '']),
  'long boundary': multipart('mixed', 'x'.repeat(100), [
    `--${'x'.repeat(100)}`,
    '',
    'one',
    `--${'x'.repeat(100)}--`,
    ''
  ]),
  'bare line feeds in parts': multipart('mixed', 'b', ['--b', '', 'one', '', '--b--']).replaceAll(
    '\r\n',
    '\n'
  ),
  'carriage returns': mail('Subject: a\rb', '', 'one\rtwo', '\rthree'),
  'quotation marks': mail('Subject: "a" \\ "b" "c"', 'Message-ID: <"a\\b"@example.test>', '', ''),
  'long subject': mail(`Subject: ${'word '.repeat(400)}`, '', 'x')
}

function mail(...lines: readonly string[]): string {
  return lines.join('\r\n')
}

function multipart(subtype: string, boundary: string, lines: readonly string[]): string {
  return mail(
    'MIME-Version: 1.0',
    `Content-Type: multipart/${subtype}; boundary="${boundary}"`,
    '',
    ...lines
  )
}

/** A binary string: each character is one byte. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}

const LINES = [
  ...['', '', '', 'text', 'text --b', '--', '--b', '--b', '--b', '--b--', '--bc', '--bc', '--bc--'],
  ...['--c', '--c', '--c--', '--b ', ' --b', '--bcd', '-', '\t', ' folded', 'Subject: s', 'x: y'],
  ...['From: A <a@example.test>', 'To: b', 'Content-Type: text/plain', 'Content-Type: text/html'],
  ...['Content-Type: multipart/mixed; boundary=b', 'Content-Type: multipart/digest; boundary=c'],
  ...['Content-Type: multipart/alternative; boundary="bc"', 'Content-Type: message/rfc822'],
  ...['Content-Type: message/rfc822', 'Content-Type: multipart/mixed', 'Content-ID: <i>'],
  ...['Content-Transfer-Encoding: base64', 'Content-Disposition: attachment; filename=f']
] as const

/** Lines that mean something in a message, in any order. */
export function randomLines(random: Random): string {
  const first = random.pick([
    'Content-Type: multipart/mixed; boundary=b',
    'Content-Type: multipart/mixed; boundary=bc',
    'Content-Type: message/rfc822',
    'Subject: random'
  ])
  const lines = Array.from({ length: random.below(30) }, () => random.pick([...LINES, '']))
  return [first, ...(random.below(4) === 0 ? [] : ['']), ...lines].join('\r\n')
}
