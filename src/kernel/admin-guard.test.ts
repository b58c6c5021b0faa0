import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { formTokenOf } from './admin.ts'
import {
  acceptTokenLink,
  askForToken,
  checkSender,
  formAction,
  type SenderRules,
  sentPath
} from './admin-guard.ts'
import { html } from './html.ts'
import { NO_FRAME } from './page.ts'
import { frameWith } from './send-page.ts'

const RULES = {
  isKnownHost: (host: string) => host === 'here:1',
  originMessage: 'Only pages of here',
  formToken: formTokenOf('secret')
}

function codeOf(
  method: string,
  headers: Record<string, string>,
  url = '/reset',
  rules: Partial<SenderRules> = {}
): string | undefined {
  try {
    checkSender({ method, url, headers: { host: 'here:1', ...headers } }, { ...RULES, ...rules })
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('unknown host names are rejected for every method', () => {
  assert.equal(codeOf('GET', { host: 'there:1' }), 'FOREIGN_HOST')
  assert.equal(codeOf('POST', { host: 'there:1' }), 'FOREIGN_HOST')
  assert.equal(codeOf('GET', {}), undefined)
})

test('a state change is rejected if a page of another origin sends it', () => {
  const origin = 'http://there:1'
  assert.equal(codeOf('POST', { origin }), 'FOREIGN_ORIGIN')
  assert.equal(codeOf('DELETE', { 'sec-fetch-site': 'cross-site' }), 'FOREIGN_ORIGIN')
  assert.equal(codeOf('POST', { 'sec-fetch-site': 'same-site' }), 'FOREIGN_ORIGIN')
  assert.equal(codeOf('POST', { origin: 'http://here:1' }), undefined)
  assert.equal(codeOf('POST', {}), undefined)
  assert.equal(codeOf('GET', { origin }), undefined)
  assert.equal(codeOf('HEAD', { 'sec-fetch-site': 'cross-site' }), undefined)
})

test('the error has the message of the caller', () => {
  const headers = { host: 'here:1', origin: 'null' }
  assert.throws(() => checkSender({ method: 'PUT', url: '/', headers }, RULES), {
    statusCode: 403,
    message: 'Only pages of here'
  })
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

test('a POST that a form of any page could send needs more', () => {
  const plain = [
    FORM,
    { 'content-type': 'TEXT/PLAIN ; charset=utf-8' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'user-agent': 'Mozilla/5.0 (X11; rv:60.0) Firefox/60.0', 'accept-language': 'en' }
  ]
  for (const headers of plain) {
    assert.equal(codeOf('POST', headers), 'PLAIN_FORM', JSON.stringify(headers))
    assert.equal(codeOf('POST', { ...headers, authorization: 'Bearer x' }), undefined)
    assert.equal(codeOf('POST', { ...headers, origin: 'http://here:1' }), undefined)
    assert.equal(codeOf('POST', { ...headers, 'sec-fetch-site': 'same-origin' }), undefined)
    assert.equal(codeOf('POST', headers, formAction('/reset', RULES.formToken)), undefined)
    assert.equal(codeOf('POST', headers, formAction('/reset', 'another')), 'PLAIN_FORM')
    assert.equal(codeOf('POST', headers, '/reset?form='), 'PLAIN_FORM')
  }
  assert.equal(codeOf('POST', { 'user-agent': 'curl/8.14.1' }), undefined)
  assert.equal(codeOf('POST', { 'user-agent': 'Mozilla/5.0 of a test runner' }), undefined)
  assert.equal(codeOf('POST', { 'content-type': 'application/json' }), undefined)
  assert.equal(codeOf('DELETE', FORM), undefined)
})

test("Node's fetch may send text", () => {
  const node = { 'content-type': 'text/plain;charset=UTF-8', 'sec-fetch-mode': 'cors' }
  assert.equal(codeOf('POST', node), undefined)
  assert.equal(codeOf('POST', { ...node, 'sec-fetch-site': 'none' }), 'PLAIN_FORM')
})

test('the form token does not help a page of another origin', () => {
  const url = formAction('/reset', RULES.formToken)
  assert.equal(codeOf('POST', { ...FORM, origin: 'http://there:1' }, url), 'FOREIGN_ORIGIN')
})

test('nonet does not call itself, except where it may', () => {
  for (const via of ['1.1 nonet', '1.1 a, 1.1 nonet', '1.1 nonet, 1.0 b']) {
    for (const method of ['GET', 'POST']) {
      assert.equal(codeOf(method, { via }), 'OWN_CALL')
      assert.equal(codeOf(method, { via, authorization: 'Bearer secret' }), 'OWN_CALL')
      assert.equal(codeOf(method, { via }, '/catch', { acceptsOwnCalls: true }), undefined)
    }
  }
  assert.equal(codeOf('GET', { via: '1.1 nonetwork' }), undefined)
})

function createGuarded(path?: string) {
  const app = fastify()
  frameWith(app, () => NO_FRAME)
  app.addHook('onRequest', async (request, reply) => {
    if (sentPath(request) === '/open') return
    if (acceptTokenLink(request, reply, (given) => given === 'secret', path)) return reply
    const tokenPage = (message: string) => ({ title: 'Token', main: html`<p>${message}</p>` })
    return askForToken(request, reply, { tokenPage, isPrinted: path === undefined })
  })
  app.get('/open', async () => 'open')
  return app
}

test('a link with the token becomes a cookie and a URL without it', async () => {
  const { statusCode, headers } = await createGuarded().inject('/page?token=secret')
  assert.equal(statusCode, 303)
  assert.equal(headers.location, '/page')
  assert.match(
    String(headers['set-cookie']),
    /^nonet_admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/
  )
  const fixed = await createGuarded('/start/').inject('/page?token=secret')
  assert.equal(fixed.headers.location, '/start/')
})

test('without the token a browser gets a page, a program the error', async () => {
  const app = createGuarded()
  const page = await app.inject({ url: '/page?token=wrong', headers: { accept: 'text/html' } })
  assert.equal(page.statusCode, 401)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(page.body, /<p>Admin token required \(printed at startup\)/)
  assert.equal(page.headers['set-cookie'], undefined)
  const error = await app.inject('/page')
  assert.equal(error.statusCode, 401)
  assert.equal(error.json().code, 'TOKEN_MISSING')
  const unseen = await createGuarded('/start/').inject('/page')
  assert.match(unseen.json().message, /came through a proxy; .* --public-url/)
})

test('the path is compared as it was sent', async () => {
  const app = createGuarded()
  assert.equal((await app.inject('/open?a=b')).statusCode, 200)
  const request = { url: '/closed/../open?x' } as Parameters<typeof sentPath>[0]
  assert.equal(sentPath(request), '/closed/../open')
})
