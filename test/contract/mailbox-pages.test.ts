/** Who sees which mail on the pages of mailbox, if other machines can reach them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { openStream } from '../support/open-stream.ts'
import { type PlainAnswer, type PlainRequest, sendPlain } from '../support/plain-http.ts'
import { sendMail } from '../support/send-mail.ts'

const ADMIN = 'a-token-of-the-operator'
const HTML = { accept: 'text/html' }

interface Account {
  account: string
  address: string
  token: string
}

for (const engine of ENGINES) {
  describe(`pages of mailbox on ${engine}`, () => {
    let nonet: Nonet<'mailbox'>
    let ada: Account
    let grace: Account
    const messages = new Map<string, string>()
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    const url = (path: string) => nonet.mailbox.url + path

    async function callApi(path: string, token: string, method = 'GET') {
      const { status, body } = await sendPlain(url(path), { method, headers: bearer(token) })
      assert.equal(status, 200, body.toString())
      return JSON.parse(body.toString())
    }

    before(async () => {
      nonet = await start({
        services: ['mailbox'],
        adminToken: ADMIN,
        lan: true,
        ...engineOptions(engine)
      })
      ada = await callApi('/v1/sandbox/accounts', ADMIN, 'POST')
      grace = await callApi('/v1/sandbox/accounts', ADMIN, 'POST')
      await sendMail(nonet, {
        to: ada.address,
        bcc: grace.address,
        subject: 'For Ada',
        html: '<p>x</p>',
        attachments: [{ filename: 'a.txt', content: 'a' }]
      })
      await sendMail(nonet, { to: grace.address, subject: 'For Grace', html: '<p>x</p>' })
      for (const { account } of [ada, grace]) {
        const list = await callApi(`/v1/sandbox/messages?account=${account}`, ADMIN)
        messages.set(account, list.messages[0].id)
      }
    })
    after(() => nonet.stop())

    async function signIn(token: string): Promise<string> {
      const answer = await sendPlain(url(`/?token=${token}`), { headers: HTML })
      assert.equal(answer.status, 303)
      assert.equal(answer.headers.location, '/')
      return cookieIn(answer)
    }

    function cookieIn({ headers }: PlainAnswer): string {
      return headers['set-cookie']?.[0]?.split(';', 1)[0] ?? assert.fail('no cookie was set')
    }

    async function readPage(path: string, cookie: string): Promise<[number | undefined, string]> {
      const { status, body } = await sendPlain(url(path), { headers: { ...HTML, cookie } })
      return [status, body.toString()]
    }

    const pathsOf = ({ account }: Account) => [
      `/sandbox/messages/${messages.get(account)}`,
      `/sandbox/messages/${messages.get(account)}/html`,
      `/sandbox/messages/${messages.get(account)}/source`,
      `/sandbox/accounts/${account}`
    ]

    test('nothing is shown without a token', async () => {
      const paths = ['/', '/events', '/assets/live-mail.js', '/sandbox/messages/x', ...pathsOf(ada)]
      for (const path of paths) {
        const page = await sendPlain(url(path), { headers: HTML })
        assert.equal(page.status, 401, path)
        assert.match(page.body.toString(), /token of a sandbox account/, path)
        const json = await sendPlain(url(path), { headers: { accept: '*/*' } })
        assert.equal(json.status, 401, path)
        assert.match(String(json.headers['content-type']), /^application\/json/, path)
      }
      const post: PlainRequest = { method: 'POST', headers: { 'content-type': 'application/json' } }
      for (const path of ['/sandbox/accounts', '/sandbox/messages/clear']) {
        assert.equal((await sendPlain(url(path), post)).status, 401, path)
      }
    })

    test('the owner of an account sees its mail alone', async () => {
      const cookie = await signIn(ada.token)
      for (const path of ['/', `/?account=${grace.account}`, '/?account=caught']) {
        const [status, page] = await readPage(path, cookie)
        assert.equal(status, 200)
        assert.match(page, /For Ada/)
        assert.doesNotMatch(page, /For Grace|New account<\/button>/)
        assert.ok(!page.includes(grace.address), 'a blind copy is not told')
      }
      for (const path of pathsOf(ada)) {
        const [status, page] = await readPage(path, cookie)
        assert.equal(status, 200, path)
        assert.ok(!page.includes(grace.address), path)
      }
      for (const path of [
        ...pathsOf(grace),
        '/sandbox/messages/AAAAAAAAAAA',
        '/sandbox/accounts/x'
      ]) {
        assert.equal((await readPage(path, cookie))[0], 404, path)
      }
    })

    test('an operator sees all', async () => {
      const cookie = await signIn(ADMIN)
      const [, page] = await readPage('/', cookie)
      for (const text of ['For Ada', 'For Grace', ada.address, grace.address, 'New account']) {
        assert.ok(page.includes(text), text)
      }
      for (const path of [...pathsOf(ada), ...pathsOf(grace)]) {
        assert.equal((await readPage(path, cookie))[0], 200, path)
      }
    })

    test('a session opens pages, never the API, and changes need the form of its page', async () => {
      const cookie = await signIn(ADMIN)
      const api = await sendPlain(url('/v1/sandbox/messages'), { headers: { cookie } })
      assert.equal(api.status, 401)
      const [, page] = await readPage('/', cookie)
      const [, action = ''] = /action="(\/sandbox\/accounts\?form=[^"]+)"/.exec(page) ?? []
      const headers = { ...HTML, cookie, 'content-type': 'application/x-www-form-urlencoded' }
      const { origin } = new URL(nonet.mailbox.url)
      const send = (path: string, more: Record<string, string>) =>
        sendPlain(url(path), { method: 'POST', headers: { ...headers, ...more }, body: 'address=' })
      assert.equal((await send('/sandbox/accounts', { origin })).status, 403)
      assert.equal((await send(action, {})).status, 403)
      assert.equal((await send(action, { origin: 'http://127.0.0.1:1' })).status, 403)
      const made = await send(action, { origin })
      assert.equal(made.status, 201)
      assert.match(made.body.toString(), /The account is ready/)
      assert.equal(made.headers['cache-control'], 'no-store')
    })

    test('an owner can neither add nor delete accounts', async () => {
      const cookie = await signIn(ada.token)
      const [, page] = await readPage('/', cookie)
      const [, clear = ''] = /action="(\/sandbox\/messages\/clear\?form=[^"]+)"/.exec(page) ?? []
      const { origin } = new URL(nonet.mailbox.url)
      const headers = {
        ...HTML,
        cookie,
        origin,
        'content-type': 'application/x-www-form-urlencoded'
      }
      const body = `account=${grace.account}`
      const [, other] = await readPage(`/sandbox/accounts/${ada.account}`, cookie)
      assert.doesNotMatch(other, /Delete the account/)
      // The account of the form is not theirs, so that of the session is cleared.
      assert.equal((await sendPlain(url(clear), { method: 'POST', headers, body })).status, 303)
      assert.match((await readPage('/', await signIn(grace.token)))[1], /For Grace/)
      assert.match((await readPage('/', cookie))[1], /No mail yet/)
    })

    test('the stream of an owner tells of new mail, and a revoked token ends the session', async () => {
      const cookie = await signIn(ada.token)
      const headers = { cookie, accept: 'text/event-stream' }
      using stream = await openStream(url('/events'), headers)
      assert.equal((await stream.next())?.event, 'change')
      await sendMail(nonet, { to: ada.address, subject: 'Next' })
      assert.equal((await stream.next())?.event, 'change')
      await callApi(`/v1/sandbox/accounts/${ada.account}`, ADMIN, 'DELETE')
      assert.equal((await readPage('/', cookie))[0], 401)
    })

    test('the document of a message cannot be framed, run or read by others', async () => {
      const cookie = await signIn(grace.token)
      const path = `/sandbox/messages/${messages.get(grace.account)}/html`
      const { headers } = await sendPlain(url(path), { headers: { cookie, ...HTML } })
      const policy = String(headers['content-security-policy']).split('; ')
      assert.deepEqual(policy, [
        'sandbox allow-popups allow-popups-to-escape-sandbox',
        "default-src 'none'",
        'img-src data:',
        "style-src 'unsafe-inline'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'self'"
      ])
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['x-content-type-options'], 'nosniff')
    })
  })
}
