/** nonet behind a real nginx: with its defaults, with the sample of the how-to, and a hidden one. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { writeCallsDocument } from '../support/calls-document.ts'
import { type Launched, launchNonet, ROOT } from '../support/launcher.ts'
import { type Nginx, openNginx } from '../support/nginx.ts'
import { type PlainRequest, sendPlain } from '../support/plain-http.ts'
import { openWebhook, type Webhook } from '../support/webhook.ts'

const TOKEN = 'a-token-of-the-operator'
const BEARER = { authorization: `Bearer ${TOKEN}` }
const JSON_TYPE = { 'content-type': 'application/json' }
const DEADLINE_MS = 60_000
const SERVICES = ['boxes', 'scenarios', 'mock']

function startNonet(flags: readonly string[] = []): Promise<Launched> {
  const document = writeCallsDocument()
  const settings = ['--ephemeral', '--quiet', `--mock=${document}`, '--no-mock-reload', ...flags]
  return launchNonet([...SERVICES, ...settings], { env: { NONET_ADMIN_TOKEN: TOKEN } })
}

/** URLs of the console and the services, by name. */
function addressesOf({ ready }: Launched): [string, string][] {
  return [['console', ready.console ?? ''], ...Object.entries(ready.services)]
}

/** One `server` for each of them, found by `<name>.example`. */
function serversFor(nonet: Launched, listen: string, directives = ''): string {
  return addressesOf(nonet)
    .map(
      ([name, url]) => `server {
listen ${listen};
server_name ${name}.example;
location / { proxy_pass ${url}; ${directives} }
}`
    )
    .join('\n')
}

/** The sample of the how-to, for a service and without TLS, for which it names files. */
function sampleFor(name: string, url: string, listen: string): string {
  const page = readFileSync(join(ROOT, 'docs/how-to/behind-a-proxy.md'), 'utf8')
  const [, sample = ''] = /^```nginx\n(.*?)^```$/ms.exec(page) ?? []
  const plain = sample.replace('listen 443 ssl;', `listen ${listen};`).replace(/^ *ssl_.*\n/gm, '')
  assert.match(plain, new RegExp(`listen ${listen}`))
  return plain.replaceAll('mock.example', `${name}.example`).replace('http://127.0.0.1:4008', url)
}

function askThrough(nginx: Nginx) {
  return async (name: string, path: string, request: PlainRequest = {}) => {
    const headers = { host: `${name}.example`, ...request.headers }
    const answer = await sendPlain(nginx.url + path, { ...request, headers })
    return { status: answer.status, headers: answer.headers, text: answer.body.toString() }
  }
}

type Ask = ReturnType<typeof askThrough>

async function expectClosed(ask: Ask): Promise<void> {
  for (const [name, path] of [
    ['console', '/'],
    ['console', '/metrics'],
    ['mock', '/__nonet/journal'],
    ['mock', '/__nonet/webhooks'],
    ['scenarios', '/_workspaces']
  ] as const) {
    assert.equal((await ask(name, path)).status, 401, name + path)
    assert.equal((await ask(name, path, { headers: BEARER })).status, 200, name + path)
  }
  for (const [name, path] of [
    ['console', '/reset'],
    ['mock', '/__nonet/journal/clear'],
    ['mock', '/__nonet/webhooks/told'],
    ['scenarios', '/_workspaces/x/reset']
  ] as const) {
    const post = { method: 'POST', headers: JSON_TYPE, body: '{}' }
    assert.equal((await ask(name, path, post)).status, 401, name + path)
  }
}

describe('behind an nginx without further directives', () => {
  let nonet: Launched
  let nginx: Nginx
  let receiver: Webhook
  let ask: Ask
  before(async () => {
    nonet = await startNonet()
    nginx = await openNginx((listen) => serversFor(nonet, listen))
    receiver = await openWebhook()
    ask = askThrough(nginx)
  })
  after(async () => {
    await nginx[Symbol.asyncDispose]()
    await nonet.end()
    await receiver.close()
  })

  test('routes of operators require the token, local clients none', async () => {
    await expectClosed(ask)
    assert.equal((await sendPlain(`${nonet.ready.console}/metrics`)).status, 200)
    const journal = `${nonet.ready.services.mock}/__nonet/journal`
    assert.equal((await sendPlain(journal)).status, 200)
  })

  test('public routes need nothing, and a new workspace has a key', async () => {
    const post = { method: 'POST', headers: JSON_TYPE, body: '{"id":"far"}' }
    assert.equal((await ask('boxes', '/box_through_nginx', post)).status, 200)
    assert.equal((await ask('scenarios', '/api/users')).status, 200)
    const { status, text } = await ask('scenarios', '/_workspaces', post)
    assert.equal(status, 201)
    assert.match(JSON.parse(text).key, /^wsk_/)
    assert.equal((await ask('scenarios', '/_workspaces/far')).status, 401)
  })

  test('webhooks and callbacks do not lead to loopback', async () => {
    const body = JSON.stringify({ url: receiver.url })
    const post = { method: 'POST', headers: { ...JSON_TYPE, ...BEARER }, body }
    const refused = await ask('mock', '/__nonet/webhooks/told', post)
    assert.match(refused.text, /ADDRESS_REFUSED/)
    const hook = (path: string) => `/subscribe?hook=${encodeURIComponent(receiver.url + path)}`
    assert.equal((await ask('mock', hook('far'), { method: 'POST' })).status, 204)
    const near = await sendPlain(nonet.ready.services.mock + hook('near'), { method: 'POST' })
    assert.equal(near.status, 204)
    const deadline = performance.now() + DEADLINE_MS
    const paths: string[] = []
    const refusal = /callback of POST \/subscribe not sent: the request came through a proxy/
    while (paths.length === 0 || !refusal.test(nonet.stderr())) {
      assert.ok(performance.now() < deadline, `${paths} ${nonet.stderr()}`)
      await wait(10)
      paths.push(...receiver.take().map(({ path }) => path))
    }
    assert.deepEqual(paths, ['/near'])
  })
})

describe('behind the nginx of the how-to', () => {
  const urls = SERVICES.map((name) => `--public-url=${name}=https://${name}.example`)
  let nonet: Launched
  let nginx: Nginx
  let ask: Ask
  before(async () => {
    nonet = await startNonet([...urls, '--trusted-proxy=127.0.0.1'])
    nginx = await openNginx((listen) => {
      const [first, ...rest] = addressesOf(nonet)
        .filter(([name]) => name !== 'console')
        .map(([name, url]) => sampleFor(name, url, listen))
      // The map stands outside of the servers, once.
      return [first, ...rest.map((text) => text.slice(text.indexOf('server {')))].join('\n')
    })
    ask = askThrough(nginx)
  })
  after(async () => {
    await nginx[Symbol.asyncDispose]()
    await nonet.end()
  })

  test('links have the public URL, whatever the client forges', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const { text } = await ask('scenarios', '/_workspaces', {
      method: 'POST',
      headers: { ...headers, ...JSON_TYPE },
      body: '{"id":"linked"}'
    })
    assert.equal(JSON.parse(text).base_url, 'https://scenarios.example/w/linked')
  })

  test('public routes work, the admin pages are hidden, control routes require a key', async () => {
    assert.equal((await ask('boxes', '/box_through_nginx')).status, 200)
    assert.equal((await ask('mock', '/subscribe', { method: 'POST' })).status, 204)
    assert.equal((await ask('mock', '/__nonet/journal', { headers: BEARER })).status, 404)
    assert.equal((await ask('scenarios', '/_workspaces')).status, 401)
    assert.equal((await ask('scenarios', '/_workspaces', { headers: BEARER })).status, 200)
  })

  test('a page of the public URL may change state with the token, another may not', async () => {
    const change = (origin: string) =>
      ask('scenarios', '/_workspaces', {
        method: 'POST',
        headers: { origin, ...BEARER, 'content-type': 'text/plain' },
        body: '{}'
      })
    assert.equal((await change('https://scenarios.example')).status, 201)
    assert.equal((await change('https://elsewhere.example')).status, 403)
  })

  test('the token is required on the machine itself too', async () => {
    assert.equal(nonet.ready.token, TOKEN)
    assert.equal((await sendPlain(`${nonet.ready.console}/metrics`)).status, 401)
    const { mock } = nonet.ready.services
    assert.equal((await sendPlain(`${mock}/__nonet/journal`)).status, 401)
  })
})

test('a proxy that hides itself is a local client, unless a public URL is set', async () => {
  await using open = await startNonet()
  await using closed = await startNonet(['--public-url=mock=https://mock.example'])
  const hiding = 'proxy_http_version 1.1; proxy_set_header Connection "";'
  for (const [nonet, status] of [
    [open, 200],
    [closed, 401]
  ] as const) {
    await using nginx = await openNginx((listen) => serversFor(nonet, listen, hiding))
    const ask = askThrough(nginx)
    assert.equal((await ask('mock', '/__nonet/journal')).status, status)
    assert.equal((await ask('console', '/metrics')).status, status)
    if (nonet === closed) await expectClosed(ask)
  }
})
