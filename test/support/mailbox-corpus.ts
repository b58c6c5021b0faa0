import { utf8 } from './mail-corpus.ts'

/** What the API must show of a message; strings of `html` and `notHtml` are parts of it. */
export interface Expected {
  subject?: string
  plain?: string
  html?: readonly string[]
  /** Not in HTML that is made safe. */
  notHtml?: readonly string[]
  /** Types of attachments with names, in their order. */
  attachments?: readonly (readonly [type: string, name?: string])[]
  /** Bytes of the attachments that are downloaded. */
  sizes?: readonly number[]
  /** Further fields. */
  fields?: object
  /** A search that finds the message. */
  search?: object
}

export interface CorpusMessage extends Expected {
  /** A binary string: each character is one byte. */
  raw: string
}

function mail(headers: readonly string[], ...body: readonly string[]): string {
  return [...headers, '', ...body].join('\r\n')
}

function multipart(subtype: string, boundary: string, parts: readonly string[]): string {
  const lines = parts.flatMap((part) => [`--${boundary}`, part])
  return mail(
    [`Content-Type: multipart/${subtype}; boundary="${boundary}"`],
    ...lines,
    `--${boundary}--`,
    ''
  )
}

function message(subject: string, part: string): string {
  return [
    'MIME-Version: 1.0',
    'From: Ada <ada@example.test>',
    'To: Bob <bob@example.test>',
    `Subject: ${subject}`,
    'Date: Mon, 1 Jan 2024 10:00:00 +0000',
    part
  ].join('\r\n')
}

function textPart(type: string, charset: string, encoding: string, body: string): string {
  return mail(
    [`Content-Type: ${type}; charset=${charset}`, `Content-Transfer-Encoding: ${encoding}`],
    body
  )
}

function base64(text: string | Buffer): string {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text
  return bytes.toString('base64').replace(/.{76}/g, '$&\r\n')
}

function attachment(name: string, content: string, type = 'application/octet-stream'): string {
  return mail(
    [
      `Content-Type: ${type}; name="${name}"`,
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64'
    ],
    base64(content)
  )
}

const PLAIN = textPart('text/plain', 'utf-8', '7bit', 'Hello')
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function nested(levels: number): string {
  let part = PLAIN
  for (let level = levels; level > 0; level -= 1) part = multipart('mixed', `b${level}`, [part])
  return part
}

const CALENDAR = [
  ...['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VEVENT', 'UID:1@example.test', 'SUMMARY:Lunch'],
  ...['DTSTART:20240101T120000Z', 'END:VEVENT', 'END:VCALENDAR', '']
].join('\r\n')

const HOSTILE_HTML = [
  '<html><head><base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=//evil">',
  '<style>@import "https://evil/x.css";body{background:url(https://evil/y)}</style>',
  '<script>alert(1)</script></head><body onload="alert(2)">',
  '<p onclick=alert(3) style="position:fixed;color:red">visible words</p>',
  '<a href="javascript:alert(4)">a</a><a href="&#x6a;avascript:alert(5)">b</a>',
  '<img src=x onerror=alert(6)><svg onload=alert(7)><script>alert(8)</script></svg>',
  '<form action="https://evil"><input name=password></form><iframe src="https://evil"></iframe>',
  '<object data="x"></object><embed src="x"><video src="x" onerror="alert(9)"></video>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(10)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(11)>"></noscript>',
  '<div style="background:url(javascript:alert(12));behavior:url(x)">z</div></div></div></body></html>'
].join('\r\n')

/** Messages for the API by name; each has its name in the subject unless it says otherwise. */
export const API_CORPUS: Readonly<Record<string, CorpusMessage>> = {
  'nested parts': {
    raw: message(
      'nested parts',
      multipart('mixed', 'm', [
        multipart('related', 'r', [
          multipart('alternative', 'a', [
            textPart('text/plain', 'utf-8', '8bit', utf8('Grüße')),
            textPart(
              'text/html',
              'utf-8',
              'quoted-printable',
              '<p>Gr=C3=BC=C3=9Fe <img src=3D"cid:i@x">'
            )
          ]),
          mail(
            [
              ...['Content-Type: image/png', 'Content-ID: <i@x>'],
              ...['Content-Transfer-Encoding: base64', 'Content-Disposition: inline']
            ],
            PNG
          )
        ]),
        mail(
          ['Content-Type: message/rfc822', 'Content-Disposition: attachment; filename=inner.eml'],
          message('inner', multipart('mixed', 'x', [PLAIN, attachment('inner.bin', 'inner')]))
        ),
        attachment('last.bin', 'abc')
      ])
    ),
    plain: 'Grüße',
    html: ['Grüße', 'src="data:image/png;base64,iVBORw0KGgo'],
    attachments: [
      ['image/png'],
      ['message/rfc822', 'inner.eml'],
      ['application/octet-stream', 'inner.bin'],
      ['application/octet-stream', 'last.bin']
    ],
    search: { body: 'Grüße' }
  },
  'ten levels': { raw: message('ten levels', nested(10)), plain: 'Hello' },
  // More than imapflow parses: the message is shown without its parts.
  'thirty levels': { raw: message('thirty levels', nested(30)) },
  'a thousand levels': { raw: message('a thousand levels', nested(1000)) },
  'five hundred parts': {
    raw: message(
      'five hundred parts',
      multipart(
        'mixed',
        'b',
        Array.from({ length: 500 }, () => mail([], 'x'))
      )
    )
  },
  'fifty attachments': {
    raw: message(
      'fifty attachments',
      multipart('mixed', 'b', [
        PLAIN,
        ...Array.from({ length: 50 }, (_, index) =>
          attachment(`file ${index}.bin`, `content ${index}`)
        )
      ])
    ),
    plain: 'Hello',
    attachments: Array.from(
      { length: 50 },
      (_, index) => [...(['application/octet-stream', `file ${index}.bin`] as const)] as const
    ),
    search: { subject: 'fifty attachments' }
  },
  'empty attachments': {
    raw: message(
      'empty attachments',
      multipart('mixed', 'b', [PLAIN, attachment('empty.bin', ''), attachment('one.bin', 'x')])
    ),
    attachments: [
      ['application/octet-stream', 'empty.bin'],
      ['application/octet-stream', 'one.bin']
    ],
    sizes: [0, 1]
  },
  calendar: {
    raw: message(
      'calendar',
      multipart('alternative', 'b', [
        PLAIN,
        mail(['Content-Type: text/calendar; method=REQUEST; charset=utf-8'], CALENDAR)
      ])
    ),
    plain: 'Hello',
    attachments: [['text/calendar']],
    fields: { attachments: [{ contentType: 'text/calendar', method: 'REQUEST' }] }
  },
  winmail: {
    raw: message(
      'winmail',
      multipart('mixed', 'b', [
        PLAIN,
        attachment('winmail.dat', '\x78\x9f\x3e\x22', 'application/ms-tnef')
      ])
    ),
    attachments: [['application/ms-tnef', 'winmail.dat']],
    sizes: [4]
  },
  'hostile HTML': {
    raw: message('hostile HTML', mail(['Content-Type: text/html; charset=utf-8'], HOSTILE_HTML)),
    html: ['visible words', 'color:red'],
    notHtml: [
      ...['<script', '<style', '<form', '<input', '<iframe', '<object', '<embed', '<svg', '<base'],
      ...['<meta', '<body', 'javascript:', 'vascript', 'position:', 'evil']
    ]
  },
  'only text': {
    raw: message('only text', textPart('text/plain', 'utf-8', '7bit', 'a <b>\r\n> quoted')),
    plain: 'a <b>\n> quoted',
    html: ['a &lt;b&gt;', 'ee-collapsed-thread']
  },
  'flowed text': {
    raw: message(
      'flowed text',
      mail(['Content-Type: text/plain; charset=utf-8; format=flowed'], 'one ', 'two', '', 'three')
    ),
    plain: 'one two\n\nthree'
  },
  'latin1 text': {
    raw: message('latin1 text', textPart('text/plain', 'iso-8859-1', '8bit', 'Gr\xfc\xdfe')),
    plain: 'Grüße'
  },
  'quotes of Windows': {
    raw: message('quotes of Windows', textPart('text/plain', 'iso-8859-1', '8bit', '\x93a\x94')),
    plain: '“a”'
  },
  'Russian text': {
    raw: message(
      'Russian text',
      textPart('text/plain', 'koi8-r', '8bit', '\xf0\xf2\xe9\xf7\xe5\xf4')
    ),
    plain: 'ПРИВЕТ'
  },
  'Japanese text': {
    raw: message(
      'Japanese text',
      textPart('text/plain', 'ISO-2022-JP', '7bit', '\x1b$B$3$s\x1b(B')
    ),
    plain: 'こん'
  },
  'Chinese text': {
    raw: message('Chinese text', textPart('text/plain', 'gb2312', '8bit', '\xc4\xe3\xba\xc3')),
    plain: '你好'
  },
  'UTF-16 text': {
    raw: message(
      'UTF-16 text',
      textPart('text/plain', 'utf-16', 'base64', base64(Buffer.from('\ufeffGrüße', 'utf16le')))
    ),
    plain: 'Grüße'
  },
  'unknown charset': {
    raw: message(
      'unknown charset',
      textPart('text/plain', 'x-martian-9', '8bit', 'plain words \xff')
    ),
    search: { subject: 'unknown charset' }
  },
  'invalid UTF-8': {
    raw: message(
      'invalid UTF-8',
      textPart('text/plain', 'utf-8', '8bit', 'a\xff\xfe\xc3(\xed\xa0\x80b')
    )
  },
  'charset with a quote': {
    raw: message('charset with a quote', textPart('text/plain', '"utf-8', '8bit', utf8('Grüße')))
  },
  'charset that is a path': {
    raw: message('charset that is a path', textPart('text/plain', '../../etc/passwd', '7bit', 'x'))
  },
  'broken base64': {
    raw: message('broken base64', textPart('text/plain', 'utf-8', 'base64', 'SGVs!bG8=*=\r\nSGV'))
  },
  'broken quoted-printable': {
    raw: message(
      'broken quoted-printable',
      textPart('text/plain', 'utf-8', 'quoted-printable', 'a=ZZb=\r\nc=4')
    )
  },
  'unknown encoding': {
    raw: message('unknown encoding', textPart('text/plain', 'utf-8', 'x-uuencode', 'begin 644 a'))
  },
  'huge subject': {
    raw: message(`huge subject ${'word '.repeat(20_000)}`, PLAIN),
    plain: 'Hello'
  },
  'many header fields': {
    raw: `${Array.from({ length: 2000 }, (_, index) => `X-Field-${index}: ${'v'.repeat(100)}\r\n`).join('')}${message('many header fields', PLAIN)}`
  },
  'many recipients': {
    raw: `Cc: ${Array.from({ length: 1000 }, (_, index) => `User ${index} <user${index}@example.test>`).join(',\r\n ')}\r\n${message('many recipients', PLAIN)}`,
    plain: 'Hello'
  },
  'header without line ends': {
    raw: `X-Long: ${'x'.repeat(200_000)}\r\n${message('header without line ends', PLAIN)}`
  },
  'long line': {
    raw: message('long line', textPart('text/plain', 'utf-8', '8bit', 'z'.repeat(500_000))),
    plain: 'z'.repeat(500_000)
  },
  'names of objects': {
    raw: `__proto__: polluted\r\nconstructor: x\r\nhasOwnProperty: y\r\ntoString: z\r\n${message(
      'names of objects',
      multipart('mixed', 'b', [
        PLAIN,
        attachment('__proto__', 'x', 'application/__proto__'),
        attachment('constructor', 'y', '__proto__/constructor')
      ])
    )}`,
    attachments: [
      ['application/__proto__', '__proto__'],
      ['__proto__/constructor', 'constructor']
    ],
    fields: { headers: { constructor: ['x'], hasownproperty: ['y'], tostring: ['z'] } }
  },
  'odd file names': {
    raw: message(
      'odd file names',
      multipart('mixed', 'b', [
        PLAIN,
        attachment('../../etc/passwd', 'a'),
        attachment('a\\"b;c.txt', 'b'),
        mail(
          [
            "Content-Type: text/plain; name*=utf-8''%E2%82%AC%0D%0AX-Injected%3A%201.txt",
            "Content-Disposition: attachment; filename*=utf-8''%E2%82%AC%0D%0AX-Injected%3A%201.txt"
          ],
          'c'
        ),
        attachment(`${'n'.repeat(1000)}.txt`, 'd'),
        attachment('page.html', '<script>alert(1)</script>', 'text/html'),
        attachment('x', 'e', 'text/html; charset=x\r\n y="z')
      ])
    )
  },
  'one image in many tags': {
    raw: message(
      'one image in many tags',
      multipart('related', 'b', [
        textPart('text/html', 'utf-8', '7bit', '<img src="cid:i">\r\n'.repeat(500)),
        mail(
          ['Content-Type: image/png', 'Content-ID: <i>', 'Content-Transfer-Encoding: base64'],
          PNG
        )
      ])
    ),
    html: ['data:image/png;base64,iVBORw0KGgo']
  },
  'broken encoded words': {
    raw: message(
      '=?utf-8?q?broken_encoded_words?= =?utf-8?b?!!!?= =?x-none?q?a?= =?utf-8?x?a?= =?utf-8?q?=FF=?= =?',
      PLAIN
    ),
    search: { body: 'Hello' }
  },
  'no date, no sender': { raw: 'Subject: no date, no sender\r\n\r\nx', plain: 'x' },
  'impossible dates': {
    raw: message('impossible dates', PLAIN).replace(
      /Date: .*/,
      'Date: Mon, 99 Foo 99999 99:99:99 +9999'
    )
  },
  'date in the far future': {
    raw: message('date in the far future', PLAIN).replace(
      /Date: .*/,
      'Date: Fri, 31 Dec 9999 23:59:59 +0000'
    )
  },
  'bounce report': {
    raw: message(
      'bounce report',
      multipart('report; report-type=delivery-status', 'b', [
        PLAIN,
        mail(
          ['Content-Type: message/delivery-status'],
          'Reporting-MTA: dns; mx.example.test',
          '',
          'Final-Recipient: rfc822; bob@example.test',
          'Action: failed',
          'Status: 5.1.1'
        ),
        mail(['Content-Type: text/rfc822-headers'], 'Subject: lost')
      ])
    ),
    plain: 'Hello'
  },
  'signed message': {
    raw: message(
      'signed message',
      multipart('signed; micalg=pgp-sha256; protocol="application/pgp-signature"', 'b', [
        PLAIN,
        attachment('signature.asc', '-----BEGIN PGP SIGNATURE-----', 'application/pgp-signature')
      ])
    ),
    plain: 'Hello',
    attachments: [['application/pgp-signature', 'signature.asc']]
  },
  'attachment alone': {
    raw: message('attachment alone', attachment('alone.pdf', '%PDF', 'application/pdf')),
    attachments: [['application/pdf', 'alone.pdf']],
    sizes: [4]
  },
  'several texts': {
    raw: message(
      'several texts',
      multipart('mixed', 'b', [
        textPart('text/plain', 'utf-8', '7bit', 'first'),
        attachment('between.bin', 'x'),
        textPart('text/plain', 'iso-8859-1', '8bit', 'zw\xf6lf')
      ])
    )
  },
  'long HTML': {
    raw: message(
      'long HTML',
      textPart('text/html', 'utf-8', '7bit', '<div><p>word</p>\r\n'.repeat(20_000))
    )
  }
}
