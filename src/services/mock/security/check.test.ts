import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../document/json.ts'
import { buildApi } from '../model/build.ts'
import { parseCookies } from '../request/cookies.ts'
import { parseQuery } from '../request/query-string.ts'
import { createSecurityCheck } from './check.ts'

const SCHEMES: JsonObject = {
  basic: { type: 'http', scheme: 'Basic' },
  digest: { type: 'http', scheme: 'digest' },
  bearer: { type: 'http', scheme: 'bearer' },
  oauth: { type: 'oauth2', flows: {} },
  openid: { type: 'openIdConnect', openIdConnectUrl: 'https://x' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  tls: { type: 'mutualTLS' },
  hoba: { type: 'http', scheme: 'hoba' }
}

interface Sent {
  authorization?: string
  'x-key'?: string
  cookie?: string
  query?: string
}

/** `a+b | c` means a and b, or c; `-` is the empty requirement. */
function play(rule: string, { query = '', ...headers }: Sent) {
  const security: Json = rule.split('|').map((entry) => {
    const names = entry.trim() === '-' ? [] : entry.trim().split('+')
    return Object.fromEntries(names.map((name) => [name, []]))
  })
  const { operations } = buildApi({
    openapi: '3.1.0',
    components: { securitySchemes: SCHEMES },
    paths: { '/': { get: { security: rule === '' ? [] : security } } }
  })
  const check = createSecurityCheck(operations[0]?.security ?? [])
  const cookies = () => parseCookies(headers.cookie)
  const verdict = check?.({ headers, query: parseQuery(query), cookies })
  const warnings = verdict?.diagnostics.filter(({ severity }) => severity === 'Warning') ?? []
  if (verdict?.diagnostics.some(({ code }) => code === 401)) return verdict.challenges.join()
  return warnings.length === 0 ? 'pass' : `pass with ${warnings.length}`
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const DIGEST = 'Digest username="u", realm="*", nonce="abc123", uri="/a?b", response="0f", qop=auth'

describe('security', () => {
  const rows: [string, string, Sent, string][] = [
    ['no requirements', '', {}, 'pass'],
    ['basic', 'basic', { authorization: `Basic ${base64('u:p')}` }, 'pass'],
    ['basic in another case', 'basic', { authorization: `bAsIc ${base64('u:p')}` }, 'pass'],
    ['a colon in the password', 'basic', { authorization: `Basic ${base64('u:p:q')}` }, 'pass'],
    ['basic without', 'basic', {}, 'Basic realm="*"'],
    ['basic with bearer', 'basic', { authorization: 'Bearer x' }, 'Basic realm="*"'],
    ['basic without colon', 'basic', { authorization: `Basic ${base64('up')}` }, ''],
    ['basic that is not base64', 'basic', { authorization: 'Basic ::::' }, ''],
    ['basic that is empty', 'basic', { authorization: 'Basic' }, ''],
    ['digest as curl sends it', 'digest', { authorization: DIGEST }, 'pass'],
    [
      'digest with a part missing',
      'digest',
      { authorization: DIGEST.replace('nonce', 'once') },
      'Digest realm="*", nonce="abc123"'
    ],
    ['digest without', 'digest', {}, 'Digest realm="*", nonce="abc123"'],
    ['bearer', 'bearer', { authorization: 'Bearer x.y' }, 'pass'],
    ['bearer in lower case', 'bearer', { authorization: 'bearer x.y' }, 'pass'],
    ['bearer without token', 'bearer', { authorization: 'Bearer ' }, 'Bearer'],
    ['bearer without space', 'bearer', { authorization: 'Bearerx' }, 'Bearer'],
    ['oauth2', 'oauth', { authorization: 'BEARER x' }, 'pass'],
    ['oauth2 without', 'oauth', {}, 'OAuth2'],
    ['openIdConnect', 'openid', { authorization: 'Bearer x' }, 'pass'],
    ['openIdConnect without', 'openid', {}, 'OpenID'],
    ['key in a header', 'header', { 'x-key': '1' }, 'pass'],
    ['no key in a header', 'header', {}, ''],
    ['empty key in a header', 'header', { 'x-key': '' }, ''],
    ['key in the query', 'query', { query: 'a=1&key=2' }, 'pass'],
    ['empty key in the query', 'query', { query: 'a=1&key=' }, ''],
    ['no key in the query', 'query', { query: 'a=key' }, ''],
    ['key in a cookie', 'cookie', { cookie: 'a=b; sid=1' }, 'pass'],
    ['empty key in a cookie', 'cookie', { cookie: 'sid=' }, ''],
    ['another cookie that ends alike', 'cookie', { cookie: 'xsid=1' }, ''],
    ['both, both given', 'header+query', { 'x-key': '1', query: 'key=1' }, 'pass'],
    ['both, one given', 'header+query', { 'x-key': '1' }, ''],
    ['both, with the challenge of the missing one', 'header+bearer', { 'x-key': '1' }, 'Bearer'],
    ['either, the second given', 'bearer | header', { 'x-key': '1' }, 'pass'],
    ['either, none given', 'bearer | basic | oauth', {}, 'Bearer,Basic realm="*",OAuth2'],
    ['anonymous', '-', {}, 'pass'],
    ['anonymous or bearer', 'bearer | -', {}, 'pass'],
    ['anonymous with a wrong header', '- | bearer', { authorization: 'Basic x' }, 'None,Bearer'],
    ['unknown kinds pass with a warning', 'tls', {}, 'pass with 1'],
    ['unknown http schemes too', 'hoba', {}, 'pass with 1'],
    ['undefined names too', 'undefined', {}, 'pass with 1'],
    ['an unknown kind does not excuse the other', 'tls+bearer', {}, 'Bearer'],
    ['names of a prototype', 'constructor', {}, 'pass with 1']
  ]
  for (const [proves, rule, sent, expected] of rows) {
    test(proves, () => assert.equal(play(rule, sent), expected))
  }

  test('a rejected request has one diagnostic of code 401', () => {
    const check = createSecurityCheck([
      [{ key: 'b', type: 'http', scheme: 'bearer', name: undefined, in: undefined }]
    ])
    const cookies = () => parseCookies(undefined)
    assert.deepEqual(check?.({ headers: {}, query: parseQuery(''), cookies }), {
      diagnostics: [
        { location: [], severity: 'Error', code: 401, message: 'Invalid security scheme used' }
      ],
      challenges: ['Bearer']
    })
  })
})
