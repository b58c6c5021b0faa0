import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { sendRaw } from '../support/raw-socket.ts'

interface Sent {
  method?: string
  path: string
  headers?: Record<string, string>
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Not fetch: it refuses to send a foreign Host or Sec-Fetch-Site. */
function send(base: string, { method = 'GET', path, headers = {} }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(base + path, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString()
        })
      )
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

interface Row {
  proves: string
  send: Sent
  expect: { status: number; text?: string | RegExp; headers?: Record<string, RegExp | null> }
}

function play(rows: readonly Row[], base: () => string): void {
  for (const { proves, send: sent, expect } of rows) {
    test(proves, async () => {
      const answer = await send(base(), sent)
      assert.equal(answer.status, expect.status, answer.text)
      if (typeof expect.text === 'string') assert.equal(answer.text, expect.text)
      else if (expect.text !== undefined) assert.match(answer.text, expect.text)
      for (const [name, wanted] of Object.entries(expect.headers ?? {})) {
        if (wanted === null) assert.equal(answer.headers[name], undefined, name)
        else assert.match(String(answer.headers[name]), wanted, name)
      }
    })
  }
}

const HOST_REFUSED =
  '{"error":"FOREIGN_HOST","message":"Host name not allowed; allow it with --allowed-host"}'
const ORIGIN_REFUSED =
  '{"error":"FOREIGN_ORIGIN","message":"State changes are only accepted from the console itself"}'
const TOKEN_WANTED =
  '{"error":"TOKEN_MISSING","message":"Admin token required (printed at startup): Authorization: Bearer …"}'

describe('console on loopback', () => {
  let nonet: Nonet
  let base: string
  let origin: string
  before(async () => {
    nonet = await start()
    base = nonet.console?.url ?? ''
    origin = new URL(base).origin
  })
  after(() => nonet.stop())

  play(
    [
      {
        proves: 'it is alive',
        send: { path: '/healthz' },
        expect: { status: 200, text: '{"status":"ok"}' }
      },
      {
        proves: 'it is ready',
        send: { path: '/readyz' },
        expect: { status: 200, text: '{"status":"ready"}' }
      },
      {
        proves: 'metrics are Prometheus text',
        send: { path: '/metrics' },
        expect: {
          status: 200,
          text: /^# TYPE nonet_requests_total counter$/m,
          headers: { 'content-type': /^text\/plain; version=0\.0\.4/ }
        }
      },
      {
        proves: 'every running service publishes OpenAPI 3.1',
        send: { path: '/openapi/reference.json' },
        expect: { status: 200, text: /^\{"openapi":"3\.1\.\d"/ }
      },
      {
        proves: 'so does forms',
        send: { path: '/openapi/forms.json' },
        expect: { status: 200, text: /^\{"openapi":"3\.1\.\d"/ }
      },
      {
        proves: 'so does mock, of the addresses that are its own',
        send: { path: '/openapi/mock.json' },
        expect: { status: 200, text: /^\{"openapi":"3\.1\.\d".*"\/__nonet\/operations"/ }
      },
      {
        proves: 'so does countries, which points to its schema',
        send: { path: '/openapi/countries.json' },
        expect: {
          status: 200,
          text: /^\{"openapi":"3\.1\.\d".*"externalDocs":\{[^}]*"url":"http:\/\/127\.0\.0\.1:\d+\/schema\.graphql"\}/
        }
      },
      {
        proves: 'an unknown service is a 404 in the console format',
        send: { path: '/openapi/nope.json' },
        expect: {
          status: 404,
          text: '{"error":"SERVICE_UNKNOWN","message":"Service nope is not running"}'
        }
      },
      {
        proves: 'the start page links the running services',
        send: { path: '/' },
        expect: {
          status: 200,
          text: /<a href="http:\/\/127\.0\.0\.1:\d+\/[^"]*">[\s\S]*\/api\/forms/,
          headers: {
            'content-type': /^text\/html/,
            'content-security-policy': /default-src 'none'/
          }
        }
      },
      {
        proves: 'no answer invites other origins',
        send: { path: '/', headers: { origin: 'https://elsewhere.example' } },
        expect: { status: 200, headers: { 'access-control-allow-origin': null } }
      },
      {
        proves: 'a foreign Host is refused (DNS rebinding)',
        send: { path: '/', headers: { host: 'elsewhere.example' } },
        expect: { status: 421, text: HOST_REFUSED }
      },
      {
        proves: 'a foreign Host is refused for probes too',
        send: { path: '/healthz', headers: { host: 'elsewhere.example:4000' } },
        expect: { status: 421, text: HOST_REFUSED }
      },
      {
        proves: 'a Host with an impossible port is foreign',
        send: { path: '/', headers: { host: '127.0.0.1:99999' } },
        expect: { status: 421, text: HOST_REFUSED }
      },
      {
        proves: 'a Host that only ends like localhost is foreign',
        send: { path: '/', headers: { host: 'notlocalhost' } },
        expect: { status: 421, text: HOST_REFUSED }
      },
      {
        proves: 'localhost is known',
        send: { path: '/', headers: { host: 'localhost:4000' } },
        expect: { status: 200 }
      },
      {
        proves: 'a name below localhost is known',
        send: { path: '/', headers: { host: 'a.localhost' } },
        expect: { status: 200 }
      },
      {
        proves: 'an IPv6 literal is known',
        send: { path: '/', headers: { host: '[::1]:4000' } },
        expect: { status: 200 }
      },
      {
        proves: 'a state change with a foreign Origin is refused',
        send: { method: 'POST', path: '/reset', headers: { origin: 'https://elsewhere.example' } },
        expect: { status: 403, text: ORIGIN_REFUSED }
      },
      {
        proves: 'an opaque Origin is foreign',
        send: { method: 'POST', path: '/reset', headers: { origin: 'null' } },
        expect: { status: 403, text: ORIGIN_REFUSED }
      },
      {
        proves: 'a cross-site state change is refused without an Origin',
        send: { method: 'POST', path: '/reset', headers: { 'sec-fetch-site': 'cross-site' } },
        expect: { status: 403, text: ORIGIN_REFUSED }
      },
      {
        proves: 'a program without an Origin may change state on loopback',
        send: { method: 'POST', path: '/reset/forms' },
        expect: { status: 200, text: '{"reset":["forms"]}' }
      },
      {
        proves: 'reset without a name means every service',
        send: { method: 'POST', path: '/reset' },
        expect: {
          status: 200,
          text: '{"reset":["reference","boxes","countries","scenarios","forms","mailbox","statuses","mock","cards"]}'
        }
      },
      {
        proves: 'reset of an unknown service is a 404',
        send: { method: 'POST', path: '/reset/nope' },
        expect: { status: 404 }
      },
      {
        proves: 'reset is not reachable by a link',
        send: { path: '/reset' },
        expect: { status: 404, text: '{"error":"ROUTE_NOT_FOUND","message":"No route GET /reset"}' }
      },
      {
        proves: 'a malformed address is a client error',
        send: { path: '/openapi/%zz' },
        expect: { status: 400 }
      }
    ],
    () => base
  )

  test('the console itself may change state', async () => {
    const answer = await send(base, { method: 'POST', path: '/reset', headers: { origin } })
    assert.equal(answer.status, 200)
  })

  test('a request is counted under its service and status', async () => {
    await fetch(`${nonet.reference.url}/api/people/1/`)
    await fetch(`${nonet.reference.url}/api/people/0/`)
    const { text } = await send(base, { path: '/metrics' })
    assert.match(text, /^nonet_requests_total\{service="reference",status="200"\} 1$/m)
    assert.match(text, /^nonet_requests_total\{service="reference",status="404"\} 1$/m)
    assert.match(text, /^nonet_request_duration_seconds_count\{service="reference"\} 2$/m)
    assert.match(
      text,
      /^nonet_request_duration_seconds_bucket\{service="reference",le="\+Inf"\} 2$/m
    )
  })
})

describe('console beyond loopback', () => {
  const token = 'a-token-of-the-operator'
  let nonet: Nonet
  let base: string
  before(async () => {
    nonet = await start({
      host: ['0.0.0.0'],
      adminToken: token,
      allowedHost: ['nonet.example']
    })
    base = nonet.console?.url ?? ''
  })
  after(() => nonet.stop())

  play(
    [
      { proves: 'probes stay open', send: { path: '/healthz' }, expect: { status: 200 } },
      { proves: 'readiness stays open', send: { path: '/readyz' }, expect: { status: 200 } },
      {
        proves: 'a probe may bring a query',
        send: { path: '/healthz?x=1' },
        expect: { status: 200 }
      },
      {
        proves: 'the start page asks for the token',
        send: { path: '/' },
        expect: { status: 401, text: TOKEN_WANTED }
      },
      {
        proves: 'a browser gets a page to enter the token',
        send: { path: '/', headers: { accept: 'text/html,*/*;q=0.8' } },
        expect: { status: 401, text: /<input name="token" type="password"/ }
      },
      { proves: 'metrics ask for the token', send: { path: '/metrics' }, expect: { status: 401 } },
      {
        proves: 'OpenAPI asks for the token',
        send: { path: '/openapi/reference.json' },
        expect: { status: 401 }
      },
      {
        proves: 'caught submissions ask for the token',
        send: { path: '/forms/catch' },
        expect: { status: 401 }
      },
      {
        proves: 'catching asks for the token',
        send: { method: 'POST', path: '/forms/catch' },
        expect: { status: 401 }
      },
      {
        proves: 'reset asks for the token',
        send: { method: 'POST', path: '/reset' },
        expect: { status: 401 }
      },
      {
        proves: 'an unknown path asks for the token too, so nothing can be probed',
        send: { path: '/nope' },
        expect: { status: 401, text: TOKEN_WANTED }
      },
      {
        proves: 'a wrong token is no token',
        send: { path: '/', headers: { authorization: 'Bearer wrong' } },
        expect: { status: 401, text: TOKEN_WANTED }
      },
      {
        proves: 'an empty cookie is no token',
        send: { path: '/', headers: { cookie: 'nonet_console=' } },
        expect: { status: 401 }
      },
      {
        proves: 'the bearer token opens it',
        send: { path: '/', headers: { authorization: `Bearer ${token}` } },
        expect: { status: 200 }
      },
      {
        proves: 'an allowed host is known',
        send: { path: '/', headers: { host: 'NONET.example', authorization: `Bearer ${token}` } },
        expect: { status: 200 }
      },
      {
        proves: 'the token does not open it to a foreign origin',
        send: {
          method: 'POST',
          path: '/reset',
          headers: { authorization: `Bearer ${token}`, origin: 'https://elsewhere.example' }
        },
        expect: { status: 403, text: ORIGIN_REFUSED }
      },
      {
        proves: 'the token does not open it under a foreign Host',
        send: {
          path: '/',
          headers: { authorization: `Bearer ${token}`, host: 'elsewhere.example' }
        },
        expect: { status: 421 }
      },
      {
        proves: 'the printed link trades the token for a cookie and a clean address',
        send: { path: `/?token=${token}` },
        expect: {
          status: 303,
          headers: {
            location: /^\/$/,
            'set-cookie': /^nonet_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/
          }
        }
      },
      {
        proves: 'a wrong link is refused',
        send: { path: '/?token=wrong' },
        expect: { status: 401 }
      },
      {
        proves: 'a cookie with a value that was not set is no token',
        send: { path: '/', headers: { cookie: `other=1; nonet_console=${token}` } },
        expect: { status: 401 }
      }
    ],
    () => base
  )

  test('forms still reaches its own catch endpoint', async () => {
    const answer = await fetch(nonet.forms.url, {
      method: 'POST',
      body: '{"email":"ada@example.org","fullName":"Ada"}'
    })
    assert.equal(answer.status, 200)
    const caught = await send(base, {
      path: '/forms/catch.json',
      headers: { authorization: `Bearer ${token}` }
    })
    assert.match(caught.text, /ada@example\.org/)
  })

  test('a target that no URL parser accepts is no server error, here and in every service', async () => {
    const { console: own, reference, boxes, countries, scenarios, forms, mock } = nonet
    assert.ok(own)
    for (const target of BROKEN_TARGETS) {
      const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
      for (const { url } of [own, reference, boxes, countries, scenarios, mock]) {
        const { statuses, text } = await sendRaw(url, [head], 30_000)
        // Boxes skips empty segments, and `[` may be the id of a box.
        assert.match(String(statuses), url === own.url ? /^401$/ : /^[2-4]\d\d$/, target + text)
      }
      // The seed of forms answers every request without a form with 500.
      const { text } = await sendRaw(forms.url, [head], 30_000)
      assert.match(text, /Name and email are required\.$/)
    }
  })

  test('a link with the token never leads to another host', async () => {
    for (const path of ['//elsewhere.example/a', '/\\elsewhere.example/a']) {
      const head = `GET ${path}?token=${token} HTTP/1.1\r\nHost: localhost\r\n`
      const { text } = await sendRaw(base, [head, 'Connection: close\r\n\r\n'], 30_000)
      assert.match(text, /\r\nlocation: \/elsewhere\.example\/a\r\n/)
    }
  })
})

const BROKEN_TARGETS = ['//[', '//[::1', '//', '///', '//a:b/', '//a:99999/', '/\\[', '//[?token=x']
