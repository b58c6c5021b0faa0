import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { NO_FRAME } from './page.ts'
import { guardPages } from './page-guard.ts'
import { createAdminSessions } from './page-session.ts'
import { sendPage } from './send-page.ts'

function createGuarded({ loopback = false, baseUrl = 'http://here:1' } = {}) {
  const app = fastify()
  const now = () => new Date(0)
  const isAdminToken = (given: string) => given === 'secret'
  const pages = guardPages(app, {
    sessions: createAdminSessions('things', { now, isAdminToken }),
    access: {
      isAdmin: ({ headers }) => headers.authorization === 'Bearer secret',
      formKey: 'key of the process',
      loopback,
      sessionCookies: ({ headers }) => [headers.cookie?.split('=', 2)[1] ?? ''],
      baseUrl: () => baseUrl,
      now
    },
    home: '/pages/',
    frame: () => NO_FRAME
  })
  app.addHook('onRequest', (request, reply) => pages.admit(request, reply))
  app.get('/pages/*', async (_request, reply) =>
    sendPage(reply, { title: 'A', main: { markup: '' } })
  )
  return app
}

test('a link with the token becomes a cookie and a URL without it', async () => {
  const app = createGuarded()
  const { statusCode, headers } = await app.inject('/pages/a?b=c&token=secret')
  assert.equal(statusCode, 303)
  assert.equal(headers.location, '/pages/a?b=c')
  const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? ''
  assert.match(cookie, /^nonet_things=[\w-]{43}$/)
  const page = await app.inject({ url: '/pages/a', headers: { cookie } })
  assert.equal(page.statusCode, 200)
  assert.match(page.body, /action="\/pages\/sign-out\?form=[\w-]{43}"/)
})

test('without the token a browser gets a page, a program the error', async () => {
  const app = createGuarded()
  const page = await app.inject({ url: '/pages/?token=wrong', headers: { accept: 'text/html' } })
  assert.equal(page.statusCode, 401)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(page.body, /<p class="note">Admin token required \(printed at startup\)/)
  assert.doesNotMatch(page.body, /Sign out/)
  assert.equal(page.headers['set-cookie'], undefined)
  const error = await app.inject('/pages/')
  assert.equal(error.statusCode, 401)
  assert.equal(error.json().code, 'TOKEN_MISSING')
  const unseen = await createGuarded({ loopback: true }).inject('/pages/')
  assert.match(unseen.json().message, /came through a proxy; .* --public-url/)
})

test('a program with the token needs no session and cannot end one', async () => {
  const app = createGuarded()
  const headers = { authorization: 'Bearer secret' }
  const page = await app.inject({ url: '/pages/', headers })
  assert.equal(page.statusCode, 200)
  assert.doesNotMatch(page.body, /Sign out/)
  const { statusCode } = await app.inject({ method: 'POST', url: '/pages/sign-out', headers })
  assert.equal(statusCode, 303)
})

test('a change with a link in its URL is not made', async () => {
  const app = createGuarded()
  const url = '/pages/?token=secret'
  assert.equal((await app.inject({ method: 'DELETE', url })).statusCode, 401)
})
