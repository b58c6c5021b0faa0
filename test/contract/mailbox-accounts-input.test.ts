/** What is wrong with a request to register, change or try an account; nothing is stored then. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_TOKEN, sandboxes } from './mailbox-site.ts'

const admin = { token: ADMIN_TOKEN }
const MASKED = 'is the mask of a stored value; send the value itself, or leave the field out'
const NO_SUCH_USE = 'must be a path, a special use such as \\Sent, or * for all mailboxes'
const CONSENT = 'Consent pages are not offered; send refreshToken'
const LOOKUP = 'Credentials are not looked up at other servers'
const CONTROL = 'must have no control characters'
const imap = { host: 'imap.example.org', port: 993, secure: true, auth: { user: 'u', pass: 'p' } }
const smtp = { host: 'smtp.example.org', port: 465, secure: true, auth: { user: 'u', pass: 'p' } }
const oauth2 = {
  auth: { user: 'u' },
  refreshToken: 'r',
  tokenUrl: 'https://login.example.org/token',
  clientId: 'c'
}

/** Fields besides `account` and `name`, and what the response says, by field. */
const REJECTED: readonly [fields: object, errors: Readonly<Record<string, string>>][] = [
  [{ unknown: 1 }, { unknown: 'is not allowed' }],
  [JSON.parse('{"__proto__": {"x": 1}}'), { ['__proto__']: 'is not allowed' }],
  [
    { constructor: 1, toString: 2 },
    { constructor: 'is not allowed', toString: 'is not allowed' }
  ],
  [{ name: 'a\u0000b' }, { name: CONTROL }],
  [{ name: '\ud800' }, { name: CONTROL }],
  [{ name: 'x'.repeat(257) }, { name: 'must NOT have more than 256 characters' }],
  [{ name: {} }, { name: 'must be string' }],
  [{ email: 'nobody' }, { email: 'must be an email address' }],
  [{ email: 'a@b\r\nBcc: c@d' }, { email: CONTROL }],
  [{ locale: 'no such locale' }, { locale: 'must be a language tag such as en or de-CH' }],
  [{ tz: 'Mars/Base' }, { tz: 'must be the name of a time zone such as Europe/Tallinn' }],
  [{ smtpEhloName: 'a b' }, { smtpEhloName: 'must be a host name' }],
  [{ copy: 'perhaps' }, { copy: 'must be boolean,null' }],
  [{ imap: true }, { imap: 'must be an object or false' }],
  [{ imap: [] }, { imap: 'must be an object or false' }],
  // Null is neither false nor an empty text nor zero.
  [
    { imap: null, smtp: { ...smtp, port: null }, logs: null, email: null },
    {
      imap: 'must be an object or false',
      'smtp.port': 'must be integer',
      logs: 'must be boolean',
      email: 'must be string'
    }
  ],
  [{ imap: {} }, { 'imap.host': 'is required', 'imap.port': 'is required' }],
  [{ imap: { ...imap, host: '' } }, { 'imap.host': 'must be a host name or an IP address' }],
  [{ imap: { ...imap, host: 'a b' } }, { 'imap.host': 'must be a host name or an IP address' }],
  [
    { imap: { ...imap, host: 'http://x/' } },
    { 'imap.host': 'must be a host name or an IP address' }
  ],
  [{ imap: { ...imap, host: 'ä..' } }, { 'imap.host': 'is not a valid host name' }],
  [{ imap: { ...imap, host: '-a.example' } }, { 'imap.host': 'is not a valid host name' }],
  [{ imap: { ...imap, port: 0 } }, { 'imap.port': 'must be >= 1' }],
  [{ imap: { ...imap, port: 65_536 } }, { 'imap.port': 'must be <= 65535' }],
  [{ imap: { ...imap, port: 1.5 } }, { 'imap.port': 'must be integer' }],
  [
    { imap: { ...imap, auth: undefined } },
    { 'imap.auth': 'is required; false if the server needs no sign-in' }
  ],
  [
    { imap: { ...imap, auth: { user: 'u' } } },
    { 'imap.auth.pass': 'is required without accessToken' }
  ],
  [{ imap: { ...imap, auth: { pass: 'p' } } }, { 'imap.auth.user': 'is required' }],
  [
    { imap: { ...imap, auth: { user: 'u', pass: 'p', accessToken: 't' } } },
    { 'imap.auth': 'must have either pass or accessToken' }
  ],
  [{ imap: { ...imap, auth: { user: 'u', pass: '******' } } }, { 'imap.auth.pass': MASKED }],
  [
    { smtp: { ...smtp, auth: { user: 'u', accessToken: '******' } } },
    { 'smtp.auth.accessToken': MASKED }
  ],
  [{ imap: { ...imap, auth: { user: 'u\u0001x', pass: 'p' } } }, { 'imap.auth.user': CONTROL }],
  [{ imap: { ...imap, auth: { user: 'u', pass: 'p\r\nx' } } }, { 'imap.auth.pass': CONTROL }],
  [
    { imap: { ...imap, tls: { minVersion: 'SSLv3' } } },
    { 'imap.tls.minVersion': 'must be one of TLSv1, TLSv1.1, TLSv1.2, TLSv1.3' }
  ],
  [{ imap: { ...imap, tls: { ca: 'x' } } }, { 'imap.tls.ca': 'is not allowed' }],
  [{ imap: { ...imap, partial: true } }, { 'imap.partial': 'is not allowed' }],
  [{ imap: { ...imap, useAuthServer: true } }, { 'imap.useAuthServer': LOOKUP }],
  [{ imap: { ...imap, resyncDelay: 0 } }, { 'imap.resyncDelay': 'must be >= 1' }],
  [{ imap: { ...imap, resyncDelay: 604_801 } }, { 'imap.resyncDelay': 'must be <= 604800' }],
  [{ imap: { ...imap, resyncDelay: 'soon' } }, { 'imap.resyncDelay': 'must be integer' }],
  [{ imap: { ...imap, sentMailPath: 'a\nb' } }, { 'imap.sentMailPath': CONTROL }],
  [{ oauth2 }, { imap: 'is required with oauth2, unless smtp is set' }],
  [{ imap, oauth2: { auth: {} } }, { 'oauth2.auth.user': 'is required' }],
  [
    { imap, oauth2: { auth: { user: 'u' } } },
    { 'oauth2.refreshToken': 'is required without accessToken' }
  ],
  [
    { imap, oauth2: { auth: { user: 'u' }, refreshToken: 'r' } },
    {
      'oauth2.tokenUrl': 'is required with refreshToken',
      'oauth2.clientId': 'is required with refreshToken'
    }
  ],
  [{ imap, oauth2: { ...oauth2, clientSecret: '******' } }, { 'oauth2.clientSecret': MASKED }],
  [{ imap, oauth2: { ...oauth2, refreshToken: '******' } }, { 'oauth2.refreshToken': MASKED }],
  [
    { imap, oauth2: { ...oauth2, expires: 'tomorrow' } },
    { 'oauth2.expires': 'must match format "date-time"' }
  ],
  [
    { imap, oauth2: { ...oauth2, expires: '2016-12-31T23:59:60Z' } },
    { 'oauth2.expires': 'must match format "date-time"' }
  ],
  [
    { imap, oauth2: { ...oauth2, authorize: true, redirectUrl: 'x', provider: 'gmail' } },
    {
      'oauth2.provider':
        'OAuth2 applications are not offered; send tokenUrl, clientId and refreshToken',
      'oauth2.authorize': CONSENT,
      'oauth2.redirectUrl': CONSENT
    }
  ],
  [{ path: [] }, { path: 'must name a mailbox, or * for all' }],
  [{ path: '' }, { 'path.0': 'must NOT have fewer than 1 characters' }],
  [{ path: null }, { 'path.0': 'must be string' }],
  [{ path: ['INBOX', 'a\r\nb'] }, { 'path.1': CONTROL }],
  [{ path: ['INBOX', '\\Snet'] }, { path: NO_SUCH_USE }],
  [{ path: 'x'.repeat(1025) }, { 'path.0': 'must NOT have more than 1024 characters' }],
  [
    { path: Array.from({ length: 101 }, (_, n) => `m${n}`) },
    { path: 'must NOT have more than 100 items' }
  ],
  [{ subconnections: '*' }, { subconnections: 'must name mailboxes, such as INBOX or \\Sent' }],
  [{ subconnections: ['\\*'] }, { subconnections: NO_SUCH_USE }],
  [
    { subconnections: ['a', 'b', 'c', 'd', 'e', 'f'] },
    { subconnections: 'must NOT have more than 5 items' }
  ],
  [{ notifyFrom: 'yesterday' }, { notifyFrom: 'must match format "date-time"' }],
  [{ notifyFrom: '2026-02-30' }, { notifyFrom: 'must match format "date-time"' }],
  [{ notifyFrom: 1_790_000_000 }, { notifyFrom: 'must match format "date-time"' }],
  [
    { imapIndexer: 'slow' },
    { imapIndexer: 'must be full, fast, or null for that of the settings' }
  ],
  [
    { proxy: 'socks://x', expectedEmail: 'a@b.c' },
    { proxy: 'Proxies and other local addresses are not offered', expectedEmail: CONSENT }
  ]
]

const TOKEN_URLS = [
  'http://login.example.org/token',
  'https://user@login.example.org/',
  'ftp://127.0.0.1/',
  'https://',
  'x'
]

interface Rejected {
  message: string
  fields: { key: string; message: string }[]
}

sandboxes('input of accounts', {}, (sandbox) => {
  test('each error names its field and says what is wrong; nothing is stored', async () => {
    const rows = [...REJECTED]
    for (const tokenUrl of TOKEN_URLS) {
      rows.push([
        { imap, oauth2: { ...oauth2, tokenUrl } },
        {
          'oauth2.tokenUrl':
            'must be a URL with https, without a user name; http is allowed for this machine only'
        }
      ])
    }
    for (const [fields, errors] of rows) {
      // As JSON text, because `__proto__` is no property of its own in a literal.
      const given = JSON.stringify(fields).slice(1)
      const body = `{"account": "rejected", "name": "n"${given === '}' ? '' : ', '}${given}`
      const headers = { 'content-type': 'application/json' }
      const request = { method: 'POST', path: '/v1/account', body, headers, ...admin }
      const { message, fields: said } = await sandbox().json<Rejected>(request, 400)
      assert.equal(message, 'Invalid input')
      const sorted = (all: [string, string][]) => all.toSorted(([a], [b]) => (a < b ? -1 : 1))
      assert.deepEqual(
        sorted(said.map((field) => [field.key, field.message])),
        sorted(Object.entries(errors)),
        body
      )
    }
    const { total } = await sandbox().json({ path: '/v1/accounts?query=rejected', ...admin })
    assert.equal(total, 0)
  })

  test('all errors are told at once; a body that is not an object is rejected', async () => {
    const body = { account: 'x', imap: { port: 'x', auth: { user: 1 } }, smtp: 5, b: 1, a: 2 }
    const { fields } = await sandbox().json<Rejected>(
      { method: 'POST', path: '/v1/account', body, ...admin },
      400
    )
    assert.deepEqual(fields.map(({ key }) => key).sort(), [
      'a',
      'b',
      'imap.host',
      'imap.port',
      'name',
      'smtp'
    ])
    const headers = { 'content-type': 'application/json' }
    for (const text of ['[]', 'null', '"x"', '{', '\xff']) {
      await sandbox().json(
        { method: 'POST', path: '/v1/account', body: text, headers, ...admin },
        400
      )
    }
    const large = JSON.stringify({ account: 'x', name: 'x'.repeat(2 ** 21) })
    await sandbox().json(
      { method: 'POST', path: '/v1/account', body: large, headers, ...admin },
      413
    )
  })

  test('values are converted; settings that say no to what is not offered are accepted', async () => {
    const body = {
      account: 'converted',
      name: '',
      copy: 'false',
      logs: 'true',
      imap: { ...imap, port: '993', secure: 'true', useAuthServer: false, host: 'BÜCHER.example' },
      smtp: 'false',
      oauth2: { ...oauth2, scopes: 'mail', authorize: false, useAuthServer: false }
    }
    await sandbox().json({ method: 'POST', path: '/v1/account', body, ...admin })
    const shown = await sandbox().json({ path: '/v1/account/converted', ...admin })
    assert.deepEqual(
      [shown.copy, shown.logs, shown.smtp, shown.type],
      [false, true, false, 'oauth2']
    )
    assert.deepEqual(shown.imap, {
      auth: { user: 'u', pass: '******' },
      host: 'xn--bcher-kva.example',
      port: 993,
      secure: true
    })
    assert.deepEqual(shown.oauth2, {
      auth: { user: 'u' },
      refreshToken: '******',
      tokenUrl: oauth2.tokenUrl,
      clientId: 'c',
      scopes: ['mail']
    })
  })

  test('a change is checked as a whole, with what is stored', async () => {
    const path = '/v1/account/change'
    await sandbox().json({
      method: 'POST',
      path: '/v1/account',
      body: { account: 'change', name: 'n', imap: { ...imap, auth: undefined }, oauth2 },
      ...admin
    })
    const cases: [body: object, keys: string[]][] = [
      [{ oauth2: false }, ['imap.auth']],
      [{ imap: null }, ['imap']],
      [{ imap: { partial: true, auth: { pass: 'p' } } }, ['imap.auth.user']],
      [{ imap: { port: 993 } }, ['imap.host']],
      [{ smtp: { partial: true, port: 25 } }, ['smtp.host']],
      [{ oauth2: { partial: true, tokenUrl: 'http://x.example' } }, ['oauth2.tokenUrl']],
      [{ account: 'other' }, ['account']],
      [{ imap: { partial: 'x' } }, ['imap.partial']]
    ]
    /** Without what the attempts to connect change. */
    async function readStored(): Promise<object> {
      const account = await sandbox().json<Record<string, unknown>>({ path, ...admin })
      const { state, lastError, counters, connections, ...stored } = account
      return stored
    }
    const before = await readStored()
    for (const [body, keys] of cases) {
      const { fields } = await sandbox().json<Rejected>(
        { method: 'PUT', path, body, ...admin },
        400
      )
      assert.deepEqual(
        fields.map(({ key }) => key),
        keys,
        JSON.stringify(body)
      )
    }
    assert.deepEqual(await readStored(), before)
    await sandbox().json({ method: 'PUT', path: '/v1/account/nobody', body: {}, ...admin }, 404)
    await sandbox().json({ method: 'PUT', path, body: {}, ...admin })
    const body = { imap: { partial: true, auth: { user: 'u', pass: 'p' } }, oauth2: false }
    await sandbox().json({ method: 'PUT', path, body, ...admin })
  })

  test('parameters that are not offered are rejected', async () => {
    const cases: [method: string, path: string, key: string][] = [
      ['GET', '/v1/account/nobody?x=1', 'x'],
      ['GET', '/v1/account/nobody?quota=perhaps', 'quota'],
      ['DELETE', '/v1/account/nobody?revoke=true', 'revoke'],
      ['GET', '/v1/accounts?state=odd', 'state'],
      ['GET', '/v1/accounts?pageSize=0', 'pageSize'],
      ['GET', '/v1/accounts?pageSize=1001', 'pageSize'],
      ['GET', '/v1/accounts?page=-1', 'page'],
      ['GET', '/v1/accounts?query=a%00b', 'query'],
      ['GET', '/v1/accounts?query=a&query=b', 'query'],
      ['PUT', '/v1/account/nobody/reconnect', 'reconnect'],
      ['POST', '/v1/verifyAccount', 'imap']
    ]
    for (const [method, path, key] of cases) {
      const { fields } = await sandbox().json<Rejected>({ method, path, ...admin }, 400)
      assert.deepEqual(
        fields.map((field) => field.key),
        [key],
        path
      )
    }
  })
})
