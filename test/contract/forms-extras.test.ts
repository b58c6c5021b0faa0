/** Opt-in features: each group is one setting more than the table's. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { contract, type Expected, type Row, type Sent } from '../support/contract.ts'
import { openWebhook } from '../support/webhook.ts'

const webhook = await openWebhook({
  refuses: { status: 400, body: '{"errors":["no"]}' }
})
after(() => webhook.close())

const FORM = '{"email":"jane@example.org","fullName":"Jane Doe"}'
const OWN = 'https://www.example.org'
const FOREIGN = 'https://elsewhere.example'

function post(body: string, headers: Sent['headers'] = {}): Sent {
  return {
    method: 'POST',
    path: '/',
    headers: { 'content-type': 'application/json', ...headers },
    body
  }
}

const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=AaB03x'

function multipart(fields: Record<string, string>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--AaB03x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  return `${parts.join('')}--AaB03x--\r\n`
}

function forwarded(count: number): Pick<Expected, 'check'> {
  return { check: () => assert.equal(webhook.take().length, count) }
}

function withWebhook(options: object) {
  return { service: 'forms', options: { webhook: webhook.url, ...options } } as const
}

const PREFLIGHT = {
  method: 'OPTIONS',
  path: '/',
  headers: { origin: OWN, 'access-control-request-method': 'POST' }
}

contract('allowed origins', withWebhook({ origins: [OWN, 'http://localhost:8080'] }), [
  {
    proves: 'a preflight of an allowed origin passes without a body',
    send: PREFLIGHT,
    expect: {
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': OWN,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '600',
        'x-content-type-options': 'nosniff',
        vary: 'Origin'
      },
      ...forwarded(0)
    }
  },
  {
    proves: 'a preflight of a foreign origin gets no permission',
    send: { ...PREFLIGHT, headers: { ...PREFLIGHT.headers, origin: FOREIGN } },
    expect: { status: 204, headers: { 'access-control-allow-origin': null, vary: 'Origin' } }
  },
  {
    proves: 'OPTIONS without the headers of a preflight is a request without a body',
    send: { method: 'OPTIONS', path: '/' },
    expect: { status: 500, text: 'Name and email are required.' }
  },
  {
    proves: 'OPTIONS with Origin alone is no preflight either',
    send: { method: 'OPTIONS', path: '/', headers: { origin: OWN } },
    expect: { status: 500, text: 'Name and email are required.' }
  },
  {
    proves: 'with configured origins, a page of this machine is a page like any other',
    send: post('{}', { origin: 'http://localhost:3000' }),
    expect: { status: 500, headers: { 'access-control-allow-origin': null } }
  },
  {
    proves: 'OPTIONS with a body is a submission like any other',
    send: { method: 'OPTIONS', path: '/', headers: { origin: OWN }, body: FORM },
    expect: { status: 200, text: '{"status":"success"}', ...forwarded(1) }
  },
  {
    proves: 'an allowed page may read the answer',
    send: post(FORM, { origin: 'http://localhost:8080' }),
    expect: {
      status: 200,
      headers: { 'access-control-allow-origin': 'http://localhost:8080', vary: 'Origin' },
      ...forwarded(1)
    }
  },
  {
    proves: 'an allowed page may read a failure',
    send: post('{}', { origin: OWN }),
    expect: {
      status: 500,
      text: 'email parameter required',
      headers: { 'access-control-allow-origin': OWN, vary: 'Origin' }
    }
  },
  {
    proves: 'a foreign page is served but may not read the answer',
    send: post(FORM, { origin: FOREIGN }),
    expect: { status: 200, headers: { 'access-control-allow-origin': null }, ...forwarded(1) }
  },
  {
    proves: 'a request without Origin is served as ever',
    send: post(FORM),
    expect: {
      status: 200,
      headers: { 'access-control-allow-origin': null, vary: 'Origin' },
      ...forwarded(1)
    }
  }
])

const LOCAL = 'http://localhost:5173'
const LOCAL_PREFLIGHT = { ...PREFLIGHT, headers: { ...PREFLIGHT.headers, origin: LOCAL } }

contract('pages of this machine, while only it can reach nonet', withWebhook({}), [
  {
    proves: 'a preflight of such a page passes',
    send: LOCAL_PREFLIGHT,
    expect: {
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': LOCAL,
        'access-control-allow-headers': /content-type/
      }
    }
  },
  ...[LOCAL, 'http://127.0.0.1', 'http://[::1]:80', 'https://app.localhost'].map((origin) => ({
    proves: `${origin} may read the response`,
    send: post('{}', { origin }),
    expect: {
      status: 500,
      text: 'email parameter required',
      headers: { 'access-control-allow-origin': origin, vary: 'Origin' }
    }
  })),
  ...[FOREIGN, 'http://localhost.example', 'http://127.0.0.1.example', 'null'].map((origin) => ({
    proves: `${origin} may not`,
    send: post('{}', { origin }),
    expect: { status: 500, headers: { 'access-control-allow-origin': null } }
  })),
  {
    proves: 'a preflight of another page is a request without a body',
    send: PREFLIGHT,
    expect: { status: 500, text: 'Name and email are required.' }
  },
  {
    proves: 'OPTIONS without the headers of a preflight is a request without a body',
    send: { method: 'OPTIONS', path: '/' },
    expect: { status: 500, text: 'Name and email are required.' }
  }
])

test('a nonet that other machines can reach gives pages of its machine no permission', async () => {
  await using nonet = await start({
    services: ['forms'],
    host: ['0.0.0.0'],
    outboundAllow: ['127.0.0.1'],
    forms: { webhook: webhook.url, rateLimit: 1000 }
  })
  const { status, headers } = await fetch(nonet.forms.url, LOCAL_PREFLIGHT)
  assert.deepEqual([status, headers.get('access-control-allow-origin')], [500, null])
})

const FIELDS = ['message', 'topics', '__proto__', 'absent']

function receives(body: string): Expected {
  return {
    status: 200,
    check() {
      assert.deepEqual(
        webhook.take().map((received) => received.body),
        [body]
      )
    }
  }
}

contract('additional fields', withWebhook({ fields: FIELDS, acceptForms: true }), [
  {
    proves: 'they are forwarded after the two fields, with any value, and no others are',
    send: post(
      '{"other":1,"__proto__":{"a":1},"message":["b",null],"fullName":"J","email":"j@example.org"}'
    ),
    expect: receives(
      '{"email":"j@example.org","fullName":"J","message":["b",null],"__proto__":{"a":1}}'
    )
  },
  {
    proves: 'a repeated field of an HTML form is an array',
    send: post('topics=a&topics=b&message=m&other=x&email=j%40example.org&fullName=J', {
      'content-type': URLENCODED
    }),
    expect: receives('{"email":"j@example.org","fullName":"J","message":"m","topics":["a","b"]}')
  },
  {
    proves: 'a file is not forwarded',
    send: post(
      multipart({
        email: 'j@example.org',
        fullName: 'J',
        'message"; filename="a.txt': 'abc'
      }),
      { 'content-type': MULTIPART }
    ),
    expect: receives('{"email":"j@example.org","fullName":"J"}')
  }
])

contract('any origin', withWebhook({ origins: ['*'], enforceOrigin: true }), [
  {
    proves: 'every page may read the answer',
    send: post(FORM, { origin: FOREIGN }),
    expect: { status: 200, headers: { 'access-control-allow-origin': FOREIGN }, ...forwarded(1) }
  }
])

contract('enforced origins', withWebhook({ origins: [OWN], enforceOrigin: true }), [
  {
    proves: 'a foreign page is refused and nothing is forwarded',
    send: post(FORM, { origin: FOREIGN }),
    expect: {
      status: 403,
      type: 'text/plain; charset=utf-8',
      text: 'Origin not allowed',
      headers: { 'access-control-allow-origin': null },
      ...forwarded(0)
    }
  },
  {
    proves: 'its preflight is refused too',
    send: { ...PREFLIGHT, headers: { ...PREFLIGHT.headers, origin: FOREIGN } },
    expect: { status: 403 }
  },
  {
    proves: 'an allowed page is served',
    send: post(FORM, { origin: OWN }),
    expect: { status: 200, headers: { 'access-control-allow-origin': OWN }, ...forwarded(1) }
  },
  {
    proves: 'a request without Origin is no page and passes',
    send: post(FORM),
    expect: { status: 200, ...forwarded(1) }
  }
])

contract('a honeypot', withWebhook({ honeypot: 'website' }), [
  {
    proves: 'whoever fills the trap is thanked and not forwarded',
    send: post('{"email":"bot@example.org","fullName":"B","website":"http://spam.example"}'),
    expect: {
      status: 200,
      type: 'application/json; charset=utf-8',
      text: '{"status":"success"}',
      ...forwarded(0)
    }
  },
  {
    proves: 'the trap springs before the fields are checked',
    send: post('{"website":"x"}'),
    expect: { status: 200, text: '{"status":"success"}', ...forwarded(0) }
  },
  {
    proves: 'an empty trap is a person',
    send: post('{"email":"jane@example.org","fullName":"Jane Doe","website":""}'),
    expect: { status: 200, text: '{"status":"success"}', ...forwarded(1) }
  },
  { proves: 'JSON null has no trap field', send: post('null'), expect: { status: 500 } }
])

describe('a rate limit', () => {
  test('counts per address and says when to come back', async () => {
    await using nonet = await start({
      services: ['forms'],
      forms: { webhook: webhook.url, rateLimit: 2, origins: [OWN] }
    })
    const other = nonet.forms.url.replace('127.0.0.1', '[::1]')
    const submit = (url: string) =>
      fetch(url, { method: 'POST', headers: { origin: OWN }, body: FORM })
    webhook.take()
    await fetch(nonet.forms.url, PREFLIGHT)
    const began = performance.now()
    for (const expected of [200, 200, 429]) {
      assert.equal((await submit(nonet.forms.url)).status, expected)
    }
    const refused = await submit(nonet.forms.url)
    assert.equal(refused.status, 429)
    assert.equal(await refused.text(), 'Too many requests')
    assert.equal(refused.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(refused.headers.get('access-control-allow-origin'), OWN)
    const seconds = Number(refused.headers.get('retry-after'))
    const elapsed = (performance.now() - began) / 1000
    assert.ok(seconds >= 59 - elapsed && seconds <= 60, `retry-after ${seconds}`)
    assert.equal((await submit(other)).status, 200)
    assert.equal(webhook.take().length, 3)
  })
})

const NOT_UTF8 = 'Error: Request body is not valid utf-8'
const TOO_MANY_FIELDS = 'Error: A form may have at most 1000 fields: send fewer'

function numbered(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, '']))
}

const HTML_ROWS: readonly Row[] = [
  {
    proves: 'a URL-encoded form is taken',
    send: post('fullName=Jane+D%C3%B6e&x=1&email=jane%40example.org', {
      'content-type': URLENCODED
    }),
    expect: {
      status: 200,
      text: '{"status":"success"}',
      check() {
        assert.equal(webhook.take()[0]?.body, '{"email":"jane@example.org","fullName":"Jane Döe"}')
      }
    }
  },
  {
    proves: 'the content type may have parameters and capitals',
    send: post('email=a&fullName=b', {
      'content-type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8'
    }),
    expect: { status: 200, ...forwarded(1) }
  },
  {
    proves: 'a multipart form is taken',
    send: post(multipart({ email: 'jane@example.org', fullName: 'Jane' }), {
      'content-type': MULTIPART
    }),
    expect: {
      status: 200,
      check() {
        assert.equal(webhook.take()[0]?.body, '{"email":"jane@example.org","fullName":"Jane"}')
      }
    }
  },
  {
    proves: 'a form in a declared charset is decoded',
    send: post('email=a&fullName=D%F6e+%80', {
      'content-type': `${URLENCODED}; charset=windows-1252`
    }),
    expect: receives('{"email":"a","fullName":"Döe €"}')
  },
  {
    proves: 'a form that names its charset in a field, as browsers do, is decoded',
    send: post('_charset_=iso-8859-15&email=a&fullName=D%F6e+%A4', { 'content-type': URLENCODED }),
    expect: receives('{"email":"a","fullName":"Döe €"}')
  },
  {
    proves: 'a multipart form in a declared charset is decoded',
    send: {
      ...post('', { 'content-type': `${MULTIPART}; charset=iso-8859-1` }),
      body: Buffer.from(multipart({ email: 'a', fullName: 'D\u00f6e' }), 'latin1')
    },
    expect: receives('{"email":"a","fullName":"Döe"}')
  },
  {
    proves: 'escapes that are not UTF-8 are rejected',
    send: post('email=a&fullName=D%F6e', { 'content-type': URLENCODED }),
    expect: { status: 500, text: NOT_UTF8, ...forwarded(0) }
  },
  {
    proves: 'a multipart form that is not UTF-8 is rejected',
    send: {
      ...post('', { 'content-type': MULTIPART }),
      body: Buffer.from(multipart({ email: 'a', fullName: 'D\u00f6e' }), 'latin1')
    },
    expect: { status: 500, text: NOT_UTF8, ...forwarded(0) }
  },
  {
    proves: 'a file may contain any bytes',
    send: {
      ...post('', { 'content-type': MULTIPART }),
      body: Buffer.concat([
        Buffer.from(
          '--AaB03x\r\nContent-Disposition: form-data; name="f"; filename="ü.bin"\r\n\r\n'
        ),
        Buffer.from([0xff, 0xfe, 0x00]),
        Buffer.from(`\r\n${multipart({ email: 'a', fullName: 'Döe' })}`)
      ])
    },
    expect: receives('{"email":"a","fullName":"Döe"}')
  },
  {
    proves: 'fields are checked as in JSON',
    send: post('email=&fullName=b', { 'content-type': URLENCODED }),
    expect: { status: 500, text: 'email parameter required', ...forwarded(0) }
  },
  {
    proves: 'a broken multipart body is an exception like any other',
    send: post('nonsense', { 'content-type': MULTIPART }),
    expect: { status: 500, text: /^TypeError: /, ...forwarded(0) }
  },
  {
    proves: 'a thousand URL-encoded fields are read',
    send: post(`${'a&'.repeat(998)}email=a&fullName=b`, { 'content-type': URLENCODED }),
    expect: { status: 200, ...forwarded(1) }
  },
  {
    proves: 'more are not',
    send: post(`${'a&'.repeat(999)}email=a&fullName=b`, { 'content-type': URLENCODED }),
    expect: { status: 500, text: TOO_MANY_FIELDS, ...forwarded(0) }
  },
  {
    proves: 'a thousand multipart fields are read',
    send: post(multipart({ ...numbered(998), email: 'a', fullName: 'b' }), {
      'content-type': MULTIPART
    }),
    expect: { status: 200, ...forwarded(1) }
  },
  {
    proves: 'more are not, whatever the case and quotes of the boundary',
    send: post(multipart({ ...numbered(999), email: 'a', fullName: 'b' }), {
      'content-type': 'multipart/form-data; Boundary="AaB03x"'
    }),
    expect: { status: 500, text: TOO_MANY_FIELDS, ...forwarded(0) }
  },
  {
    proves: 'JSON is taken as ever',
    send: post(FORM),
    expect: { status: 200, text: '{"status":"success"}', ...forwarded(1) }
  },
  {
    proves: 'JSON that is labelled as a form, as curl -d does, is taken as ever',
    send: post(FORM, { 'content-type': URLENCODED }),
    expect: { status: 200, text: '{"status":"success"}', ...forwarded(1) }
  },
  {
    proves: 'JSON that is labelled as a form is checked as ever',
    send: post('{"email":"a"}', { 'content-type': MULTIPART }),
    expect: { status: 500, text: 'name parameter required', ...forwarded(0) }
  },
  {
    proves: 'a type that only begins alike is JSON or nothing',
    send: post('email=a&fullName=b', { 'content-type': `${URLENCODED}-odd` }),
    expect: { status: 500, text: /^SyntaxError: /, ...forwarded(0) }
  }
]

contract('plain HTML forms', withWebhook({ acceptForms: true, honeypot: 'trap' }), HTML_ROWS)

const PAGES = {
  acceptForms: true,
  honeypot: 'trap',
  redirectSuccess: 'https://www.example.org/thanks',
  redirectError: '/sorry'
}

function landsOn(location: string, count: number): Expected {
  return {
    status: 303,
    text: '',
    headers: { location, 'cache-control': 'no-store' },
    ...forwarded(count)
  }
}

contract('plain HTML forms with pages to land on', withWebhook(PAGES), [
  {
    proves: 'a forwarded form lands on the success page',
    send: post('email=a&fullName=b', { 'content-type': URLENCODED }),
    expect: landsOn('https://www.example.org/thanks', 1)
  },
  {
    proves: 'a trapped one too',
    send: post('trap=x', { 'content-type': URLENCODED }),
    expect: landsOn('https://www.example.org/thanks', 0)
  },
  {
    proves: 'an incomplete form lands on the error page',
    send: post('email=a', { 'content-type': URLENCODED }),
    expect: landsOn('/sorry', 0)
  },
  {
    proves: 'a form the webhook refuses lands on the error page',
    send: post('email=refuses&fullName=b', { 'content-type': URLENCODED }),
    expect: landsOn('/sorry', 1)
  },
  {
    proves: 'an empty form lands on the error page',
    send: post('', { 'content-type': URLENCODED }),
    expect: landsOn('/sorry', 0)
  },
  {
    proves: 'JSON is answered, not redirected',
    send: post(FORM),
    expect: { status: 200, text: '{"status":"success"}', ...forwarded(1) }
  },
  {
    proves: 'JSON is answered, not redirected, whatever its label',
    send: post('{"email":"a"}', { 'content-type': URLENCODED }),
    expect: { status: 500, text: 'name parameter required', ...forwarded(0) }
  },
  {
    proves: 'a field of the request names no page',
    send: post('email=a&fullName=b&redirectSuccess=https://evil.example', {
      'content-type': URLENCODED
    }),
    expect: landsOn('https://www.example.org/thanks', 1)
  }
])

contract(
  'plain HTML forms with one page',
  withWebhook({ acceptForms: true, redirectSuccess: '/thanks' }),
  [
    {
      proves: 'a failure without an error page is the plain answer',
      send: post('email=a', { 'content-type': URLENCODED }),
      expect: { status: 500, text: 'name parameter required', ...forwarded(0) }
    }
  ]
)
