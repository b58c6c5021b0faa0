import { gzipSync } from 'node:zlib'
import { rawRequest } from './exchange.mjs'

/** Paths of each service for which all cases are sent. */
const PATHS = {
  console: ['/', '/healthz', '/openapi/reference.json', '/forms/catch'],
  reference: ['/', '/api/people/', '/api/people/1/', '/api/films/1/image.svg'],
  boxes: ['/', '/comparedboxcomparedbox', '/comparedboxcomparedbox/things'],
  countries: ['/', '/countries.json', '/countries/BR.json'],
  scenarios: ['/', '/api/users', '/api/login', '/api/echo'],
  forms: ['/', '/.netlify/functions/zapierSend'],
  mailbox: ['/', '/health', '/v1/sandbox/messages', '/v1/sandbox/accounts', '/openapi.json'],
  statuses: ['/', '/marit', '/wrong/status/1967312943120908289', '/api/tweet/20', '/oembed'],
  mock: ['/beds', '/plants?limit=3', '/__nonet/operations'],
  cards: ['/', '/content/portfolio/cards', '/1/boards/portfolio', '/1/cards', '/images/a.png']
}

const GZIP = gzipSync('{"email":"a@b.c","fullName":"A"}').toString('latin1')

const host = 'Host: {host}\r\n'
const close = 'Connection: close\r\n'
const json = 'Content-Type: application/json\r\n'

function get(path, more = '', method = 'GET') {
  return `${method} ${path} HTTP/1.1\r\n${host}${close}${more}\r\n`
}

function post(path, body, more = json) {
  return `POST ${path} HTTP/1.1\r\n${host}${close}${more}Content-Length: ${body.length}\r\n\r\n${body}`
}

const CASES = {
  'no HTTP at all': () => 'garbage\r\n\r\n',
  bytes: () => '\x00\x01\xff\xfe\r\n\r\n',
  'TLS hello': () => '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03',
  'an unknown version': (path) => `GET ${path} HTTP/9.9\r\n${host}\r\n`,
  'HTTP/2 preface': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/1.0': (path) => `GET ${path} HTTP/1.0\r\n\r\n`,
  'HTTP/1.0 kept alive': (path) => `GET ${path} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`,
  'no version': (path) => `GET ${path}\r\n\r\n`,
  'a lower case method': (path) => get(path, '', 'get'),
  'a long method': (path) => get(path, '', 'A'.repeat(3000)),
  CONNECT: () => `CONNECT example.org:443 HTTP/1.1\r\n${host}\r\n`,
  TRACE: (path) => get(path, '', 'TRACE'),
  PROPFIND: (path) => get(path, '', 'PROPFIND'),
  'QUERY with a body': (path) => post(path, '{}').replace('POST', 'QUERY'),
  'two spaces': (path) => `GET  ${path} HTTP/1.1\r\n${host}${close}\r\n`,
  'bare LF': (path) => `GET ${path} HTTP/1.1\nHost: {host}\nConnection: close\n\n`,
  'no host': (path) => `GET ${path} HTTP/1.1\r\n${close}\r\n`,
  'two hosts': (path) => get(path, 'Host: other.example\r\n'),
  'an empty host': (path) => `GET ${path} HTTP/1.1\r\nHost:\r\n${close}\r\n`,
  'a hostile host': (path) => `GET ${path} HTTP/1.1\r\nHost: "><script>\r\n${close}\r\n`,
  'a foreign host': (path) => `GET ${path} HTTP/1.1\r\nHost: evil.example\r\n${close}\r\n`,
  'forwarded headers': (path) =>
    get(
      path,
      'X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nForwarded: for=1.2.3.4\r\n'
    ),
  'absolute form': (path) => get(`http://{host}${path}`),
  'absolute form of another host': (path) => get(`http://other.example${path}`),
  'absolute form with a bad port': (path) => get(`http://a:99999${path}`),
  'asterisk form': () => get('*', '', 'OPTIONS'),
  'a target without a slash': (path) => get(path.slice(1) || 'x'),
  'two slashes': (path) => get(`/${path}`),
  'a fragment': (path) => get(`${path}#part`),
  dots: (path) => get(`${path}/../..//./x`),
  'encoded dots': (path) => get(`${path}%2e%2e%2f`),
  'bad UTF-8': (path) => get(`${path}%ff`),
  'overlong UTF-8': (path) => get(`${path}%c0%af`),
  'a lone percent': (path) => get(`${path}%`),
  'no hexadecimal': (path) => get(`${path}%zz`),
  'an encoded zero': (path) => get(`${path}%00`),
  'raw bytes in the path': (path) => get(`${path}\xff\xfe`),
  'a backslash': (path) => get(`${path}\\x`),
  'a question mark alone': (path) => get(`${path.split('?')[0]}?`),
  'odd queries': (path) => get(`${path.split('?')[0]}?a=%zz&&=&b=%ff&__proto__=1&page=-1`),
  'many queries': (path) => get(`${path.split('?')[0]}?${'a=1&'.repeat(1200)}`),
  'an 8 KB path': (path) => get(path.split('?')[0] + 'x'.repeat(8000)),
  'headers over the limit': (path) => get(path, `X: ${'y'.repeat(20_000)}\r\n`),
  'too many headers': (path) => get(path, 'X: y\r\n'.repeat(2200)),
  'a header without a colon': (path) => get(path, 'broken\r\n'),
  'a header with a space': (path) => get(path, 'Bad Name: x\r\n'),
  'a folded header': (path) => get(path, 'X: a\r\n b\r\n'),
  'a control character': (path) => get(path, 'X: a\x01b\r\n'),
  'length and chunks': (path) =>
    `POST ${path} HTTP/1.1\r\n${host}${close}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'two lengths': (path) =>
    `POST ${path} HTTP/1.1\r\n${host}${close}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `,
  'a negative length': (path) => get(path, 'Content-Length: -1\r\n', 'POST'),
  'a length in words': (path) => get(path, 'Content-Length: x\r\n', 'POST'),
  'an unknown transfer encoding': (path) => get(path, 'Transfer-Encoding: odd\r\n', 'POST'),
  'good chunks': (path) =>
    `POST ${path} HTTP/1.1\r\n${host}${close}${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  'chunks with trailers': (path) =>
    `POST ${path} HTTP/1.1\r\n${host}${close}${json}Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n`,
  'broken chunks': (path) =>
    `POST ${path} HTTP/1.1\r\n${host}${close}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  'a body with GET': (path) => post(path, '{}').replace('POST', 'GET'),
  'an empty body': (path) => post(path, ''),
  'broken JSON': (path) => post(path, '{"a":'),
  'bad UTF-8 in a body': (path) => post(path, '{"a":"\xff\xc0"}'),
  'a byte order mark': (path) => post(path, '\xef\xbb\xbf{"a":1}'),
  'deep JSON': (path) => post(path, '['.repeat(5000) + ']'.repeat(5000)),
  __proto__: (path) => post(path, '{"__proto__":{"a":1},"constructor":{"prototype":{}}}'),
  'a duplicate key': (path) => post(path, '{"a":1,"a":2}'),
  'no content type': (path) => post(path, '{"a":1}', ''),
  'an odd content type': (path) => post(path, '{}', 'Content-Type: ;;;\r\n'),
  'another charset': (path) =>
    post(path, '{}', 'Content-Type: application/json; charset=utf-16\r\n'),
  'a broken multipart': (path) => post(path, '--x', 'Content-Type: multipart/form-data\r\n'),
  'a form': (path) =>
    post(path, 'a=1&b=%zz', 'Content-Type: application/x-www-form-urlencoded\r\n'),
  gzip: (path) => post(path, GZIP, `${json}Content-Encoding: gzip\r\n`),
  'gzip that is none': (path) => post(path, '{}', `${json}Content-Encoding: gzip\r\n`),
  'an unknown coding': (path) => post(path, '{}', `${json}Content-Encoding: odd\r\n`),
  'a body over a limit': (path) => post(path, `{"a":"${'x'.repeat(200_000)}"}`),
  'Expect: 100-continue': (path) => post(path, '{}', `${json}Expect: 100-continue\r\n`),
  'another expectation': (path) => post(path, '{}', `${json}Expect: tea\r\n`),
  'a WebSocket': (path) =>
    `GET ${path} HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n`,
  'another upgrade': (path) =>
    `GET ${path} HTTP/1.1\r\n${host}Connection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
  pipelining: (path) =>
    `GET ${path} HTTP/1.1\r\n${host}\r\nHEAD ${path} HTTP/1.1\r\n${host}\r\n${get(path)}`,
  'garbage behind a request': (path) => `GET ${path} HTTP/1.1\r\n${host}\r\ngarbage\r\n\r\n`,
  'odd negotiation': (path) =>
    get(path, 'Accept: ;q=,a/b;q=9,,\r\nAccept-Encoding: odd;q=1, *;q=0\r\nAccept-Language: -\r\n'),
  'nothing acceptable': (path) => get(path, 'Accept: image/x-none\r\n'),
  compressed: (path) => get(path, 'Accept-Encoding: gzip, br\r\n'),
  'odd conditions': (path) =>
    get(path, 'If-None-Match: ",W/\r\nIf-Modified-Since: never\r\nIf-Match: *\r\n'),
  'any tag': (path) => get(path, 'If-None-Match: *\r\n'),
  'a range': (path) => get(path, 'Range: bytes=0-3\r\n'),
  'an origin': (path) => get(path, 'Origin: null\r\n'),
  'a preflight': (path) =>
    get(
      path,
      'Origin: https://a.example\r\nAccess-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: x-y\r\n',
      'OPTIONS'
    ),
  'odd credentials': (path) =>
    get(path, 'Authorization: Bearer \xff\r\nCookie: a=b; =; c\r\nX-Api-Key: x\r\n')
}

/** Requests that never end, so the servers may not respond. */
const UNFINISHED = {
  'half a request line': (path) => `GET ${path}`,
  'half a head': (path) => `GET ${path} HTTP/1.1\r\nHost: {host}\r\nX: `,
  'half a body': (path) =>
    `POST ${path} HTTP/1.1\r\n${host}${json}Content-Length: 100\r\n\r\n{"email"`,
  'half a chunk': (path) =>
    `POST ${path} HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n5\r\nab`,
  'an endless length': (path) =>
    `POST ${path} HTTP/1.1\r\n${host}Content-Length: 99999999999999\r\n\r\n{}`
}

export function hostileRequests(service) {
  const group = 'hostile'
  return (PATHS[service] ?? []).flatMap((path) => [
    ...Object.entries(CASES).map(([name, make]) => ({
      ...rawRequest(`${name} at ${path}`, make(path)),
      group,
      service
    })),
    ...Object.entries(UNFINISHED).map(([name, make]) => ({
      ...rawRequest(`${name} at ${path}`, make(path), { unfinished: true }),
      group,
      service
    }))
  ])
}
