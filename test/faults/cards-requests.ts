/** Hostile requests to routes of cards: every route gets each of these kinds. */
import type { Random } from '../support/random.ts'

export type Pieces = readonly (string | Uint8Array)[]

export interface Target {
  method: string
  path: string
  /** Parameters that the route knows, with valid values. */
  fields: Readonly<Record<string, unknown>>
  token: string
}

export type Kind = (target: Target, random: Random) => Pieces

const encode = encodeURIComponent
const MEGABYTE = 1024 * 1024

function head(method: string, path: string, more = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}`
}

const bearer = (token: string) => `Authorization: Bearer ${token}\r\n`

function bare({ method, path, token }: Target, more = ''): Pieces {
  return [head(method, path, `${bearer(token)}${more}\r\n`)]
}

function withBody(
  { method, path, token }: Target,
  body: string | Uint8Array,
  type = 'application/json'
): Pieces {
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return [head(method, path, `${bearer(token)}Content-Type: ${type}\r\n${length}\r\n`), body]
}

const FORM = 'application/x-www-form-urlencoded'

function withQuery({ path, ...target }: Target, query: string): Pieces {
  return bare({ ...target, path: `${path}${path.includes('?') ? '&' : '?'}${query}` })
}

/** The path with one of its segments replaced, but the first. */
function replaceSegment(path: string, segment: string, random: Random): string {
  const segments = path.split('/')
  segments[Math.min(2, segments.length - 1) + random.below(Math.max(1, segments.length - 2))] =
    segment
  return segments.join('/')
}

const SEGMENTS = [
  ...['%ff', '%c0%af', '%', '%zz', '%00', '%0a', '%ED%A0%80', '%F0%9F%98%80', '%2F', '%2e%2e'],
  ...['.', '..', '', '*', ';', "'", '"', '<script>', '\\', '%25', '0', '-1', '1e3', '٣', 'me'],
  ...['x'.repeat(7000), '__proto__', 'constructor', 'toString', 'prefs', 'badges', 'cover', 'all'],
  ...['f'.repeat(24), 'F'.repeat(24), 'f'.repeat(23), 'abcdEFGH', 'ſ'.repeat(8), '%C5%BF', 'open'],
  ...['a'.repeat(64), `${'a'.repeat(64)}.png`, 'feed.xml', 'cards', 'download', 'aBcDeFgH.json']
] as const

/** Texts that break programs that expect others. */
const TEXTS = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', 'a\udfffb', '\u202e', '\ufeff', 'x'.repeat(16_384)],
  ...[
    'x'.repeat(16_385),
    '😀'.repeat(9_000),
    '[object Object]',
    'undefined',
    'null',
    'NaN',
    'true'
  ],
  ...['__proto__', 'constructor', '{{7*7}}', "' OR 1=1 --", '<script>alert(1)</script>', '-0'],
  ...[
    '[a](javascript:alert(1))',
    '![a](data:image/svg+xml,<svg>)',
    '# '.repeat(4000),
    '`'.repeat(9999)
  ],
  ...[
    '[['.repeat(4000),
    '> '.repeat(5000),
    '* '.repeat(4000),
    '|a'.repeat(3000),
    '&#x6a;avascript:'
  ],
  ...['javascript:alert(1)', 'http://[::', 'http://127.0.0.1:1/', 'file:///etc/passwd', '//evil'],
  ...['1e999', '-1e999', '9'.repeat(400), '0x10', '1_000', 'top', 'bottom', '-1', '1e-320', '0'],
  ...['2026-02-30', '275760-09-13', '+275760-09-13T00:00:00.001Z', '0000-00-00', 'now', 'lastView'],
  ...['2020-12-22 01:59:00 UTC', '-000001-01-01T00:00:00Z', '9999999999999', '1970', 'Mon'],
  ...['{"color":"red"}', '{"idAttachment":"x","url":"y"}', '{"value":{"color":1}}', '{', '[', '[]'],
  ...['all', 'none', 'open', 'visible', 'cover', ',', ',,,,', 'name,', 'id,id,id', '../..', '%00']
] as const

type Odd = string | number | boolean | null | object
const deep = (depth: number): object => (depth === 0 ? {} : { a: deep(depth - 1) })

const VALUES: readonly [Odd, ...Odd[]] = [
  '',
  ...[null, true, false, 0, -1, 1.5, 1e308, -1e308, Number.MAX_SAFE_INTEGER + 2, {}, [], [[]]],
  ...[[null], [{}], ['x'], { text: 1 }, { text: null }, { text: {} }, { value: {} }, deep(7)],
  ...[deep(9), { __proto__: null, toString: 1 }, { length: 1e9 }, ['a'.repeat(24), 1], [1, 2, 3]],
  ...[{ number: '1e999' }, { number: 'x' }, { date: 'x' }, { date: '+275760-09-13T00:00:00.001Z' }],
  ...[{ checked: 'maybe' }, { checked: false }, { color: 'x', idAttachment: 'y', url: 'z' }],
  ...[Array.from({ length: 5000 }, () => 'f'.repeat(24)), Array.from({ length: 60 }, () => ({}))]
]

/** Names of parameters besides those of the route. */
export const NAMES = [
  ...[
    'name',
    'desc',
    'pos',
    'due',
    'start',
    'dueComplete',
    'dueReminder',
    'closed',
    'value',
    'cover'
  ],
  ...['idList', 'idBoard', 'idLabels', 'idMembers', 'idAttachmentCover', 'idCardSource', 'color'],
  ...[
    'keepFromSource',
    'urlSource',
    'fileSource',
    'mimeType',
    'url',
    'setCover',
    'copy',
    'address'
  ],
  ...['coordinates', 'locationName', 'cardRole', 'isTemplate', 'state', 'checked', 'text', 'type'],
  ...['idModel', 'modelType', 'options', 'display_cardFront', 'display/cardFront', 'subscribed'],
  ...[
    'prefs/permissionLevel',
    'prefs_permissionLevel',
    'prefs',
    'labelNames/red',
    'idOrganization'
  ],
  ...[
    'defaultLists',
    'defaultLabels',
    'idBoardSource',
    'idListSource',
    'idChecklistSource',
    'role'
  ],
  ...['customFieldItems', 'idValue', 'idChecklist', 'query', 'urls', 'slug', 'timeZone', 'alt']
] as const

/** Parameters of queries. */
export const QUERIES = [
  ...['fields', 'card_fields', 'list_fields', 'label_fields', 'member_fields', 'attachment_fields'],
  ...[
    'card_attachment_fields',
    'board_fields',
    'filter',
    'limit',
    'since',
    'before',
    'cards_limit'
  ],
  ...[
    'cards',
    'lists',
    'labels',
    'members',
    'checklists',
    'actions',
    'actions_limit',
    'attachments'
  ],
  ...['customFields', 'customFieldItems', 'card_customFieldItems', 'card_attachments', 'page'],
  ...['cards_modifiedSince', 'labels_limit', 'organization', 'modelTypes', 'partial', 'cards_page'],
  ...['query', 'urls', 'list', 'label', 'q', 'sort', 'cursor', 'lang', 'w', 'h', 'fit', 'format'],
  ...['expires', 'signature', 'key', 'dsc', 'response_type', 'scope', 'return_url', 'expiration']
] as const

const SEARCHES = [
  ...[
    '"',
    '""',
    '"a',
    '-',
    '-a',
    '--a',
    'a:b',
    '@me',
    '#red',
    'board:x',
    'list:"',
    'is:open',
    'a*'
  ],
  ...['NEAR(a b)', 'a AND', 'a OR b', '^a', '{words} : a', "'::tsquery", '!a', 'a & !b', 'a <-> b'],
  ...[
    '(((((',
    ')',
    '\\',
    '\u0000',
    '京'.repeat(64),
    'a '.repeat(64),
    'x'.repeat(5000),
    '\u202e',
    '%'
  ],
  ...['e\u0301'.repeat(200), 'ﷺ'.repeat(400), '-a '.repeat(60), '_', "a' OR 1=1 --", '\u{1f600}']
] as const

const TOKENS = [
  ...[
    'Bearer',
    'Bearer ',
    'Bearer  x',
    'bearer é',
    'Basic eDp5',
    'OAuth',
    'OAuth oauth_token=',
    '"'
  ],
  ...[
    'OAuth oauth_token="',
    'OAuth oauth_token="a", oauth_token="b"',
    `OAuth ${'a="b",'.repeat(900)}`
  ],
  ...[
    `OAuth ${'"'.repeat(5000)}`,
    `Bearer ${'x'.repeat(7000)}`,
    'Bearer pk_',
    'Bearer pv_',
    'Bearer a.b.c'
  ],
  ...[
    'Bearer pv_e30.x',
    `Bearer pv_${'A'.repeat(3000)}`,
    'Digest username="',
    'Bearer [object Object]'
  ]
] as const

const BROKEN_JSON: readonly [string | Uint8Array, ...(string | Uint8Array)[]] = [
  '{',
  ...['[', '[]', '"x"', 'null', '1', '{"a":1,}', "{'a':1}", '\ufeff{}', '{"a":"\\ud800"}', '{}{}'],
  ...['{"__proto__":{"name":"x"},"name":"y"}', '{"name":"a","name":"b"}', '{"constructor":{}}'],
  ...['['.repeat(100_000), '{"a":'.repeat(20_000), `{"name":"${'x'.repeat(900_000)}"}`],
  ...[
    `{${Array.from({ length: 1500 }, (_, n) => `"k${n}":1`)}}`,
    Buffer.from('{"name":"\xff"}', 'latin1')
  ]
]

const FORMS = [
  ...['a', '=', '&&&&', '%', '%zz=1', '%ff=%ff', 'name=%00', 'name=%ED%A0%80', 'a=1&'.repeat(3000)],
  ...['value[text]=x&value[text]=y', 'value[__proto__][x]=1', 'idLabels[999999999]=x', 'value[]='],
  ...[
    'value[text][a][b][c][d][e][f]=1',
    `value${'[a]'.repeat(3000)}=1`,
    'value[=1',
    'value]=1',
    '[a]=1'
  ],
  ...[
    'idLabels[0]=a&idLabels[0][b]=c',
    'idLabels=a&idLabels[0]=b',
    'name[toString]=1',
    'pos[top]=1'
  ],
  ...['__proto__=1&constructor=2', '__proto__[name]=1', 'token[]=x', 'token[a]=x', 'token=&key=']
] as const

/** A part of a multipart body. */
const part = (headers: string, body: string) => `--b\r\n${headers}\r\n\r\n${body}\r\n`
const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}`
const END = '--b--\r\n'

const MULTIPART = [
  ...['', '--b', '--b\r\n', '--b--', END, `${part('', 'x')}${END}`, `${part('X: y', 'x')}${END}`],
  part(disposition('name="name"'), 'x'),
  `${part(disposition('name="file"; filename="../../../etc/passwd"'), 'x')}${END}`,
  `${part(disposition('name="file"; filename="a\u0000b.png"'), 'x')}${END}`,
  `${part(disposition(`name="file"; filename="${'é'.repeat(3000)}.png"`), 'x')}${END}`,
  `${part(`${disposition('name="file"; filename="a.svg"')}\r\nContent-Type: image/svg+xml`, '<svg onload="alert(1)"/>')}${END}`,
  `${part(`${disposition('name="file"; filename="a.html"')}\r\nContent-Type: text/html`, '<script>alert(1)</script>')}${END}`,
  `${part(`${disposition('name="file"; filename="a.png"')}\r\nContent-Type: image/png`, '\x89PNG\r\n\x1a\n\0\0\0')}${END}`,
  `${part(`${disposition('name="file"; filename="a.gif"')}\r\nContent-Type: image/gif`, 'GIF89a\xff\xff\xff\xff')}${END}`,
  `${part(disposition('name="file"; filename=""'), '')}${END}`,
  `${part(disposition('name="file"'), 'not a file')}${END}`,
  `${part(disposition('name="__proto__"'), 'x')}${part(disposition('name="value[a][b]"'), 'x')}${END}`,
  `${part(disposition('name="token"; filename="t"'), 'x')}${END}`,
  `${part(disposition('name="url"'), 'javascript:alert(1)')}${END}`,
  `${part(disposition('name="file"; filename="a"'), 'x').repeat(8)}${END}`,
  `${part(disposition('name="a"'), 'x').repeat(400)}${END}`,
  `${part(disposition(`name="${'n'.repeat(20_000)}"`), 'x')}${END}`,
  `${part(disposition('name="name"'), 'x'.repeat(200_000))}${END}`,
  `${part(`${disposition('name="name"')}\r\nContent-Transfer-Encoding: base64`, 'eA==')}${END}`
] as const

const BOUNDARIES = [
  'boundary=b',
  'boundary="b"',
  'boundary=',
  '',
  'boundary=b; boundary=c',
  `boundary=${'b'.repeat(300)}`
] as const

export const KINDS: Readonly<Record<string, Kind>> = {
  'random bytes in the head': ({ method, path }, random) => [
    `${method} ${path} HTTP/1.1\r\n`,
    random.bytes(1 + random.below(300)),
    '\r\n\r\n'
  ],
  'an odd segment': (target, random) =>
    bare({ ...target, path: replaceSegment(target.path, random.pick(SEGMENTS), random) }),
  'an odd segment at the end': (target, random) =>
    bare({ ...target, path: `${target.path}/${random.pick(SEGMENTS)}` }),
  'many segments': (target, random) =>
    bare({ ...target, path: `${target.path}${random.pick(['/', '/a', '/..']).repeat(2000)}` }),
  'an odd value of a known parameter': (target, random) =>
    withBody(target, JSON.stringify({ ...target.fields, ...odd(target, random, VALUES) })),
  'an odd text of a known parameter': (target, random) =>
    withBody(target, JSON.stringify({ ...target.fields, ...odd(target, random, TEXTS) })),
  'odd texts of several parameters': (target, random) => {
    const names = Array.from({ length: 3 }, () => random.pick(NAMES))
    const fields = Object.fromEntries(names.map((name) => [name, random.pick(TEXTS)]))
    return withBody(target, JSON.stringify({ ...target.fields, ...fields }))
  },
  'odd values of several parameters': (target, random) => {
    const names = Array.from({ length: 3 }, () => random.pick(NAMES))
    const fields = Object.fromEntries(names.map((name) => [name, random.pick(VALUES)]))
    return withBody(target, JSON.stringify({ ...target.fields, ...fields }))
  },
  'an odd query': (target, random) => {
    const names = Array.from({ length: 1 + random.below(3) }, () => random.pick(QUERIES))
    const values = names.map((name) => `${name}=${encode(random.pick(TEXTS).toWellFormed())}`)
    return withQuery(target, values.join('&').slice(0, 7000))
  },
  'much in one query': (target, random) =>
    withQuery(
      target,
      random.pick([
        'cards=all&card_attachments=true&card_customFieldItems=true&card_checklists=all&card_members=true&lists=all&labels=all&customFields=true&members=all&checklists=all&actions=all&actions_limit=1000&organization=true',
        'fields=all&attachments=true&customFieldItems=true&members=true&checklists=all&actions=all&limit=1000',
        'limit=1001&actions_limit=1001&labels_limit=9999',
        `fields=${'name,'.repeat(900)}`,
        'a=1&'.repeat(1500),
        '&'.repeat(5000)
      ])
    ),
  'a search': (target, random) =>
    withQuery(target, `query=${encode(random.pick(SEARCHES))}&q=${encode(random.pick(SEARCHES))}`),
  'broken JSON': (target, random) => withBody(target, random.pick(BROKEN_JSON)),
  'an odd form': (target, random) => withBody(target, random.pick(FORMS), FORM),
  'a form of odd texts': (target, random) => {
    const value = random.pick(TEXTS).toWellFormed()
    return withBody(target, `${random.pick(NAMES)}=${encode(value)}`, FORM)
  },
  'an odd multipart body': (target, random) =>
    withBody(
      target,
      Buffer.from(random.pick(MULTIPART), 'latin1'),
      `multipart/form-data; ${random.pick(BOUNDARIES)}`
    ),
  'an odd type of body': (target, random) =>
    withBody(
      target,
      random.pick(['{}', 'x', '<a/>']),
      random.pick([
        '',
        ';',
        'text/xml',
        'application/json; charset=utf-7',
        'a/b;c="',
        'multipart/form-data'
      ])
    ),
  'an odd coding of the body': (target, random) =>
    bare(
      { ...target, method: target.method === 'GET' ? 'POST' : target.method },
      `Content-Encoding: ${random.pick(['gzip', 'br', 'x', 'identity, gzip'])}\r\nContent-Length: 0\r\n`
    ),
  'odd credentials': ({ method, path }, random) => [
    head(method, path, `Authorization: ${random.pick(TOKENS)}\r\n\r\n`)
  ],
  'several credentials': (target, random) =>
    withQuery(
      target,
      random.pick([
        'token=x',
        'token=&token=',
        `token=${target.token}`,
        'oauth_token=x',
        'token[]=x'
      ])
    ),
  'odd ranges and conditions': (target, random) =>
    bare(
      target,
      `Range: ${random.pick(['bytes=0-0', 'bytes=-0', 'bytes=9-1', 'bytes=99999999999999999999-', `bytes=${'0-0,'.repeat(900)}0-0`, 'lines=0-1'])}\r\n` +
        `If-Range: ${random.pick(['"', '*', 'W/""'])}\r\n` +
        `If-None-Match: ${random.pick(['"', '*', 'W/', ','.repeat(4000), '"x",'.repeat(900)])}\r\n` +
        `If-Modified-Since: ${random.pick(['never', '0', '9'.repeat(50), ''])}\r\nIf-Match: "\r\n`
    ),
  'odd negotiation': (target, random) =>
    bare(
      target,
      `Accept: ${random.pick([';', 'a/b;q=', '*/*;q=9', ',,,', 'x'.repeat(6000), 'image/webp,image/*'])}\r\n` +
        `Accept-Encoding: ${random.pick(['gzip;q=0', '*;q=0', 'br', ','.repeat(2000), 'gzip;q=NaN'])}\r\n`
    ),
  'odd hosts and proxies': ({ method, path, token }, random) => [
    `${method} ${path} HTTP/1.1\r\nHost: ${random.pick(['', '"><script>', '[::', 'a b', '127.0.0.1:99999', 'x'.repeat(300)])}\r\n` +
      `X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: javascript\r\n${bearer(token)}Connection: close\r\n\r\n`
  ],
  'an odd method': ({ path, token }, random) => [
    head(
      random.pick(['OPTIONS', 'TRACE', 'QUERY', 'BREW', 'CONNECT', 'PATCH', 'HEAD', 'PURGE']),
      path,
      `Origin: null\r\nCookie: a=b\r\nX-HTTP-Method-Override: DELETE\r\n${bearer(token)}\r\n`
    )
  ],
  'a body that lies about its length': ({ method, path, token }, random) => [
    head(
      method,
      path,
      `${bearer(token)}Content-Length: ${random.pick(['50', '-1', '1e3', '9'.repeat(20)])}\r\n\r\n`
    ),
    '{"a":1}'
  ],
  'broken chunks': ({ method, path, token }, random) => [
    head(method, path, `${bearer(token)}Transfer-Encoding: chunked\r\n\r\n`),
    random.pick(['zz\r\n', '5\r\nabcdeXX', '0\r\n\r\n', 'ffffffffffffffffff\r\n'])
  ],
  'pipelined requests': ({ path, token }, random) => [
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${bearer(token)}\r\n`.repeat(1 + random.below(8)),
    head('GET', path, `${bearer(token)}\r\n`)
  ]
}

/** One parameter of the route, or of any, with a value of the list. */
function odd<T>(
  { fields }: Target,
  random: Random,
  values: readonly [T, ...T[]]
): Record<string, T> {
  const [first, ...known] = Object.keys(fields)
  const name = first === undefined ? random.pick(NAMES) : random.pick([first, ...known])
  return { [name]: random.pick(values) }
}

/** Once for some of the routes. */
export const RARE: Readonly<Record<string, Kind>> = {
  'ten megabytes': (target) => withBody(target, 'x'.repeat(10 * MEGABYTE)),
  'a file over the limit': (target) =>
    withBody(
      target,
      `${part(disposition('name="file"; filename="a"'), 'x'.repeat(13 * MEGABYTE))}${END}`,
      'multipart/form-data; boundary=b'
    ),
  'a body that never ends': ({ method, path, token }) => [
    head(method, path, `${bearer(token)}Content-Length: 1000\r\n\r\n`),
    'a'
  ],
  'a form that never ends': ({ method, path, token }) => [
    head(
      method,
      path,
      `${bearer(token)}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000\r\n\r\n`
    ),
    part(disposition('name="file"; filename="a"'), 'x').slice(0, -2)
  ]
}
