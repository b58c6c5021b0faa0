import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Site, sites } from './statuses-site.ts'

async function create(site: Site, flags: object) {
  const response = await fetch(`${site.console}/statuses/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ flags })
  })
  return { status: response.status, body: await response.json() }
}

async function accountOf(site: Site, flags: object): Promise<string> {
  const { status, body } = await create(site, flags)
  assert.equal(status, 201, JSON.stringify(body))
  const { bindings } = body.token
  assert.equal(bindings.length, 1)
  return bindings[0]
}

async function rejects(site: Site, flags: object, code: string, message: string) {
  const { body } = await create(site, flags)
  assert.deepEqual(body, { error: code, message })
}

sites('accounts of tokens', {}, (site) => {
  test('a token is for the only account, and the sample counts as long as it is alone', async () => {
    const none = 'There is no account; add one with --new-account --account <user name>'
    await rejects(site(), {}, 'NO_ACCOUNT', none)
    assert.equal((await site().ask('/marit')).status, 200)
    const sample = await accountOf(site(), {})
    assert.equal(await accountOf(site(), { account: 'MARIT' }), sample)
    const added = await accountOf(site(), { account: 'Bob_1', 'new-account': true })
    assert.match(added, /^[1-9]\d{18}$/)
    assert.equal((await site().ask('/marit')).status, 404)
    assert.equal(await accountOf(site(), {}), added)
    assert.equal(await accountOf(site(), { account: 'bob_1' }), added)
  })

  test('an account without public posts is not visible', async () => {
    assert.equal((await site().ask('/Bob_1')).status, 404)
  })

  test('a new account has a name that no other account or path has', async () => {
    const isNew = { 'new-account': true }
    const missing = 'A new account needs a user name: --new-account --account <user name>'
    await rejects(site(), isNew, 'ACCOUNT_FLAG_MISSING', missing)
    const taken = 'There is an account BOB_1 already; leave out --new-account'
    await rejects(site(), { account: 'BOB_1', ...isNew }, 'USER_NAME_TAKEN', taken)
    for (const account of ['search', 'a-b', 'abcdefghijklmnop', '']) {
      const { status, body } = await create(site(), { account, ...isNew })
      assert.deepEqual([status, body.error], [400, 'USER_NAME_NOT_ALLOWED'], account)
    }
    const unknown = 'There is no account eve; add it with --new-account'
    await rejects(site(), { account: 'eve' }, 'USER_UNKNOWN', unknown)
  })

  test('of several accounts one must be selected; at most ten are named', async () => {
    await site().account()
    const two = 'There are several accounts; select one with --account: ada, Bob_1'
    await rejects(site(), {}, 'ACCOUNT_NOT_CHOSEN', two)
    assert.equal(await accountOf(site(), { account: 'ada' }), '12')
    for (let count = 0; count < 9; count++) {
      await accountOf(site(), { account: `c${count}`, 'new-account': true })
    }
    const many = `${two}, c0, c1, c2, c3, c4, c5, c6, c7, …`
    await rejects(site(), {}, 'ACCOUNT_NOT_CHOSEN', many)
  })

  test('ids that no token and no account can have are unknown', async () => {
    const { console } = site()
    const headers = { 'content-type': 'application/json' }
    for (const [method, path, body] of [
      ['DELETE', '/tokens/%00', undefined],
      ['POST', '/tokens', { replaces: '\u0000' }],
      ['POST', '/accounts/%00/posts', { text: 'x' }]
    ] as const) {
      const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
      const { status } = await fetch(`${console}/statuses${path}`, { method, ...sent })
      assert.equal(status, 404, path)
    }
    assert.equal((await fetch(`${console}/statuses/?account=%00`)).status, 200)
  })
})
