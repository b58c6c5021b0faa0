import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { until } from '../support/delivery-receiver.ts'
import { ADMIN_TOKEN } from './mailbox-site.ts'
import { of, row, type TableRow, type TableSite } from './mailbox-table-row.ts'

/** Registers another account on the servers of the site. */
async function register(site: TableSite, more: object = {}): Promise<string> {
  const account = `table-${randomUUID()}`
  const body = { account, name: 'Another', imap: site.imap, smtp: site.smtp, ...more }
  const stored = await site.json({ method: 'POST', path: '/v1/account', body })
  assert.deepEqual(stored, { account, state: 'new' })
  return account
}

export const accountExamples = {
  addAccount: row('store', async (site) => {
    const account = `table-${randomUUID()}`
    const { imap, smtp } = site
    return {
      body: { account, name: 'Ada', email: 'ada@example.test', imap, smtp, copy: false },
      async check(body) {
        assert.deepEqual(body, { account, state: 'new' })
        const shown = await site.json({ path: `/v1/account/${account}` })
        assert.equal(shown.email, 'ada@example.test')
        assert.equal(shown.copy, false)
      }
    }
  }),
  showAccount: row('server', async (site) => {
    await site.json({ path: `${of(site)}/mailboxes` })
    // What watches the account connects by itself.
    const isConnected = async () =>
      /^(connected|syncing)$/.test(String((await site.json({ path: of(site) })).state))
    await until(isConnected, 'a connected account')
    return {
      query: { quota: 'true' },
      check({ account, state, imap, quota }: Record<string, never>, { text }) {
        assert.equal(account, site.account)
        // Its mailboxes may still be read for the first time.
        assert.match(String(state), /^(connected|syncing)$/)
        assert.partialDeepStrictEqual(imap, { auth: { user: site.imap.auth.user } })
        assert.ok(!text.includes(site.imap.auth.pass), 'the password is not shown')
        assert.notEqual(quota, undefined)
      }
    }
  }),
  changeAccount: row('store', async (site) => ({
    body: { name: 'Ada Lovelace', locale: 'en' },
    async check(body) {
      assert.deepEqual(body, { account: site.account })
      const { name, locale } = await site.json({ path: of(site) })
      assert.deepEqual({ name, locale }, { name: 'Ada Lovelace', locale: 'en' })
    }
  })),
  removeAccount: row('store', async (site) => {
    const account = await register(site)
    const { token } = await site.json<{ token: string }>({
      method: 'POST',
      path: '/v1/tokens',
      body: { account, description: 'Of an account that is removed' }
    })
    return {
      params: { account },
      token,
      async check(body) {
        assert.deepEqual(body, { account, deleted: true })
        await site.json({ path: `/v1/account/${account}` }, 404)
        await site.json({ path: `/v1/account/${account}`, token }, 401)
      }
    }
  }),
  listAccounts: row('store', async (site) => ({
    query: { pageSize: '1000', query: site.account },
    check({ total, accounts }: { total: number; accounts: { account: string }[] }) {
      assert.equal(total, 1)
      assert.deepEqual(
        accounts.map(({ account }) => account),
        [site.account]
      )
    }
  })),
  reconnect: row('server', async () => ({
    body: { reconnect: true },
    check: (body) => assert.deepEqual(body, { reconnect: true })
  })),
  sync: row('store', async () => ({
    body: { sync: true },
    check: (body) => assert.deepEqual(body, { sync: true })
  })),
  flush: row('store', async (site) => {
    const account = await register(site)
    return {
      params: { account },
      token: ADMIN_TOKEN,
      body: { flush: true, notifyFrom: '2026-01-02T03:04:05.000Z', imapIndexer: 'fast' },
      async check(body) {
        assert.deepEqual(body, { flush: true })
        const { notifyFrom, imapIndexer } = await site.json({ path: `/v1/account/${account}` })
        assert.deepEqual([notifyFrom, imapIndexer], ['2026-01-02T03:04:05.000Z', 'fast'])
      }
    }
  }),
  verifyAccount: row('server', async ({ imap, smtp }) => ({
    body: { mailboxes: true, imap, smtp },
    check(body: { mailboxes: { path: string }[] }) {
      assert.partialDeepStrictEqual(body, { imap: { success: true }, smtp: { success: true } })
      assert.ok(body.mailboxes.some(({ path }) => path === 'INBOX'))
    }
  })),
  autoconfig: row('nothing', async () => ({
    query: { email: 'someone@gmail.com' },
    check: (body) =>
      assert.partialDeepStrictEqual(body, {
        imap: { host: 'imap.gmail.com', port: 993, secure: true },
        smtp: { host: 'smtp.gmail.com' },
        appPassword: { required: true }
      })
  })),
  accountLog: row('server', async (site) => {
    await site.json({ method: 'PUT', path: of(site), body: { logs: true } })
    await site.json({ path: `${of(site)}/mailboxes` })
    return {
      check(log: string, { headers }) {
        assert.match(headers.get('content-type') ?? '', /^text\/plain/)
        assert.match(headers.get('content-disposition') ?? '', /^attachment/)
        assert.match(log, /LIST/)
        assert.ok(!log.includes(site.imap.auth.pass), 'the password is not in the log')
      }
    }
  })
} satisfies Record<string, TableRow>
