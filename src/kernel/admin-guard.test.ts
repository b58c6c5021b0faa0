import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { acceptTokenLink, askForToken, checkSender, sentPath } from './admin-guard.ts'

const RULES = {
  isKnownHost: (host: string) => host === 'here:1',
  originMessage: 'Only pages of here'
}

function codeOf(method: string, headers: Record<string, string>): string | undefined {
  try {
    checkSender({ method, headers: { host: 'here:1', ...headers } }, RULES)
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
  assert.equal(codeOf('POST', { origin: 'http://here:1' }), undefined)
  assert.equal(codeOf('POST', {}), undefined)
  assert.equal(codeOf('GET', { origin }), undefined)
  assert.equal(codeOf('HEAD', { 'sec-fetch-site': 'cross-site' }), undefined)
})

test('the error has the message of the caller', () => {
  const headers = { host: 'here:1', origin: 'null' }
  assert.throws(() => checkSender({ method: 'PUT', headers }, RULES), {
    statusCode: 403,
    message: 'Only pages of here'
  })
})

function createGuarded(path?: string) {
  const app = fastify()
  app.addHook('onRequest', async (request, reply) => {
    if (sentPath(request) === '/open') return
    if (acceptTokenLink(request, reply, (given) => given === 'secret', path)) return reply
    return askForToken(request, reply, (message) => `<p>${message}</p>`)
  })
  app.get('/open', async () => 'open')
  return app
}

test('a link with the token becomes a cookie and a URL without it', async () => {
  const { statusCode, headers } = await createGuarded().inject('/page?token=secret')
  assert.equal(statusCode, 303)
  assert.equal(headers.location, '/page')
  assert.equal(headers['set-cookie'], 'nonet_admin=secret; Path=/; HttpOnly; SameSite=Strict')
  const fixed = await createGuarded('/start/').inject('/page?token=secret')
  assert.equal(fixed.headers.location, '/start/')
})

test('without the token a browser gets a page, a program the error', async () => {
  const app = createGuarded()
  const page = await app.inject({ url: '/page?token=wrong', headers: { accept: 'text/html' } })
  assert.equal(page.statusCode, 401)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(page.body, /^<p>Admin token required/)
  assert.equal(page.headers['set-cookie'], undefined)
  const error = await app.inject('/page')
  assert.equal(error.statusCode, 401)
  assert.equal(error.json().code, 'TOKEN_MISSING')
})

test('the path is compared as it was sent', async () => {
  const app = createGuarded()
  assert.equal((await app.inject('/open?a=b')).statusCode, 200)
  const request = { url: '/closed/../open?x' } as Parameters<typeof sentPath>[0]
  assert.equal(sentPath(request), '/closed/../open')
})
