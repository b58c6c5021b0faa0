import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import {
  createPageSessions,
  endedSessionCookie,
  SESSION_LIMITS,
  sessionCookie
} from './page-session.ts'
import { createMemorySessions, type SessionStore, type StoredSession } from './session-store.ts'

const request = new IncomingMessage(new Socket())
const { idleMs, lifetimeMs, linkLifetimeMs, maximum } = SESSION_LIMITS

function openSessions(service = 'things', store: SessionStore = createMemorySessions()) {
  let time = 1_000_000
  const sessions = createPageSessions({
    service,
    store,
    verify: (token) => (token === 'token of ada' ? 'ada' : undefined),
    now: () => new Date(time)
  })
  return { ...sessions, pass: (milliseconds: number) => (time += milliseconds) }
}

test('the cookie has the name of the service', () => {
  const attributes = 'Path=/; HttpOnly; SameSite=Strict'
  assert.equal(sessionCookie('things', 'x', false), `nonet_things=x; ${attributes}`)
  assert.equal(sessionCookie('things', 'x', true), `nonet_things=x; ${attributes}; Secure`)
  assert.match(endedSessionCookie('things'), /^nonet_things=; Path=\/; Max-Age=0; HttpOnly;/)
})

test('a session knows its account, and only a digest of its secret is stored', async () => {
  const stored: StoredSession[] = []
  const store = createMemorySessions()
  const sessions = openSessions('things', {
    ...store,
    add(session, bounds) {
      stored.push(session)
      return store.add(session, bounds)
    }
  })
  assert.equal(await sessions.verify('another', request), undefined)
  const account = await sessions.verify('token of ada', request)
  const session = await sessions.open(account ?? '')
  assert.match(session.secret, /^[\w-]{43}$/)
  assert.ok(!JSON.stringify(stored).includes(session.secret))
  assert.deepEqual(await sessions.find(['', 'x', session.secret]), session)
  assert.equal((await sessions.find([session.secret]))?.account, 'ada')
})

test('a session of one service is not valid for another', async () => {
  const store = createMemorySessions()
  const { secret } = await openSessions('things', store).open('ada')
  assert.equal(await openSessions('parts', store).find([secret]), undefined)
})

test('a session ends when it is ended, not used, or too old', async () => {
  const sessions = openSessions()
  const ended = await sessions.open('ada')
  await sessions.end(ended)
  assert.equal(await sessions.find([ended.secret]), undefined)
  const unused = await sessions.open('ada')
  const used = await sessions.open('ada')
  for (let time = 0; time + idleMs / 2 < lifetimeMs; time += idleMs / 2) {
    assert.ok(await sessions.find([used.secret]))
    sessions.pass(idleMs / 2)
  }
  assert.equal(await sessions.find([unused.secret]), undefined)
  assert.ok(await sessions.find([used.secret]))
  sessions.pass(idleMs / 2)
  assert.equal(await sessions.find([used.secret]), undefined)
})

test('the time of the last use is not stored with every request', async () => {
  const store = createMemorySessions()
  const uses: number[] = []
  const sessions = openSessions('things', {
    ...store,
    async use(digest, usedAt) {
      uses.push(usedAt)
      await store.use(digest, usedAt)
    }
  })
  const { secret } = await sessions.open('ada')
  for (const milliseconds of [0, 59_999, 1, 0, 30_000]) {
    sessions.pass(milliseconds)
    await sessions.find([secret])
  }
  assert.deepEqual(uses, [1_060_000])
})

test('the number of sessions is bounded: the one that was not used for longest ends', async () => {
  const sessions = openSessions()
  const first = await sessions.open('ada')
  const second = await sessions.open('ada')
  sessions.pass(idleMs / 2)
  await sessions.find([first.secret])
  for (let count = 2; count <= maximum; count++) await sessions.open('ada')
  assert.ok(await sessions.find([first.secret]))
  assert.equal(await sessions.find([second.secret]), undefined)
})

test('more cookies than a browser needs are not looked up', async () => {
  const sessions = openSessions()
  const { secret } = await sessions.open('ada')
  const others = Array.from({ length: 16 }, (_, index) => `${index}`.padStart(43, 'x'))
  assert.ok(await sessions.find([...others.slice(1), secret]))
  assert.equal(await sessions.find([...others, secret]), undefined)
})

test('a link signs in once, within its time', async () => {
  const sessions = openSessions()
  const link = new URL(await sessions.createLink('http://here:1/page/?a=b', 'ada'))
  assert.equal(link.origin + link.pathname, 'http://here:1/page/')
  assert.equal(link.searchParams.get('a'), 'b')
  const code = link.searchParams.get('signin') ?? ''
  assert.equal(await sessions.find([code]), undefined)
  const uses = await Promise.all([sessions.useLink(code), sessions.useLink(code)])
  assert.deepEqual(uses.sort(), ['ada', undefined])
  const late = new URL(await sessions.createLink('http://here:1/', 'ada'))
  sessions.pass(linkLifetimeMs)
  assert.equal(await sessions.useLink(late.searchParams.get('signin') ?? ''), undefined)
  const { secret } = await sessions.open('ada')
  assert.equal(await sessions.useLink(secret), undefined)
  assert.ok(await sessions.find([secret]))
})
