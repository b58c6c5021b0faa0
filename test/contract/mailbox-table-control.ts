import assert from 'node:assert/strict'
import { of, row, type TableRow, type TableSite } from './mailbox-table-row.ts'

interface NewToken {
  token: string
  id: string
}

const HEX = /^[0-9a-f]{64}$/

function addToken(site: TableSite): Promise<NewToken> {
  const body = { account: site.account, description: 'Of an example' }
  return site.json({ method: 'POST', path: '/v1/tokens', body })
}

function listOf(site: TableSite, id: string) {
  return (body: { tokens: { id: string }[] }) =>
    assert.partialDeepStrictEqual(
      body.tokens.find((token) => token.id === id),
      { account: site.account, description: 'Of an example', scopes: ['api'] }
    )
}

export const controlExamples = {
  readSettings: row('store', async (site) => {
    const body = { deliveryAttempts: 7 }
    await site.json({ method: 'POST', path: '/v1/settings', body })
    return {
      query: { deliveryAttempts: 'true' },
      check: (shown) => assert.deepEqual(shown, { deliveryAttempts: 7 })
    }
  }),
  changeSettings: row('store', async (site) => ({
    body: { deliveryAttempts: 9, locale: 'en' },
    async check({ updated }: { updated: string[] }) {
      assert.deepEqual(updated.toSorted(), ['deliveryAttempts', 'locale'])
      const shown = await site.json({ path: '/v1/settings?deliveryAttempts=true&locale=true' })
      assert.deepEqual(shown, { deliveryAttempts: 9, locale: 'en' })
    }
  })),
  showQueue: row('store', async () => ({
    params: { queue: 'submit' },
    check: (body) =>
      assert.partialDeepStrictEqual(body, { queue: 'submit', jobs: { paused: 0 }, paused: false })
  })),
  pauseQueue: row('store', async (site) => ({
    params: { queue: 'submit' },
    body: { paused: true },
    async check(body) {
      assert.partialDeepStrictEqual(body, { queue: 'submit', jobs: { paused: 0 }, paused: true })
      const path = '/v1/settings/queue/submit'
      assert.equal((await site.json({ path })).paused, true)
      await site.json({ method: 'PUT', path, body: { paused: false } })
    }
  })),

  addToken: row('store', async (site) => ({
    body: { account: site.account, description: 'Of an example', scopes: ['api'] },
    async check({ token, id }: NewToken) {
      assert.match(token, HEX)
      assert.match(id, HEX)
      await site.json({ path: of(site), token })
      await site.json({ path: '/v1/tokens', token }, 403)
    }
  })),
  listTokens: row('store', async (site) => {
    const { id } = await addToken(site)
    return { query: { account: site.account, pageSize: '1000' }, check: listOf(site, id) }
  }),
  listAccountTokens: row('store', async (site) => {
    const { id } = await addToken(site)
    return { check: listOf(site, id) }
  }),
  showToken: row('store', async (site) => {
    const { id, token } = await addToken(site)
    return {
      params: { token: id },
      check(body, { text }) {
        assert.partialDeepStrictEqual(body, { id, account: site.account, scopes: ['api'] })
        assert.ok(!text.includes(token), 'the token is not shown again')
      }
    }
  }),
  removeToken: row('store', async (site) => {
    const { id, token } = await addToken(site)
    return {
      params: { token: id },
      async check(body) {
        assert.deepEqual(body, { deleted: true })
        await site.json({ path: of(site), token }, 401)
      }
    }
  }),
  tokenLog: row('store', async (site) => {
    const { id, token } = await addToken(site)
    await site.json({ method: 'POST', path: '/v1/settings', body: { tokenAuditLog: true } })
    await site.json({ path: of(site), token })
    return {
      params: { token: id },
      check: (body) =>
        assert.partialDeepStrictEqual(body, {
          total: 1,
          log: [{ method: 'GET', path: of(site), account: site.account, status: 'allowed' }]
        })
    }
  }),

  stats: row('store', async () => ({
    query: { seconds: '60' },
    check({ accounts, connections }: { accounts: number; connections: object }) {
      assert.ok(accounts >= 1)
      assert.ok('connected' in connections)
    }
  })),
  showLicense: row('nothing', async () => ({
    check: (body) => assert.partialDeepStrictEqual(body, { active: true, details: false })
  })),
  changeLicense: row('nothing', async () => ({
    body: { license: 'any text' },
    check: (body) => assert.partialDeepStrictEqual(body, { active: true, details: false })
  })),
  removeLicense: row('nothing', async () => ({
    check: (body) => assert.partialDeepStrictEqual(body, { active: true })
  })),
  metrics: row('store', async () => ({
    check(text: string, { headers }) {
      assert.match(headers.get('content-type') ?? '', /^text\/plain/)
      assert.match(text, /^# TYPE \w+ (?:gauge|counter)$/m)
    }
  }))
} satisfies Record<string, TableRow>
