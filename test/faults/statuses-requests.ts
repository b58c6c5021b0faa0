/** Hostile requests to the public routes of statuses: every route gets each of these kinds. */
import type { Random } from '../support/random.ts'

export type Pieces = readonly (string | Uint8Array)[]
export type Kind = (path: string, random: Random) => Pieces

export const POST = '20'
export const HIDDEN = '21'

export function routes(hash: string): readonly string[] {
  return [
    '/',
    '/ada',
    '/ada/archive/2009/03',
    '/ada/feed.xml',
    '/ada/feed.json',
    '/search?q=text',
    '/sitemap.xml',
    '/robots.txt',
    `/ada/status/${POST}`,
    `/wrong/status/${POST}`,
    `/ada/status/${HIDDEN}`,
    `/ada/status/${POST}/embed`,
    `/ada/status/${POST}/photo/1`,
    `/api/tweet/${POST}`,
    '/api/statuses',
    `/api/statuses/${POST}`,
    `/tweet-result?id=${POST}`,
    `/oembed?url=https://x.com/a/status/${POST}`,
    `/media/${hash}`,
    `/media/${hash}.png?name=small`
  ]
}

const encode = encodeURIComponent
const MEGABYTE = 1024 * 1024

function head(method: string, path: string, more = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}`
}

const get = (path: string, more = ''): Pieces => [head('GET', path, `${more}\r\n`)]

function withBody(method: string, path: string, body: string | Uint8Array): Pieces {
  return [head(method, path, `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`), body]
}

function withQuery(path: string, query: string): Pieces {
  return get(`${path}${path.includes('?') ? '&' : '?'}${query}`)
}

/** The path with one of its segments replaced. */
function replaceSegment(path: string, segment: string, random: Random): string {
  const [only = '', query = ''] = path.split('?')
  const segments = only.split('/')
  segments[1 + random.below(Math.max(1, segments.length - 1))] = segment
  return segments.join('/') + (query === '' ? '' : `?${query}`)
}

const SEGMENTS = [
  ...['%ff', '%c0%af', '%e2%28', '%', '%zz', '%00', '%0a', '%ED%A0%80', '%F0%9F%98%80', '%2F'],
  ...['.', '..', '%2e%2e', '...', '', '*', ';', "'", '"', '<script>', '\\', '%25', '@', '@ada'],
  ...['0', '-1', '00', '1e3', '٣', '9'.repeat(19), '9223372036854775808', '9'.repeat(5000)],
  ...['x'.repeat(7000), '__proto__', 'constructor', 'toString', 'status', 'embed', 'feed.xml'],
  ...['sitemap-0.xml', 'sitemap-99999.xml', 'a'.repeat(64), 'F'.repeat(64), 'default.svg']
] as const

const SEARCHES = [
  ...['"', '""', '"a', 'a"b"c', '-', '--a', '-a', '-"a b"', 'from:', 'from:"', 'from:@', 'a:b'],
  ...['since:', 'since:2009', 'since:9999-99-99', 'until:0000-00-00', '-since:2009-01-01'],
  ...['has:', 'has:x', 'has:media', 'from:ada has:media', 'NEAR(a b)', 'a AND', 'a OR b', 'a NOT'],
  ...['a*', '^a', '{words} : a', 'a + b', "a' OR 1=1 --", "'::tsquery", '!a', 'a & !b', 'a <-> b'],
  ...['(((((', ')', '\\', '\u0000', '\ud800', '京'.repeat(64), '京'.repeat(65), '\u{1f600}'],
  ...['a '.repeat(64), 'a '.repeat(65), 'x'.repeat(500), 'x'.repeat(501), '\u202e', ' ', '\t\n'],
  ...['e\u0301'.repeat(200), 'ﷺ'.repeat(400), '-a '.repeat(60), '"a b" '.repeat(32)]
] as const

const LINKS = [
  ...['', 'x', 'http:', 'http://', '//', 'javascript:alert(1)', 'file:///etc/passwd', 'http://[::'],
  ...['https://x.com/a/status/20', 'https://x.com/a/status/20/photo/1', 'https://x.com//////'],
  ...[
    'https://x.com@evil.example/a/status/20',
    'https://x.com:99999/a/status/20',
    'https://x.com%00'
  ],
  ...['http://localhost/a/status/20', `https://x.com/${'a'.repeat(6000)}/status/20`, '\ud800', '%'],
  ...['https://twitter.com/%ff/status/20', `https://x.com/${'../'.repeat(1000)}status/20`]
] as const

export const KINDS: Readonly<Record<string, Kind>> = {
  'random bytes': (_path, random) => [random.bytes(1 + random.below(400))],
  'random bytes in the head': (path, random) => [
    `GET ${path} HTTP/1.1\r\n`,
    random.bytes(1 + random.below(300)),
    '\r\n\r\n'
  ],
  'an odd segment': (path, random) => get(replaceSegment(path, random.pick(SEGMENTS), random)),
  'an odd segment at the end': (path, random) => get(`${path}/${random.pick(SEGMENTS)}`),
  'many segments': (path, random) => get(`${path}${random.pick(['/', '/a', '/..']).repeat(2000)}`),
  'an odd target': (path, random) =>
    get(random.pick(['*', '//', 'http://', `http://evil.example${path}`, '?', '/?', '/#', '///'])),
  'odd names in the query': (path, random) =>
    withQuery(
      path,
      random.pick([
        '__proto__=1&constructor=1',
        'a=1&'.repeat(2000),
        '&'.repeat(5000),
        'theme=x&theme=dark&theme[]=1',
        'before=-1',
        `before=${'9'.repeat(19)}`,
        'before=0000000000000000000&before=1',
        '%ff=%ff&%00=%00',
        'id=20&id=21&id=__proto__',
        `id=${'9'.repeat(4000)}`
      ])
    ),
  'a search': (_path, random) => get(`/search?q=${encode(random.pick(SEARCHES).toWellFormed())}`),
  'a search of raw bytes': (_path, random) =>
    get(
      `/search?q=${random.pick(['%ff', '%ED%A0%80', '%00', '%', '%C3%A4%C3', '+', 'a&q=b', '[]'])}`
    ),
  'a random search': (_path, random) => {
    const length = 1 + random.below(6)
    const terms = Array.from({ length }, () => random.pick(SEARCHES).slice(0, 40).toWellFormed())
    return get(`/search?q=${encode(terms.join(' '))}`)
  },
  'an oEmbed URL': (_path, random) =>
    get(`/oembed?url=${encode(random.pick(LINKS).toWellFormed())}`),
  'odd oEmbed parameters': (path, random) =>
    withQuery(
      path,
      random.pick([
        'maxwidth=-1&maxheight=0',
        'maxwidth=1e9',
        `maxwidth=${'9'.repeat(400)}`,
        'url=&url=a',
        'url[]=a',
        'type=frame&frame=1&omit_script=x',
        'callback=alert(1)'
      ])
    ),
  'a size of media': (path, random) =>
    get(
      path.replace(/\?.*/, '') +
        random.pick([
          '?name=0x0',
          '?name=1x1',
          '?name=99999x99999',
          '?name=-1x5',
          '?name=thumb&name=large',
          '?name=__proto__',
          `?name=${'9'.repeat(3000)}x1`,
          '?name=4096x4096',
          '?name=%00',
          '?format=svg&name=orig'
        ])
    ),
  'odd ranges': (path, random) =>
    get(
      path,
      `Range: ${random.pick(['bytes=0-0', 'bytes=-0', 'bytes=-', 'bytes=9-1', 'bytes=99999999999999999999-', `bytes=${'0-0,'.repeat(1000)}0-0`, 'bytes=-99999999999999999999', 'bytes=1e3-', 'lines=0-1', 'bytes=0-0;', 'bytes=-1'])}\r\n` +
        `If-Range: ${random.pick(['"', '*', '"x"', 'never', 'W/""'])}\r\n`
    ),
  'odd conditions': (path, random) =>
    get(
      path,
      `If-None-Match: ${random.pick(['"', '*', 'W/', ','.repeat(4000), '"x",'.repeat(2000), 'W/"\u00ff"'])}\r\n` +
        `If-Modified-Since: ${random.pick(['never', '0', '9'.repeat(50), 'Thu, 01 Jan 1970 00:00:00 GMT', ''])}\r\n` +
        `If-Match: ${random.pick(['*', '"'])}\r\nIf-Unmodified-Since: 1\r\n`
    ),
  'odd negotiation': (path, random) =>
    get(
      path,
      `Accept: ${random.pick([';', 'a/b;q=', '*/*;q=9', ',,,', 'x'.repeat(6000), 'application/json;q=1e9', 'application/json', 'application/activity+json', `${'text/html;q=0.1,'.repeat(500)}a`, '"', 'a/b;c="'])}\r\n` +
        `Accept-Encoding: ${random.pick(['gzip;q=0', '*;q=0', 'br', ','.repeat(2000), 'gzip;q=NaN'])}\r\n` +
        `Accept-Language: ${random.pick(['*', '\u00ff', 'x'.repeat(3000)])}\r\n`
    ),
  'odd hosts and proxies': (path, random) => [
    `GET ${path} HTTP/1.1\r\nHost: ${random.pick(['', '"><script>', '[::', 'a b', '127.0.0.1:99999', 'x'.repeat(300)])}\r\n` +
      'X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: javascript\r\nX-Forwarded-Prefix: //evil\r\nConnection: close\r\n\r\n'
  ],
  'an odd method': (path, random) => [
    head(
      random.pick(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'BREW', 'CONNECT', 'get']),
      path,
      'Origin: null\r\nCookie: a=b\r\n\r\n'
    )
  ],
  HEAD: (path, random) => [
    head('HEAD', replaceSegment(path, random.pick([...SEGMENTS, 'ada']), random), '\r\n')
  ],
  'a body on GET': (path, random) =>
    withBody('GET', path, random.pick(['{}', 'x'.repeat(100_000), random.bytes(300)])),
  'a body that lies about its length': (path, random) => [
    head('GET', path, `Content-Length: ${random.pick(['5', '-1', '1e3', '9'.repeat(20)])}\r\n\r\n`),
    '{"a":1}'
  ],
  'broken chunks': (path, random) => [
    head('POST', path, 'Transfer-Encoding: chunked\r\n\r\n'),
    random.pick(['zz\r\n', '5\r\nabcdeXX', '0\r\n\r\n', 'ffffffffffffffffff\r\n'])
  ],
  'pipelined requests': (path, random) => [
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(1 + random.below(12)),
    ...get(path)
  ]
}

/** Once for each route. */
export const RARE: Readonly<Record<string, Kind>> = {
  'ten megabytes to GET': (path) => withBody('GET', path, 'x'.repeat(10 * MEGABYTE)),
  'a body that never ends': (path) => [head('GET', path, 'Content-Length: 1000\r\n\r\n'), 'a']
}
