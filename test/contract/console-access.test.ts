/** Who may use the console, the admin pages and the control routes, and who causes which calls. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { CALLS_DOCUMENT, writeCallsDocument } from '../support/calls-document.ts'
import { type PlainRequest, sendPlain } from '../support/plain-http.ts'
import { freePortBase } from '../support/ports.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { openWebhook, type Webhook } from '../support/webhook.ts'

const TOKEN = 'a-token-of-the-operator'
const BEARER = { authorization: `Bearer ${TOKEN}` }
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const FIRST_BYTE_MS = 30_000

const SERVICES = ['boxes', 'scenarios', 'forms', 'mock'] as const
type Running = Nonet<(typeof SERVICES)[number]>

function startAll(more: object = {}): Promise<Running> {
  const mock = { documents: [writeCallsDocument()], reload: false }
  return start({ services: [...SERVICES], adminToken: TOKEN, mock, ...more })
}

function consoleOf(nonet: Running): string {
  return nonet.console?.url ?? assert.fail('no console')
}

/** Routes of the operator that change nothing. */
function routesOf(nonet: Running): string[] {
  const console = consoleOf(nonet)
  return [
    ...[
      '/',
      '/metrics',
      '/openapi/boxes.json',
      '/forms/',
      '/boxes/',
      '/boxes/export?box=x',
      '/nope'
    ].map((path) => console + path),
    ...['/__nonet/', '/__nonet/journal', '/__nonet/webhooks', '/__nonet/nope'].map(
      (path) => nonet.mock.url + path
    ),
    `${nonet.scenarios.url}/_workspaces`,
    `${nonet.scenarios.url}/_workspaces/default`
  ]
}

const PROXY_HEADERS: Readonly<Record<string, string>> = {
  forwarded: 'for=203.0.113.9',
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'nonet.example',
  'x-real-ip': '203.0.113.9',
  via: '1.1 proxy'
}

async function statusOf(url: string, request: PlainRequest = {}): Promise<number | undefined> {
  return (await sendPlain(url, request)).status
}

describe('on plain loopback', () => {
  let nonet: Running
  let receiver: Webhook
  before(async () => {
    nonet = await startAll()
    receiver = await openWebhook()
  })
  after(async () => {
    await nonet.stop()
    await receiver.close()
  })

  test('a local client needs no token', async () => {
    for (const url of routesOf(nonet)) assert.notEqual(await statusOf(url), 401, url)
    assert.equal(await statusOf(`${consoleOf(nonet)}/reset`, { method: 'POST' }), 200)
    assert.equal(nonet.console?.token, undefined)
  })

  for (const [name, value] of Object.entries(PROXY_HEADERS)) {
    test(`a request with ${name} needs it`, async () => {
      for (const url of routesOf(nonet)) {
        assert.equal(await statusOf(url, { headers: { [name]: value } }), 401, url)
        const headers = { [name]: value, ...BEARER }
        assert.notEqual(await statusOf(url, { headers }), 401, url)
      }
      const changes = [
        `${consoleOf(nonet)}/reset`,
        `${nonet.mock.url}/__nonet/journal/clear`,
        `${nonet.mock.url}/__nonet/webhooks/told`,
        `${nonet.scenarios.url}/_workspaces/default/reset`
      ]
      for (const url of changes) {
        const request = { method: 'POST', headers: { [name]: value, ...JSON_TYPE }, body: '{}' }
        assert.equal(await statusOf(url, request), 401, url)
      }
    })
  }

  test('a request of HTTP/1.0, as of a bare proxy_pass, needs it', async () => {
    for (const url of routesOf(nonet)) {
      const { host, pathname, search } = new URL(url)
      const head = `GET ${pathname}${search} HTTP/1.0\r\nHost: ${host}\r\n`
      const without = await sendRaw(url, [`${head}\r\n`], FIRST_BYTE_MS)
      assert.deepEqual(without.statuses, [401], url)
      const authorized = `${head}Authorization: ${BEARER.authorization}\r\n\r\n`
      const [status] = (await sendRaw(url, [authorized], FIRST_BYTE_MS)).statuses
      assert.notEqual(status, 401, url)
    }
  })

  test('the error tells how to learn a token that was not printed', async () => {
    const headers = { via: '1.1 proxy' }
    const { body } = await sendPlain(consoleOf(nonet), { headers })
    assert.match(body.toString(), /came through a proxy; nonet prints the token if --public-url/)
  })

  test('health probes stay open', async () => {
    const headers = PROXY_HEADERS
    assert.equal(await statusOf(`${consoleOf(nonet)}/healthz`, { headers }), 200)
    assert.equal(await statusOf(`${nonet.mock.url}/__nonet/readyz`, { headers }), 200)
  })

  test('public routes work through a proxy, and a workspace made through one has a key', async () => {
    const headers = { ...PROXY_HEADERS, ...JSON_TYPE }
    const box = `${nonet.boxes.url}/box_of_proxy_01`
    assert.equal(await statusOf(box, { method: 'POST', headers, body: '{"a":1}' }), 200)
    const url = `${nonet.scenarios.url}/_workspaces`
    const made = await sendPlain(url, { method: 'POST', headers, body: '{"id":"far"}' })
    assert.equal(made.status, 201)
    const { key } = JSON.parse(made.body.toString())
    assert.match(key, /^wsk_/)
    assert.equal(await statusOf(`${url}/far`, { headers }), 401)
    const authorization = `Bearer ${key}`
    assert.equal(await statusOf(`${url}/far`, { headers: { ...headers, authorization } }), 200)
    const near = await sendPlain(url, { method: 'POST', headers: JSON_TYPE, body: '{"id":"near"}' })
    assert.equal(JSON.parse(near.body.toString()).key, undefined)
  })

  async function subscribe(hook: string, headers: Record<string, string>): Promise<void> {
    const url = `${nonet.mock.url}/subscribe?hook=${encodeURIComponent(hook)}`
    assert.equal(await statusOf(url, { method: 'POST', headers }), 204)
  }

  /** Callbacks are sent one after the other here, so an earlier one has arrived before this one. */
  async function takeAfterCallback(): Promise<string[]> {
    await subscribe(`${receiver.url}last`, {})
    const paths: string[] = []
    const deadline = performance.now() + FIRST_BYTE_MS
    while (!paths.includes('/last')) {
      assert.ok(performance.now() < deadline, 'the callback did not arrive')
      paths.push(...receiver.take().map(({ path }) => path))
      await new Promise(setImmediate)
    }
    return paths
  }

  test('callbacks of a request that came through a proxy do not go to loopback', async () => {
    for (const [name, value] of Object.entries(PROXY_HEADERS)) {
      await subscribe(`${receiver.url}${name}`, { [name]: value })
    }
    assert.deepEqual(await takeAfterCallback(), ['/last'])
  })

  test('callbacks of a request of another site are not sent', async () => {
    const { port } = new URL(nonet.mock.url)
    await subscribe(`${receiver.url}cross-site`, { 'sec-fetch-site': 'cross-site' })
    await subscribe(`${receiver.url}foreign`, { origin: 'https://elsewhere.example' })
    await subscribe(`${receiver.url}sandboxed`, { origin: 'null' })
    await subscribe(`${receiver.url}same-site`, {
      'sec-fetch-site': 'same-site',
      origin: `http://127.0.0.1:${Number(port) + 1}`
    })
    assert.deepEqual(await takeAfterCallback(), ['/same-site', '/last'])
  })

  async function sendWebhook(name: string, url: string, headers: Record<string, string> = {}) {
    const answer = await sendPlain(`${nonet.mock.url}/__nonet/webhooks/${name}`, {
      method: 'POST',
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify({ url, headers: { via: '1.1 mine', ...BEARER } })
    })
    return { status: answer.status, ...JSON.parse(answer.body.toString()) }
  }

  test('a webhook that is asked for through a proxy does not go to loopback', async () => {
    const near = await sendWebhook('told', receiver.url)
    assert.equal(near.reply?.status, 200, JSON.stringify(near))
    const far = await sendWebhook('told', receiver.url, { ...PROXY_HEADERS, ...BEARER })
    assert.match(far.detail, /ADDRESS_REFUSED/)
    assert.equal(receiver.take().length, 1)
  })

  describe('calls of nonet do not reach its own routes', () => {
    const box = 'box_that_is_not_emptied'
    before(async () => {
      const request = { method: 'POST', headers: JSON_TYPE, body: '{"kept":true}' }
      assert.equal(await statusOf(`${nonet.boxes.url}/${box}`, request), 200)
    })

    async function expectKept(): Promise<void> {
      const { body } = await sendPlain(`${nonet.boxes.url}/${box}`)
      assert.equal(JSON.parse(body.toString()).length, 1)
    }

    for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]']) {
      test(`at ${host}, with the token or without`, async () => {
        const { port } = new URL(consoleOf(nonet))
        const reset = `http://${host}:${port}/reset`
        const { reply } = await sendWebhook('told', reset)
        assert.deepEqual([reply.status, JSON.parse(reply.body).error], [403, 'OWN_CALL'])
        await subscribe(reset, {})
        await takeAfterCallback()
        await expectKept()
      })
    }

    test('whatever route of an operator it is', async () => {
      for (const url of [...routesOf(nonet), `${consoleOf(nonet)}/healthz`]) {
        const { reply } = await sendWebhook('asked', url)
        assert.match(reply.body, /does not call its own console/, url)
        assert.equal(reply.status, 403, url)
      }
      const control = `${nonet.scenarios.url}/_workspaces/default`
      assert.equal((await sendWebhook('removed', control)).reply.status, 403)
      assert.equal((await sendWebhook('told', `${control}/reset`)).reply.status, 403)
    })

    test('but public routes', async () => {
      const url = `${nonet.boxes.url}/${box}`
      const { body } = await sendPlain(`${nonet.mock.url}/__nonet/webhooks/asked`, {
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify({ url })
      })
      const { reply } = JSON.parse(body.toString())
      assert.equal(reply.status, 200)
      assert.match(reply.body, /"kept":true/)
    })
  })

  test('a POST that a form of any page can send is rejected', async () => {
    const changes = [
      `${consoleOf(nonet)}/reset`,
      `${consoleOf(nonet)}/forms/try`,
      `${consoleOf(nonet)}/forms/submissions/1/send`,
      `${consoleOf(nonet)}/forms/catch/clear`,
      `${consoleOf(nonet)}/scenarios/workspaces/reset`,
      `${nonet.mock.url}/__nonet/journal/clear`,
      `${nonet.mock.url}/__nonet/coverage/reset`,
      `${nonet.mock.url}/__nonet/state/reset`,
      `${nonet.mock.url}/__nonet/webhooks/told`,
      `${nonet.scenarios.url}/_workspaces`,
      `${nonet.scenarios.url}/_workspaces/default/reset`
    ]
    for (const url of changes) {
      for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
        const headers = { 'content-type': type }
        const { status, body } = await sendPlain(url, { method: 'POST', headers, body: '' })
        assert.equal(status, 403, url)
        assert.match(body.toString(), /A form of any page could have sent this/, url)
      }
    }
  })

  test('the forms of our own pages work in a browser that tells nothing', async () => {
    const form = '{"email":"ada@example.org","fullName":"Ada"}'
    await sendPlain(nonet.forms.url, { method: 'POST', headers: JSON_TYPE, body: form })
    await statusOf(`${nonet.scenarios.url}/w/shown/api/users`)
    const pages = [
      `${consoleOf(nonet)}/forms/`,
      `${consoleOf(nonet)}/scenarios/workspaces`,
      ...['journal', 'coverage', 'webhooks'].map((page) => `${nonet.mock.url}/__nonet/${page}`)
    ]
    const accept = { accept: 'text/html' }
    for (const page of pages) {
      const html = (await sendPlain(page, { headers: accept })).body.toString()
      const forms = [...html.matchAll(/<form[^>]*>/g)].map(([tag]) => tag)
      const actions = forms
        .filter((tag) => tag.includes('method="post"'))
        .map((tag) => /action="([^"]*)"/.exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? '')
      assert.ok(actions.length > 0, page)
      for (const action of actions) {
        const request = { method: 'POST', headers: { ...FORM_TYPE, ...accept }, body: '' }
        const status = await statusOf(new URL(action, page).href, request)
        assert.ok(status === 303 || status === 422, `${action}: ${status}`)
      }
    }
  })
})

describe('calls to all interfaces of this machine', () => {
  let nonet: Running
  before(async () => {
    const mock = { documents: [writeCallsDocument()], reload: false, allowCallbacks: true }
    nonet = await startAll({ lan: true, mock })
  })
  after(() => nonet.stop())

  test('do not reach the console, whatever the operator allows', async () => {
    const { port } = new URL(consoleOf(nonet))
    const interfaces = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
    const ips = interfaces
      .filter(({ address, scopeid }) => !address.includes('%') && !scopeid)
      .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
    for (const host of [...ips, '0.0.0.0', '[::]', 'localhost', 'nonet.localhost']) {
      const { body } = await sendPlain(`${nonet.mock.url}/__nonet/webhooks/told`, {
        method: 'POST',
        headers: { ...JSON_TYPE, ...BEARER },
        body: JSON.stringify({ url: `http://${host}:${port}/reset`, headers: BEARER })
      })
      const { reply, detail } = JSON.parse(body.toString())
      // A machine may be without a resolver for names below localhost.
      if (reply === undefined) assert.match(detail, /ENOTFOUND|EAI_AGAIN/, host)
      else assert.deepEqual([reply.status, JSON.parse(reply.body).error], [403, 'OWN_CALL'], host)
    }
  })
})

test('a redirect of a webhook of forms does not lead to the console', async () => {
  const portBase = await freePortBase()
  const headers = { location: `http://127.0.0.1:${portBase}/reset` }
  await using leading = await openWebhook({
    moved: { status: 302, headers },
    again: { status: 307, headers }
  })
  const forms = { webhook: leading.url, redirectHosts: [`127.0.0.1:${portBase}`] }
  await using nonet = await start({ services: ['boxes', 'forms'], portBase, forms })
  const box = `${nonet.boxes.url}/box_that_is_kept_01`
  await sendPlain(box, { method: 'POST', headers: JSON_TYPE, body: '{}' })
  for (const name of ['moved', 'again']) {
    const body = `{"email":"${name}@example.org","fullName":"Ada"}`
    const answer = await sendPlain(nonet.forms.url, { method: 'POST', body })
    assert.equal(answer.status, 500, name)
    assert.equal(leading.take().length, 1)
  }
  assert.equal(JSON.parse((await sendPlain(box)).body.toString()).length, 1)
})

test('the console requires the token behind the proxy of the mock', async () => {
  await using target = await start({ services: ['boxes'], adminToken: TOKEN })
  const upstream = target.console?.url ?? ''
  await using nonet = await start({
    services: ['mock'],
    mock: { documents: [writeCallsDocument()], reload: false, upstream }
  })
  const reset = `${nonet.mock.url}/reset`
  assert.equal(await statusOf(reset, { method: 'POST' }), 401)
  assert.equal(await statusOf(reset, { method: 'POST', headers: BEARER }), 200)
})

test('a reference does not lead to the console, a document that is named may', async () => {
  await using target = await start({ services: ['boxes'] })
  const document = `${target.console?.url}/openapi/boxes.json`
  await using named = await start({ services: ['mock'], mock: { documents: [document] } })
  assert.equal(await statusOf(`${named.mock.url}/__nonet/operations`), 200)
  const file = join(scratchFolder(), 'refers.json')
  const paths = { '/a': { $ref: `${document}#/paths/~1` } }
  writeFileSync(
    file,
    JSON.stringify({ ...CALLS_DOCUMENT, paths: { ...CALLS_DOCUMENT.paths, ...paths } })
  )
  const warnings: string[] = []
  const listen = ({ message }: Error) => void warnings.push(message)
  process.on('warning', listen)
  const mock = { documents: [file], reload: false, allowRemoteRefs: true }
  await using referring = await start({ services: ['mock'], mock })
  assert.notEqual(await statusOf(`${referring.mock.url}/a`), 200)
  process.off('warning', listen)
  assert.match(warnings.join('\n'), /returned status 403/)
})

describe('settings that tell of a proxy', () => {
  const settings: readonly object[] = [
    { publicUrl: { boxes: 'https://boxes.example' } },
    { trustedProxy: ['127.0.0.1'] },
    { allowedHost: ['nonet.example'] }
  ]
  for (const setting of settings) {
    test(`${Object.keys(setting)} makes the token necessary and closes loopback`, async () => {
      await using nonet = await startAll(setting)
      await using receiver = await openWebhook()
      for (const url of routesOf(nonet)) {
        assert.equal(await statusOf(url), 401, url)
        assert.notEqual(await statusOf(url, { headers: BEARER }), 401, url)
      }
      assert.equal(nonet.console?.token, TOKEN)
      const { body } = await sendPlain(`${nonet.mock.url}/__nonet/webhooks/told`, {
        method: 'POST',
        headers: { ...JSON_TYPE, ...BEARER },
        body: JSON.stringify({ url: receiver.url })
      })
      assert.match(body.toString(), /ADDRESS_REFUSED/)
      const webhook = { services: ['forms' as const], forms: { webhook: receiver.url }, ...setting }
      await assert.rejects(start(webhook), /private IP address; allow it with --outbound-allow/)
      await (await start({ ...webhook, outboundAllow: ['127.0.0.1'] })).stop()
    })
  }

  test('the host of a public URL is known', async () => {
    const publicUrl = { mock: 'https://mock.example:8443' }
    await using nonet = await startAll({ publicUrl, trustedProxy: ['127.0.0.1'] })
    const url = `${nonet.mock.url}/__nonet/operations`
    const host = 'mock.example:8443'
    assert.equal(await statusOf(url, { headers: { host, ...BEARER } }), 200)
    assert.equal(await statusOf(url, { headers: { host: 'other.example', ...BEARER } }), 421)
    const origin = `https://${host}`
    const clear = `${nonet.mock.url}/__nonet/journal/clear`
    const headers = { ...BEARER, ...FORM_TYPE, host, origin }
    assert.equal(await statusOf(clear, { method: 'POST', headers, body: '' }), 204)
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', host }
    const { body } = await sendPlain(`${nonet.boxes.url}/`, { headers: forged })
    assert.doesNotMatch(body.toString(), /evil\.example/)
  })
})

describe('cookies', () => {
  let cookie: string
  let nonet: Running
  let upstream: Webhook
  before(async () => {
    upstream = await openWebhook()
    const mock = { documents: [writeCallsDocument()], reload: false, upstream: upstream.url }
    nonet = await startAll({ trustedProxy: ['127.0.0.1'], mock })
    const signedIn = await Promise.all(
      [consoleOf(nonet), `${nonet.mock.url}/__nonet`].map(async (url) => {
        const { headers } = await sendPlain(`${url}/?token=${TOKEN}`)
        return headers['set-cookie']?.[0]?.split(';', 1)[0] ?? assert.fail(`no cookie of ${url}`)
      })
    )
    cookie = signedIn.join('; ')
  })
  after(async () => {
    await nonet.stop()
    await upstream.close()
  })

  test('the cookies of sessions open the pages, but no API', async () => {
    for (const url of routesOf(nonet)) {
      const isApi = url.startsWith(nonet.scenarios.url)
      for (const sent of [cookie, `nonet_mock=; nonet_console=x; a=b; ${cookie}`]) {
        const status = await statusOf(url, { headers: { cookie: sent } })
        assert.equal(status === 401, isApi, url)
      }
      for (const sent of [`nonet_admin=${TOKEN}`, `nonet_console=${TOKEN}; nonet_mock=${TOKEN}`]) {
        assert.equal(await statusOf(url, { headers: { cookie: sent } }), 401, url)
      }
    }
  })

  test('an upstream and the journal of the mock get none of nonet', async () => {
    const sent = `nonet_access=a; mine=1; ${cookie}; nonet_refresh=b; more=2`
    await sendPlain(`${nonet.mock.url}/subscribe`, { method: 'POST', headers: { cookie: sent } })
    assert.equal(upstream.take()[0]?.headers.cookie, 'mine=1; more=2')
    await sendPlain(`${nonet.mock.url}/subscribe`, { method: 'POST', headers: { cookie } })
    assert.equal(upstream.take()[0]?.headers.cookie, undefined)
  })

  test('scenarios gets its own', async () => {
    const sent = `nonet_access=a; ${cookie}; mine=1`
    const { body } = await sendPlain(`${nonet.scenarios.url}/api/echo`, {
      headers: { cookie: sent }
    })
    const { headers } = JSON.parse(body.toString())
    assert.match(headers.cookie, /^nonet_access=\*+; mine=\*+$/)
  })
})
