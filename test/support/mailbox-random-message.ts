import type { Random } from './random.ts'

const ADDRESSES = [
  'ada@example.test',
  'Ada Lovelace <ada@example.test>',
  '"Lovelace, Ada" <ada@example.test>',
  '=?utf-8?q?Gr=C3=A4ce?= <grace@example.test>',
  'a@example.test, B <b@example.test>, "C \\"D\\"" <c@example.test>',
  'friends: a@example.test, b@example.test;',
  'undisclosed-recipients:;',
  '<only@example.test>',
  'root'
] as const

const SUBJECTS = [
  'hello',
  'Hello again',
  '=?utf-8?b?w6TDtsO8?=',
  'a long subject that is\r\n folded',
  'with "quotes" and \\ backslash',
  ''
] as const

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'HELLO', 'needle'] as const

/** Texts that SEARCH can find in the messages. */
export const SEARCHED = ['alpha', 'hello', 'needle', 'Ada', 'example.test', 'absent'] as const

/** A well-formed message with CRLF at the ends of its lines. */
export function randomMessage(random: Random): Buffer {
  const lines = headers(random)
  return Buffer.from([...lines, ...entity(random, 2)].join('\r\n'), 'latin1')
}

/** A time in January 2024, in the format of header fields or of IMAP. */
export function randomDate(random: Random, separator: ' ' | '-'): string {
  const day = String(1 + random.below(28)).padStart(2, '0')
  return `${[day, 'Jan', '2024'].join(separator)} 1${random.below(10)}:00:00 +0${random.below(3)}00`
}

function headers(random: Random): string[] {
  const lines: string[] = []
  const maybe = (name: string, values: readonly [string, ...string[]]) => {
    if (random.below(4) > 0) lines.push(`${name}: ${random.pick(values)}`)
  }
  lines.push(`Date: Mon, ${randomDate(random, ' ')}`, `From: ${random.pick(ADDRESSES)}`)
  maybe('Subject', SUBJECTS)
  maybe('To', ADDRESSES)
  if (random.below(3) === 0) lines.push(`Cc: ${random.pick(ADDRESSES)}`)
  if (random.below(5) === 0) lines.push(`Bcc: ${random.pick(ADDRESSES)}`)
  if (random.below(5) === 0) lines.push(`Sender: ${random.pick(ADDRESSES)}`)
  if (random.below(5) === 0) lines.push(`Reply-To: ${random.pick(ADDRESSES)}`)
  if (random.below(3) === 0) lines.push(`In-Reply-To: <${random.below(9)}@example.test>`)
  lines.push(`Message-ID: <${random.below(1_000_000)}@example.test>`)
  if (random.below(3) === 0) lines.push(`X-Test: ${random.pick(WORDS)}\t${random.pick(WORDS)}`)
  return lines
}

/** The fields of the content, an empty line and the content. */
function entity(random: Random, depth: number): string[] {
  const kind = random.below(depth > 0 ? 7 : 4)
  if (kind === 0) return ['', ...text(random)]
  if (kind === 1) {
    return ['MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8', '', ...text(random)]
  }
  if (kind === 2) {
    return [
      'Content-Type: text/html; charset="us-ascii"',
      'Content-Transfer-Encoding: quoted-printable',
      'Content-Language: en',
      '',
      `<p>${random.pick(WORDS)} =3D</p>`
    ]
  }
  if (kind === 3) {
    return [
      `Content-Type: application/octet-stream; name="${random.pick(WORDS)}.bin"`,
      'Content-Disposition: attachment; filename="data.bin"',
      'Content-Transfer-Encoding: base64',
      'Content-ID: <part@example.test>',
      'Content-Description: some bytes',
      '',
      Buffer.from(random.bytes(random.below(60))).toString('base64')
    ]
  }
  if (kind === 4) {
    return ['Content-Type: message/rfc822', '', ...headers(random), ...entity(random, depth - 1)]
  }
  return multipart(random, depth - 1)
}

function multipart(random: Random, depth: number): string[] {
  const boundary = `b${depth}-${random.below(1000)}`
  const subtype = random.pick(['mixed', 'alternative', 'related'])
  const parts = Array.from({ length: 1 + random.below(3) }, () => [
    `--${boundary}`,
    ...entity(random, depth)
  ])
  return [
    'MIME-Version: 1.0',
    `Content-Type: multipart/${subtype}; boundary="${boundary}"`,
    '',
    ...(random.below(2) === 0 ? ['preamble'] : []),
    ...parts.flat(),
    `--${boundary}--`,
    ...(random.below(2) === 0 ? ['epilogue'] : []),
    ''
  ]
}

function text(random: Random): string[] {
  const lines = Array.from({ length: random.below(4) }, () =>
    Array.from({ length: random.below(5) }, () => random.pick(WORDS)).join(' ')
  )
  return [...lines, '']
}
