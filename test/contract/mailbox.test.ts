import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Answer } from '../support/contract.ts'
import { ADMIN_TOKEN, mail, type NewAccount, sandboxes } from './mailbox-site.ts'

interface Entry {
  id: string
  account: string
  subject: string
  [name: string]: unknown
}

interface Page {
  total: number
  page: number
  pages: number
  messages: Entry[]
}

const MESSAGES = '/v1/sandbox/messages'
const ACCOUNTS = '/v1/sandbox/accounts'
const REPORT = [
  'From: =?utf-8?q?Zo=C3=AB?= <zoe@example.test>',
  'To: "Ada" <ada@example.test>, bob@example.test',
  'Cc: carol@example.test',
  'Subject: =?utf-8?q?R=C3=A9port?=',
  'Message-ID: <report@example.test>',
  'Date: Tue, 3 Feb 2026 04:05:06 +0100',
  'X-Twice: one',
  'X-Twice: two',
  '__proto__: three',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: multipart/alternative; boundary=c',
  '',
  '--c',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=C3=BC=C3=9Fe',
  '--c',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p onclick="alert(1)">Grüße</p>',
  '--c--',
  '--b',
  'Content-Type: text/html; name="page.html"',
  'Content-Disposition: attachment; filename="pa/ge\\".html"',
  'Content-Transfer-Encoding: base64',
  '',
  'PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  '--b--',
  ''
].join('\r\n')

async function invalid(answer: Promise<Answer>): Promise<string[]> {
  const { status, text } = await answer
  assert.equal(status, 400, text)
  const { fields, ...rest } = JSON.parse(text)
  assert.deepEqual(rest, { statusCode: 400, error: 'Bad Request', message: 'Invalid input' })
  return fields.map(({ key }: { key: string }) => key)
}

const addressesOf = ({ messages }: Page) => messages.map(({ subject }) => subject)

sandboxes('I-6, API of the sandbox', {}, (sandbox) => {
  const list = (query = '', token?: string) =>
    sandbox().json<Page>({ path: `${MESSAGES}?${query}`, token })

  test('an account has all that a mail program needs, and works as it is', async () => {
    const { json } = sandbox()
    const made = await json<NewAccount>({ method: 'POST', path: ACCOUNTS })
    assert.deepEqual(Object.keys(made), ['account', 'token', 'address', 'imap', 'smtp'])
    assert.match(made.account, /^[a-z0-9]{12}$/)
    assert.match(made.token, /^[0-9a-f]{64}$/)
    assert.equal(made.address, `${made.account}@sandbox.test`)
    assert.equal(made.smtp.port, sandbox().smtpPort)
    assert.deepEqual(made.imap, { ...made.smtp, port: made.imap.port })
    const shown = await json({ path: `${ACCOUNTS}/${made.account}`, token: made.token })
    const { token: _, ...rest } = made
    const { created } = shown
    assert.ok(Date.parse(String(created)) > Date.now() - 60_000)
    assert.deepEqual(shown, { ...rest, name: '', created, messages: 0 })
  })

  test('what a client chooses for an account is checked, all of it at once', async () => {
    const { ask, json, account } = sandbox()
    const post = (body: unknown, headers = {}) =>
      ask({ method: 'POST', path: ACCOUNTS, body, headers })
    const chosen = { account: 'chosen', address: 'Chosen@Example.test', name: 'Chosen one' }
    assert.equal((await account(chosen)).address, 'chosen@example.test')
    const wrong = { account: 'A b', address: 'no\r\naddress', name: 'x\u0000', other: 1 }
    assert.deepEqual(await invalid(post(wrong)), ['other'])
    const { other: _, ...values } = wrong
    assert.deepEqual(await invalid(post(values)), ['account', 'address', 'name'])
    assert.deepEqual(await invalid(post({ account: 1, name: [] })), ['account', 'name'])
    assert.deepEqual(await invalid(ask({ method: 'POST', path: `${ACCOUNTS}?x=1`, body: {} })), [
      'x'
    ])
    const taken = [
      { account: 'chosen' },
      { address: 'chosen@example.test' },
      { account: 'caught' },
      { address: 'caught@nonet.localhost' }
    ]
    for (const body of taken) {
      const { code } = await json({ method: 'POST', path: ACCOUNTS, body }, 409)
      assert.equal(code, 'AccountAlreadyExists')
    }
    const type = { 'content-type': 'application/json' }
    assert.equal((await post('[]', type)).status, 400)
    assert.equal((await post('{', type)).status, 400)
    assert.equal((await post('\xff', type)).status, 400)
    assert.equal((await post('{}', { 'content-type': 'application/xml' })).status, 415)
    assert.equal((await post(`{"name":"${'x'.repeat(20_000)}"}`, type)).status, 413)
  })

  test('a message has headers, texts, attachments and its source', async () => {
    const { deliver, json, ask, url } = sandbox()
    await deliver({ from: 'bounce@example.test', to: ['hidden@example.test'], source: REPORT })
    const { messages } = await list('to=hidden')
    const [entry] = messages
    assert.ok(entry)
    const shown = await json({ path: `${MESSAGES}/${entry.id}` })
    const base = `${url}${MESSAGES}/${entry.id}`
    const { received, emailId, threadId, uid, ...rest } = shown
    assert.ok(Date.parse(String(received)) > Date.now() - 60_000)
    assert.equal(typeof emailId, 'string')
    assert.equal(typeof threadId, 'string')
    assert.equal(typeof uid, 'number')
    const { headers, ...others } = rest as Record<string, unknown> & {
      headers: Record<string, string[]>
    }
    assert.deepEqual(headers['x-twice'], ['one', 'two'])
    assert.deepEqual(Object.getOwnPropertyDescriptor(headers, '__proto__')?.value, ['three'])
    assert.deepEqual(others, {
      id: entry.id,
      account: 'caught',
      path: 'INBOX',
      date: '2026-02-03T03:05:06.000Z',
      unseen: true,
      flags: [],
      size: Buffer.byteLength(REPORT),
      subject: 'Réport',
      from: { name: 'Zoë', address: 'zoe@example.test' },
      to: [
        { name: 'Ada', address: 'ada@example.test' },
        { name: '', address: 'bob@example.test' }
      ],
      cc: [{ name: '', address: 'carol@example.test' }],
      messageId: '<report@example.test>',
      preview: 'Grüße',
      attachments: [
        {
          id: '2',
          contentType: 'text/html',
          encodedSize: 36,
          embedded: false,
          inline: false,
          filename: 'pa_ge".html',
          url: `${base}/attachments/2`
        }
      ],
      envelope: { from: 'bounce@example.test', to: ['hidden@example.test'] },
      text: { plain: 'Grüße', html: '<p onclick="alert(1)">Grüße</p>', hasMore: false },
      source: `${base}/source`
    })
    const source = await ask({ path: `${MESSAGES}/${entry.id}/source` })
    assert.equal(source.text, REPORT)
    assert.equal(source.headers.get('content-type'), 'message/rfc822')
    const attachment = await ask({ path: `${MESSAGES}/${entry.id}/attachments/2` })
    assert.equal(attachment.text, '<script>alert(1)</script>')
    assert.equal(attachment.headers.get('content-type'), 'text/html')
    assert.match(attachment.headers.get('content-disposition') ?? '', /^attachment; filename="/)
    assert.match(attachment.headers.get('content-security-policy') ?? '', /sandbox/)
    assert.equal(attachment.headers.get('x-content-type-options'), 'nosniff')
    for (const part of ['1', '1.1', '3', '0', 'x', '__proto__', '2.1']) {
      const { status, text } = await ask({ path: `${MESSAGES}/${entry.id}/attachments/${part}` })
      assert.equal(status, 404, part)
      assert.equal(JSON.parse(text).code, 'AttachmentNotFound')
    }
  })

  test('a list is filtered, searched and has pages, the newest first', async () => {
    const { account, deliver } = sandbox()
    const { account: id, address, token } = await account()
    for (let n = 1; n <= 5; n++) {
      await deliver({
        from: `sender${n}@example.test`,
        to: [address, `extra${n}@example.test`],
        source: mail(`Number ${n} 100%_`)
      })
    }
    const all = ['5', '4', '3', '2', '1'].map((n) => `Number ${n} 100%_`)
    const own = await list('', token)
    assert.deepEqual(addressesOf(own), all)
    const cases: Record<string, string[]> = {
      'pageSize=2': all.slice(0, 2),
      'pageSize=2&page=1': all.slice(2, 4),
      'pageSize=2&page=2': all.slice(4),
      'pageSize=2&page=3': [],
      'subject=NUMBER%203': ['Number 3 100%_'],
      'subject=100%25_': all,
      'subject=1%25': [],
      'from=sender2@': ['Number 2 100%_'],
      'to=extra4@': ['Number 4 100%_'],
      'search=sender1': ['Number 1 100%_'],
      'search=hello': all,
      'to=extra4&from=sender3': [],
      'to=': all
    }
    for (const [query, subjects] of Object.entries(cases)) {
      assert.deepEqual(addressesOf(await list(`account=${id}&${query}`)), subjects, query)
    }
    const { total, page, pages } = await list(`account=${id}&pageSize=2&page=1`)
    assert.deepEqual({ total, page, pages }, { total: 5, page: 1, pages: 3 })
    const wrong = 'page=-1&pageSize=0&timeout=1&to=a&to=b&subject=%00'
    const keys = await invalid(sandbox().ask({ path: `${MESSAGES}?${wrong}` }))
    assert.deepEqual(keys.sort(), ['page', 'pageSize', 'subject', 'timeout', 'to'])
  })

  test('messages are removed by a filter or one by one, of the account alone', async () => {
    const { account, deliver, json } = sandbox()
    const one = await account()
    const two = await account()
    for (const subject of ['a', 'b', 'c']) {
      await deliver({ to: [one.address, two.address], source: mail(subject) })
    }
    const remove = (path: string, status?: number) =>
      json({ method: 'DELETE', path, token: one.token }, status)
    assert.deepEqual(await remove(`${MESSAGES}?subject=b`), { deleted: 1 })
    const [last] = (await list('', one.token)).messages
    assert.deepEqual(await remove(`${MESSAGES}/${last?.id}`), { id: last?.id, deleted: true })
    await remove(`${MESSAGES}/${last?.id}`, 404)
    assert.deepEqual(addressesOf(await list('', one.token)), ['a'])
    assert.deepEqual(await remove(MESSAGES), { deleted: 1 })
    assert.deepEqual(addressesOf(await list('', two.token)), ['c', 'b', 'a'])
  })

  test('an account does not learn who else got a copy', async () => {
    const { account, deliver, json } = sandbox()
    const { address, token } = await account()
    const secret = await account()
    const to = [address, secret.address, 'outside@example.test']
    await deliver({ to, source: mail('Blind copy') })
    const [message] = (await list('', token)).messages
    const path = `${MESSAGES}/${message?.id}`
    const from = 'app@example.test'
    assert.deepEqual((await json({ path, token })).envelope, { from, to: [address] })
    assert.deepEqual((await json({ path })).envelope, { from, to })
  })

  test('a wait finds a message that came before, or the next one, and no other', async () => {
    const { account, deliver, json } = sandbox()
    const { address, token } = await account()
    const path = '/v1/sandbox/wait?timeout=20&subject=wanted'
    const waiting = Promise.all([json({ path, token }), json({ path: `${path}&to=${address}` })])
    await wait(100)
    await deliver({ to: ['other@example.test'], source: mail('Wanted by another') })
    await deliver({ to: [address], source: mail('Unwanted'.slice(2, 5)) })
    await deliver({ to: [address], source: mail('Wanted') })
    const found = await waiting
    for (const { subject, text } of found) {
      assert.equal(subject, 'Wanted')
      assert.deepEqual(text, { plain: 'Hello\n', hasMore: false })
    }
    const started = performance.now()
    assert.equal((await json({ path, token })).id, found[0]?.id)
    assert.ok(performance.now() - started < 15_000, 'it does not wait for its twenty seconds')
  })

  test('a wait without a match ends with 408 in time', async () => {
    const { json, ask } = sandbox()
    const path = '/v1/sandbox/wait?to=nobody@example.test'
    const started = performance.now()
    const body = await json({ path: `${path}&timeout=1` }, 408)
    assert.ok(performance.now() - started >= 900)
    assert.deepEqual(body, {
      statusCode: 408,
      error: 'Request Timeout',
      message: 'No matching message arrived within 1 seconds',
      code: 'Timeout'
    })
    assert.deepEqual(await invalid(ask({ path: `${path}&timeout=121` })), ['timeout'])
    assert.deepEqual(await invalid(ask({ path: `${path}&page=1` })), ['page'])
  })

  test('pages of other origins cannot use the API, and there is no CORS', async () => {
    const { ask, url } = sandbox()
    const { origin } = new URL(url)
    const rejected = [
      { method: 'POST', path: ACCOUNTS, headers: { origin: 'https://evil.example' } },
      { method: 'POST', path: ACCOUNTS, headers: { origin: 'null' } },
      { method: 'POST', path: ACCOUNTS, headers: { 'sec-fetch-site': 'cross-site' } },
      { method: 'POST', path: ACCOUNTS, headers: { origin: 'http://localhost:1' } },
      { method: 'DELETE', path: MESSAGES, headers: { origin: 'https://evil.example' } },
      { path: MESSAGES, headers: { origin: 'https://evil.example' } },
      { path: MESSAGES, headers: { origin: 'https://evil.example' }, token: ADMIN_TOKEN },
      { path: '/v1/sandbox/wait', headers: { origin: 'https://evil.example' } },
      {
        method: 'POST',
        path: ACCOUNTS,
        body: 'a=b',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'cross-site'
        }
      }
    ]
    for (const request of rejected) {
      const { status, headers, text } = await ask(request)
      assert.equal(status, 403, `${request.path}: ${text}`)
      assert.equal(headers.get('access-control-allow-origin'), null)
    }
    const preflight = await ask({
      method: 'OPTIONS',
      path: ACCOUNTS,
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    })
    assert.equal(preflight.status, 404)
    assert.equal(preflight.headers.get('access-control-allow-origin'), null)
    assert.equal((await ask({ path: MESSAGES, headers: { origin } })).status, 200)
    assert.equal((await ask({ path: MESSAGES, token: 'x' })).status, 401)
  })

  test('accounts are listed in pages, without their passwords', async () => {
    const { json } = sandbox()
    interface Accounts {
      total: number
      next: string | null
      accounts: { account: string }[]
    }
    const ids: string[] = []
    let total: number
    let next: string | null = ''
    do {
      const path: string = `${ACCOUNTS}?pageSize=2&after=${next}`
      const page: Accounts = await json<Accounts>({ path })
      for (const { account, ...rest } of page.accounts) {
        ids.push(account)
        assert.deepEqual(Object.keys(rest), ['address', 'name', 'created'])
      }
      ;({ total, next } = page)
    } while (next !== null)
    assert.equal(ids.length, total)
    assert.deepEqual(ids, [...new Set(ids)].sort())
    assert.ok(ids.includes('caught'))
  })

  test('health and the OpenAPI document need no token', async () => {
    const { json } = sandbox()
    assert.deepEqual(await json({ path: '/health' }), { success: true })
    const document = await json({ path: '/openapi.json' })
    assert.equal(document.openapi, '3.1.0')
    const older = await json({ path: '/swagger.json' })
    assert.match(String(older.openapi), /^3\.0\./)
    assert.deepEqual(Object.keys(Object(older.paths)), Object.keys(Object(document.paths)))
    assert.deepEqual(Object.keys(Object(document.webhooks)), ['event'])
    assert.equal(older.webhooks, undefined, 'OpenAPI 3.0 has no webhooks')
  })

  test('new accounts are limited to 100 a minute', async () => {
    const { ask } = sandbox()
    const statuses: number[] = []
    let last: Answer | undefined
    // The minute may end meanwhile.
    while (statuses.length < 201 && last?.status !== 429) {
      last = await ask({ method: 'POST', path: ACCOUNTS })
      statuses.push(last.status)
    }
    assert.equal(last?.status, 429)
    assert.match(last?.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
    assert.equal(JSON.parse(last?.text ?? '{}').code, 'TooManyRequests')
    assert.ok(statuses.filter((status) => status === 200).length > 50)
  })
})
