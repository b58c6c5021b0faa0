/** Hostile bodies for the console routes of the import. */
import type { ImportedPost } from '../../src/services/statuses/import/protocol.ts'
import { ADA, post } from '../contract/statuses-site.ts'
import type { Random } from '../support/random.ts'

export const STEPS = ['account', 'files', 'known', 'posts', 'end'] as const
export type Step = (typeof STEPS)[number]

/** Raw JSON, because some values are none of JavaScript. */
type Raw = (step: Step, random: Random) => string | Uint8Array

const HASH = 'a'.repeat(64)
const FILE = { hash: HASH, mediaType: 'image/png', width: 1, height: 1, size: 1 }

function validBody(step: Step): Record<string, unknown> {
  if (step === 'account') return { account: ADA, newAccount: false, dryRun: false }
  if (step === 'known') return { keys: ['a', 'b'] }
  if (step === 'posts') return { account: ADA.id, posts: [post('500')], dryRun: false }
  return { account: ADA.id }
}

const VALUES = [
  ...['null', 'true', '[]', '{}', '""', '-1', '0.5', '1e400', '-1e400', '9'.repeat(400), '1e-400'],
  ...['9007199254740993', '"\\ud800"', '"\\u0000"', '"\\udfff\\ud800"', '"\\u202e"', '[[]]'],
  ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', `"${'x'.repeat(100_000)}"`],
  ...['"2009-99-99T99:99:99.999Z"', '"2009-02-31T10:00:00.000Z"', '"0"', '"../../etc/passwd"']
] as const

/** Paths of members of a body, the body itself not included. */
function pathsOf(value: unknown, prefix: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const path = [...prefix, name]
    return [path, ...pathsOf(member, path)]
  })
}

/** The body with one member replaced by raw JSON. */
function withMember(body: object, path: readonly string[], raw: string): string {
  const MARK = '\u0001'
  const copy = structuredClone(body)
  let owner: Record<string, unknown> = copy as Record<string, unknown>
  for (const name of path.slice(0, -1)) owner = owner[name] as Record<string, unknown>
  owner[path.at(-1) ?? ''] = MARK
  return JSON.stringify(copy).replace(JSON.stringify(MARK), () => raw)
}

function nest(text: string, depth: number): string {
  return '{"a":'.repeat(depth) + text + '}'.repeat(depth)
}

export const BODIES: Readonly<Record<string, Raw>> = {
  'random bytes': (_step, random) => random.bytes(1 + random.below(400)),
  'a member of another type': (step, random) => {
    const body = validBody(step)
    const [first = [], ...others] = pathsOf(body)
    return withMember(body, random.pick([first, ...others]), random.pick(VALUES))
  },
  'a missing or additional member': (step, random) => {
    const body = validBody(step)
    const [first = '', ...others] = Object.keys(body)
    if (random.below(2) === 0) delete body[random.pick([first, ...others])]
    else body[random.pick(['__proto__x', 'constructor', '', 'a'.repeat(5000)])] = 1
    return JSON.stringify(body)
  },
  'deep JSON': (step, random) => {
    const body = validBody(step)
    const [first = []] = pathsOf(body)
    const depth = 1 + random.below(100_000)
    return random.pick([
      nest('1', depth),
      '['.repeat(depth),
      withMember(body, first, nest('1', depth))
    ])
  },
  'broken JSON': (_step, random) =>
    random.pick([
      '',
      '{',
      '[{},',
      '{"account":',
      '\ufeff{}',
      '{"a":"\\u12',
      'null',
      '[]',
      '{}{}',
      '1'
    ]),
  'bad UTF-8': (step, random) =>
    Buffer.concat([
      Buffer.from(JSON.stringify(validBody(step)).slice(0, -1)),
      Buffer.from(random.pick([[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80]])),
      Buffer.from('}')
    ]),
  'repeated names': (step) =>
    `{${'"account":1,'.repeat(20_000)}${JSON.stringify(validBody(step)).slice(1)}`,
  'too many items': (_step, random) =>
    random.pick([
      JSON.stringify({ account: ADA.id, posts: Array(201).fill(post('500')), dryRun: false }),
      JSON.stringify({ keys: Array(10_001).fill('k') }),
      JSON.stringify({
        account: { ...ADA, formerNames: Array(1_000).fill({ userName: 'b' }) },
        newAccount: true,
        dryRun: true
      })
    ])
}

type OddPost = (random: Random) => Partial<ImportedPost>

/** Posts that may be stored, and then have to be shown. `text` is in code points. */
export const POSTS: Readonly<Record<string, OddPost>> = {
  'lone surrogates': (random) => ({
    text: random.pick(['\ud800', 'a\udfffb', '\udc00\ud800', '\ud83d#tag\ude00']),
    summary: '\udfff',
    lang: '\ud800'
  }),
  'NUL and other control characters': () => ({
    text: 'a\u0000b\u0008\u001b\ufffe\u2028',
    summary: '\u0000'
  }),
  'entities out of range': (random) => ({
    text: random.pick(['', 'short', '\u{1f600}'.repeat(3)]),
    entities: [
      {
        type: random.pick(['url', 'mention', 'hashtag', 'symbol']),
        start: random.pick([0, 2, 5, 1e6, Number.MAX_SAFE_INTEGER]),
        end: random.pick([0, 1, 6, 1e9, Number.MAX_SAFE_INTEGER]),
        href: 'https://example.org/'
      }
    ]
  }),
  'entities that overlap': () => ({
    text: 'one two three',
    entities: [8, 0, 4, 0, 12, 0].map((start) => ({
      type: 'url',
      start,
      end: start + 9,
      display: '<b>'
    }))
  }),
  'thousands of entities': () => ({
    text: 'x'.repeat(5_000),
    entities: Array.from({ length: 5_000 }, (_, start) => ({
      type: 'hashtag',
      start,
      end: start + 1
    }))
  }),
  'odd links': (random) => {
    const href = random.pick([
      'javascript:alert(1)',
      'http:',
      '//',
      '\ud800',
      'http://[',
      'data:,a',
      ''
    ])
    return {
      text: 'link',
      entities: [{ type: 'url', start: 0, end: 4, href, display: '"><script>' }],
      quotedUrl: href,
      originalUrl: href
    }
  },
  'a long text': (random) => ({ text: random.pick(['京', 'é', 'a ', '\u{1f600}']).repeat(50_000) }),
  'odd times': (random) => ({
    createdAt: random.pick([
      '1970-01-01T00:00:00.000Z',
      '2999-12-31T23:59:59.999Z',
      '2009-02-31T10:00:00.000Z',
      '2009-13-01T10:00:00.000Z',
      '2009-01-01T29:00:00.000Z'
    ])
  }),
  'odd references': (random) => ({
    kind: 'reply',
    replyTo: {
      id: random.pick(['20', '500', '9223372036854775807', '9223372036854775808']),
      userName: random.pick(['\ud800', '', '../..', '<b>', 'x'.repeat(300)])
    },
    quotedId: random.pick(['20', '500', '9'.repeat(19)])
  }),
  'huge counts': () => ({
    counts: { likes: Number.MAX_SAFE_INTEGER, reposts: 0, replies: null, quotes: null }
  }),
  'media that are not stored': (random) => ({
    media: [
      {
        type: random.pick(['photo', 'video', 'animated_gif']),
        file: { ...FILE, hash: random.pick([HASH, 'b'.repeat(64)]) },
        width: random.pick([0, Number.MAX_SAFE_INTEGER]),
        height: 1,
        sourceKey: '../../x',
        posterHash: HASH
      }
    ]
  }),
  'an odd original': (random) => ({
    raw: random.pick(['', '{', '\ud800', '\u0000', 'x'.repeat(1_000_000)])
  })
}
