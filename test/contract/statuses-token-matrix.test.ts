import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { API_ROUTES, type ApiRoute } from '../../src/services/statuses/http/route-table.ts'
import { type OwnRequest, post, type Site, seen, sites } from './statuses-site.ts'

/** A body that the route accepts; a new route must be added here. */
const BODIES: Readonly<Record<ApiRoute['name'], object | undefined>> = {
  list: undefined,
  create: { text: 'Of the matrix' },
  show: undefined,
  change: { visibility: 'hidden' },
  remove: undefined
}
const POST = '600'
const EXPIRES_MS = 1_500

function requestOf({ name, method, pattern }: ApiRoute, id: string): OwnRequest {
  return { method, path: pattern.replace(':id', id), body: BODIES[name] }
}

/** Everything that the API could change of an account, and a page of it. */
async function stateOf({ own, ask }: Site, secret: string): Promise<string[]> {
  const paths = ['?limit=100', '?limit=100&visibility=deleted', `/${POST}`]
  const states: string[] = []
  for (const path of paths) {
    states.push((await own(secret, { path: `/api/statuses${path}` })).text)
  }
  const { headers, text } = await ask(`/victim/status/${POST}`)
  return [...states, headers.get('etag') ?? '', text]
}

sites('I-7, tokens of owners', {}, (site) => {
  let secret: string
  let other: string

  test('tokens that are not accepted get the same bytes on every route, and change nothing', async () => {
    const { account, posts, token, revoke, own } = site()
    const id = await account({ userName: 'victim' })
    await posts(id, post(POST), post('601'))
    await account({ id: '13', userName: 'other' })
    await posts('13', post('602'))
    const flags = { account: 'victim' }
    secret = (await token({ flags })).secret
    other = (await token({ flags: { account: 'other' } })).secret
    const expires = new Date(Date.now() + EXPIRES_MS).toISOString()
    const expired = await token({ flags, expires })
    const revoked = await token({ flags })
    await revoke(revoked.id)
    const scoped = {
      read: (await token({ flags, scopes: ['write'] })).secret,
      write: (await token({ flags, scopes: ['read'] })).secret
    }
    await setTimeout(EXPIRES_MS)
    const before = await stateOf(site(), secret)
    const bearer = (value: string) => ({ authorization: `Bearer ${value}` })
    for (const route of API_ROUTES) {
      const request = requestOf(route, POST)
      const expected = seen(await own(undefined, request))
      assert.match(JSON.stringify(expected), /"status":401.*"www-authenticate":"Bearer"/)
      const cases: Record<string, Record<string, string>> = {
        malformed: bearer('nnt_x'),
        'another scheme': {
          authorization: `Basic ${Buffer.from(`:${secret}`).toString('base64')}`
        },
        'no scheme': { authorization: secret },
        'in a cookie': { cookie: `token=${secret}` },
        expired: bearer(expired.secret),
        revoked: bearer(revoked.secret),
        'another scope': bearer(scoped[route.scope])
      }
      for (const [name, headers] of Object.entries(cases)) {
        const answer = await own(undefined, { ...request, headers })
        assert.deepEqual(seen(answer), expected, `${route.method} ${route.pattern}, ${name}`)
      }
      const inQuery = { ...request, path: `${request.path}?access_token=${secret}` }
      assert.deepEqual(seen(await own(undefined, inQuery)), expected, 'in the query')
    }
    assert.deepEqual(await stateOf(site(), secret), before)
  })

  test('a token of another account finds no post: as if it did not exist', async () => {
    const { own } = site()
    const before = await stateOf(site(), secret)
    for (const route of API_ROUTES) {
      if (!route.pattern.includes(':id')) continue
      const expected = seen(await own(other, requestOf(route, '4')))
      assert.match(JSON.stringify(expected), /"status":404.*POST_UNKNOWN/)
      for (const id of [POST, '0600', '9'.repeat(19), 'x', '%00', `${POST}%20`]) {
        assert.deepEqual(
          seen(await own(other, requestOf(route, id))),
          expected,
          `${route.method} ${id}`
        )
      }
    }
    const listed = await own(other, {})
    assert.deepEqual(
      JSON.parse(listed.text).statuses.map(({ id }: { id: string }) => id),
      ['602']
    )
    const reply = { method: 'POST', body: { text: 'Reply', account: '12' } }
    assert.equal((await own(other, reply)).status, 400, 'the body names no account')
    assert.equal((await own(other, { method: 'POST', body: { text: 'Own' } })).status, 201)
    assert.deepEqual(await stateOf(site(), secret), before)
  })

  test('a token with the right scope is accepted on every route', async () => {
    for (const route of API_ROUTES) {
      const { status, text } = await site().own(secret, requestOf(route, '601'))
      assert.ok(status === 200 || status === 201, `${route.method} ${route.pattern}: ${text}`)
    }
  })

  test('many wrong tokens of one address are limited, a right one is not', async () => {
    const { own } = site()
    const statuses = new Set<number>()
    for (let round = 0; round < 30; round++) {
      const { status, headers, text } = await own(`nnt_wrong${round}`, {})
      statuses.add(status)
      if (status !== 429) continue
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d?$/)
      assert.equal(JSON.parse(text).code, 'TOO_MANY_REQUESTS')
    }
    assert.ok(statuses.has(429), [...statuses].join())
    assert.equal((await own(secret, {})).status, 200)
  })
})
