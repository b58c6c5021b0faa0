/** Accounts of the REST API, on the servers of the sandbox. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openImapServer } from '../support/imap-server.ts'
import { ADMIN_TOKEN, type NewAccount, type Sandbox, sandboxes } from './mailbox-site.ts'

export interface ShownAccount {
  account: string
  name: string
  state: string
  type: string
  imap?: { host: string; port: number; auth?: object | false; [key: string]: unknown } | false
  smtp?: { host: string; auth?: object | false; [key: string]: unknown } | false
  lastError: { response: string; serverResponseCode?: string } | null
  [key: string]: unknown
}

const admin = { token: ADMIN_TOKEN }
const SECRET = 'a-password-nobody-may-see'

function show(sandbox: Sandbox, id: string, query = ''): Promise<ShownAccount> {
  return sandbox.json({ path: `/v1/account/${encodeURIComponent(id)}${query}`, ...admin })
}

async function untilState(sandbox: Sandbox, id: string, wanted: string): Promise<ShownAccount> {
  for (let tried = 0; tried < 600; tried++) {
    const account = await show(sandbox, id)
    if (account.state === wanted) return account
    await wait(50)
  }
  return assert.fail(`${id} is never ${wanted}: ${JSON.stringify(await show(sandbox, id))}`)
}

function register(sandbox: Sandbox, body: object, status = 200) {
  return sandbox.json<{ account: string; state: string }>(
    { method: 'POST', path: '/v1/account', body, ...admin },
    status
  )
}

/** Settings of the sandbox for an account that the service takes for any other. */
function serversOf({ imap, smtp }: NewAccount) {
  return { imap, smtp }
}

sandboxes('accounts', {}, (sandbox) => {
  test('a registered account connects by itself; no response has its secrets', async () => {
    const there = await sandbox().account()
    const body = { account: null, name: 'Ada', email: 'Ada@Example.org', ...serversOf(there) }
    const { account: id, state } = await register(sandbox(), body)
    assert.match(id, /^[\w-]{21}$/)
    assert.equal(state, 'new')
    const shown = await untilState(sandbox(), id, 'connected')
    assert.deepEqual(
      { ...shown, connections: 1, counters: {}, syncTime: '', notifyFrom: '' },
      {
        account: id,
        name: 'Ada',
        email: 'Ada@Example.org',
        logs: false,
        notifyFrom: '',
        path: ['*'],
        imapIndexer: 'full',
        subconnections: [],
        imap: { ...there.imap, auth: { user: there.address, pass: '******' } },
        smtp: { ...there.smtp, auth: { user: there.address, pass: '******' } },
        state: 'connected',
        smtpStatus: null,
        connections: 1,
        type: 'imap',
        counters: {},
        syncTime: '',
        lastError: null
      }
    )
    assert.ok(Date.parse(String(shown.syncTime)) > 0)
    assert.ok(Math.abs(Date.now() - Date.parse(String(shown.notifyFrom))) < 60_000)
    const list = await sandbox().ask({ path: '/v1/accounts?pageSize=1000', ...admin })
    assert.equal(list.text.includes(there.imap.auth.pass), false)
    assert.ok(list.text.includes(id))
  })

  test('the sandbox is an account from the start, with its own token', async () => {
    const { account: id, token, address, imap } = await sandbox().account({ name: 'Bob' })
    const path = `/v1/account/${id}`
    const shown = await sandbox().json<ShownAccount>({ path, token })
    assert.equal(shown.type, 'imap')
    assert.equal(shown.email, address)
    assert.deepEqual(shown.imap, { ...imap, auth: { user: address, pass: '******' } })
    const { accounts } = await sandbox().json<{ accounts: ShownAccount[] }>({
      path: '/v1/accounts',
      token
    })
    assert.deepEqual(
      accounts.map(({ account }) => account),
      [id]
    )
    await untilState(sandbox(), id, 'connected')
    assert.equal((await show(sandbox(), id, '?quota=true')).quota, false)
  })

  test('an account of the sandbox keeps its servers and its address', async () => {
    const { account: id, address, imap, token } = await sandbox().account()
    const message = 'cannot be changed: the account is one of the sandbox'
    const changes: [object, string][] = [
      [{ imap }, 'imap'],
      [{ imap: false }, 'imap'],
      [{ smtp: false }, 'smtp'],
      [{ oauth2: false }, 'oauth2'],
      [{ email: 'other@example.org' }, 'email']
    ]
    for (const [change, key] of changes) {
      const body = { account: id, name: 'X', ...change }
      for (const request of [
        { method: 'POST', path: '/v1/account', body, ...admin },
        { method: 'PUT', path: `/v1/account/${id}`, body: change, token }
      ]) {
        const { fields } = await sandbox().json<{ fields: unknown }>(request, 400)
        assert.deepEqual(fields, [{ key, message }])
      }
    }
    const body = { name: 'Renamed', email: address, copy: false, locale: 'de', tz: 'Europe/Berlin' }
    await sandbox().json({ method: 'PUT', path: `/v1/account/${id}`, body, token })
    const { name, email, copy, locale, tz } = await show(sandbox(), id)
    assert.deepEqual({ name, email, copy, locale, tz }, body)
    const there = await sandbox().json({ path: `/v1/sandbox/accounts/${id}`, token })
    assert.equal(there.name, 'Renamed')
  })

  test('what is watched of an account is stored, and shown as it is compared', async () => {
    const { account: id, token } = await sandbox().account()
    const change = async (body: object) => {
      await sandbox().json({ method: 'PUT', path: `/v1/account/${id}`, body, token })
      const { path, subconnections, notifyFrom, imapIndexer } = await show(sandbox(), id)
      return { path, subconnections, notifyFrom, imapIndexer }
    }
    const { notifyFrom: registered } = await show(sandbox(), id)
    const changed = {
      path: ['INBOX', '\\Sent', 'Projects/Über'],
      subconnections: ['\\Sent'],
      notifyFrom: '2026-01-31T22:00:00.000Z',
      imapIndexer: 'fast'
    }
    assert.deepEqual(
      await change({
        path: ['inbox', '\\SENT', 'Projects/Über', 'Inbox', '\\sent'],
        subconnections: '\\sent',
        notifyFrom: '2026-02-01T00:00:00+02:00',
        imapIndexer: 'fast'
      }),
      changed
    )
    assert.deepEqual(await change({ name: 'Another name' }), changed)
    assert.deepEqual(
      await change({
        path: ['*', 'INBOX'],
        subconnections: [],
        notifyFrom: null,
        imapIndexer: null
      }),
      { path: ['*'], subconnections: [], notifyFrom: registered, imapIndexer: 'full' }
    )
  })

  test('an existing id is changed: blocks are replaced, or merged with partial', async () => {
    const { imap } = await sandbox().account()
    const id = 'merge me'
    const path = `/v1/account/${encodeURIComponent(id)}`
    await register(sandbox(), { account: id, name: 'One', imap, copy: true })
    const again = await register(sandbox(), { account: id, name: 'Two', locale: 'et' })
    assert.deepEqual(again, { account: id, state: 'existing' })
    const { name, copy, locale, imap: kept } = await show(sandbox(), id)
    assert.deepEqual({ name, copy, locale }, { name: 'Two', copy: true, locale: 'et' })
    assert.deepEqual(kept, { ...imap, auth: { user: imap.auth.user, pass: '******' } })

    const change = async (body: object) => {
      const changed = await sandbox().json({ method: 'PUT', path, body, ...admin })
      assert.deepEqual(changed, { account: id })
      return show(sandbox(), id)
    }
    const merged = await change({ imap: { partial: true, sentMailPath: 'Gesendet' }, copy: null })
    assert.equal(merged.copy, null)
    assert.deepEqual(merged.imap, {
      ...imap,
      auth: { user: imap.auth.user, pass: '******' },
      sentMailPath: 'Gesendet'
    })
    // The stored password is still there.
    await untilState(sandbox(), id, 'connected')
    const replaced = await change({ imap })
    assert.deepEqual(replaced.imap, { ...imap, auth: { user: imap.auth.user, pass: '******' } })
    const sending = await change({
      imap: false,
      smtp: { host: 'SMTP.Example.org', port: 25, auth: false }
    })
    assert.deepEqual(
      [sending.imap, sending.smtp, sending.type, sending.sendOnly, sending.state],
      [
        false,
        { auth: false, host: 'smtp.example.org', port: 25, secure: false },
        'sending',
        true,
        'unset'
      ]
    )
    const disabled = await change({ imap: { ...imap, disabled: true } })
    assert.deepEqual([disabled.state, disabled.type], ['unset', 'sending'])
    const empty = await change({ smtp: false, imap: false })
    assert.deepEqual([empty.state, empty.type, empty.sendOnly], ['unset', 'invalid', undefined])
  })

  test('a wrong password is a state; new credentials and reconnect try again', async () => {
    const { imap, address } = await sandbox().account()
    const id = 'wrong-password'
    const wrong = { ...imap, auth: { user: address, pass: SECRET } }
    await register(sandbox(), { account: id, name: '', imap: wrong })
    const { lastError } = await untilState(sandbox(), id, 'authenticationError')
    assert.match(lastError?.serverResponseCode ?? '', /AUTHENTICATIONFAILED/)
    const reconnect = (value: boolean) =>
      sandbox().json({
        method: 'PUT',
        path: `/v1/account/${id}/reconnect`,
        body: { reconnect: value },
        ...admin
      })
    assert.deepEqual(await reconnect(false), { reconnect: false })
    // It tries again by itself meanwhile.
    await untilState(sandbox(), id, 'authenticationError')
    assert.deepEqual(await reconnect(true), { reconnect: true })
    await untilState(sandbox(), id, 'authenticationError')
    const body = { imap: { partial: true, auth: { pass: imap.auth.pass } } }
    await sandbox().json({ method: 'PUT', path: `/v1/account/${id}`, body, ...admin })
    const fixed = await untilState(sandbox(), id, 'connected')
    assert.equal(fixed.lastError, null)
    const { text } = await sandbox().ask({ path: '/v1/accounts?pageSize=1000', ...admin })
    assert.equal(text.includes(SECRET), false)
  })

  test('a change of a name keeps the connection; one of the server closes it', async () => {
    const { account: id, imap } = await sandbox().account()
    await register(sandbox(), { account: `kept ${id}`, name: '', imap })
    const before = await untilState(sandbox(), `kept ${id}`, 'connected')
    assert.equal(before.connections, 1)
    const change = (body: object) =>
      sandbox().json({ method: 'PUT', path: `/v1/account/kept%20${id}`, body, ...admin })
    await change({ name: 'Renamed', copy: true, imap: { partial: true } })
    const renamed = await show(sandbox(), `kept ${id}`)
    assert.deepEqual([renamed.connections, renamed.state], [1, 'connected'])
    await change({ imap: { partial: true, disabled: true } })
    const disabled = await show(sandbox(), `kept ${id}`)
    assert.deepEqual([disabled.connections, disabled.state], [0, 'unset'])
    const { code, state } = await sandbox().json(
      { path: `/v1/account/kept%20${id}/mailboxes`, ...admin },
      503
    )
    assert.deepEqual([code, state], ['NotSyncing', 'unset'])
  })

  test('the quota of a mail server is told; one that says NO tells none', async () => {
    await using server = await openImapServer()
    const imap = { host: '127.0.0.1', port: server.port, auth: { user: 'u', pass: 'right' } }
    await register(sandbox(), { account: 'quota', name: '', imap })
    const capability = '* CAPABILITY IMAP4rev1 QUOTA\r\n'
    const answers: [roots: string, status: string, quota: unknown][] = [
      [
        '* QUOTAROOT INBOX ""\r\n* QUOTA "" (STORAGE 10 100)\r\n',
        'OK done',
        { usage: 10_240, limit: 102_400, status: '10%' }
      ],
      ['* QUOTAROOT INBOX ""\r\n* QUOTA "" (MESSAGE 1 2)\r\n', 'OK done', false],
      ['', 'NO [NONEXISTENT] no such mailbox', false]
    ]
    for (const [roots, status, quota] of answers) {
      server.behave(({ name, tag }) => {
        if (name === 'CAPABILITY') return `${capability}${tag} OK done\r\n`
        return name === 'GETQUOTAROOT' ? `${roots}${tag} ${status}\r\n` : undefined
      })
      await sandbox().json({
        method: 'PUT',
        path: '/v1/account/quota/reconnect',
        body: { reconnect: true },
        ...admin
      })
      assert.deepEqual((await show(sandbox(), 'quota', '?quota=true')).quota, quota, roots)
    }
  })

  test('lists have pages, states and searches', async () => {
    for (const [account, name] of [
      ['list-1', 'Ärger 100%'],
      ['list-2', 'List_Two'],
      ['list-3', 'list three']
    ]) {
      await register(sandbox(), { account, name, email: `${account}@EXAMPLE.org` })
    }
    const list = (query: string) =>
      sandbox().json<{ accounts: ShownAccount[]; total: number; [key: string]: unknown }>({
        path: `/v1/accounts?${query}`,
        ...admin
      })
    const { accounts, ...rest } = await list('query=LIST-&page=1&pageSize=2&state=unset')
    assert.deepEqual(rest, { total: 3, page: 1, pages: 2, query: 'LIST-', state: 'unset' })
    assert.deepEqual(accounts, [
      {
        account: 'list-3',
        name: 'list three',
        email: 'list-3@EXAMPLE.org',
        type: 'invalid',
        state: 'unset',
        counters: { events: { accountAdded: 1 } },
        lastError: null
      }
    ])
    const found: [string, string[]][] = [
      ['ÄRGER', ['list-1']],
      ['100%', ['list-1']],
      ['list_t', ['list-2']],
      ['list-2@example', ['list-2']],
      ['%', ['list-1']],
      ['\\', []]
    ]
    for (const [query, ids] of found) {
      const { accounts } = await list(`query=${encodeURIComponent(query)}`)
      assert.deepEqual(
        accounts.map(({ account }) => account),
        ids,
        query
      )
    }
    assert.equal((await list('query=')).query, false)
    assert.equal((await list('page=1048576&pageSize=1000')).accounts.length, 0)
  })

  test('ids may have any visible characters; some are reserved', async () => {
    const ids = ['a/b', 'ä ö', 'x?y#z', '%41', "'; drop table accounts", 'x'.repeat(256), '😀', '-']
    for (const id of ids) {
      assert.deepEqual(await register(sandbox(), { account: id, name: '' }), {
        account: id,
        state: 'new'
      })
      assert.equal((await show(sandbox(), id)).account, id)
      const path = `/v1/account/${encodeURIComponent(id)}`
      const removed = await sandbox().json({ method: 'DELETE', path, ...admin })
      assert.deepEqual(removed, { account: id, deleted: true })
    }
    for (const id of ['', '*', 'caught', '.', '..', ' a', 'a ', 'a\0b', 'a\nb', 'x'.repeat(257)]) {
      const { fields } = await sandbox().json<{ fields: { key: string }[] }>(
        { method: 'POST', path: '/v1/account', body: { account: id, name: '' }, ...admin },
        400
      )
      assert.deepEqual(
        fields.map(({ key }) => key),
        ['account'],
        JSON.stringify(id)
      )
    }
    await sandbox().json({ path: '/v1/account/a%00b', ...admin }, 404)
    const number = await register(sandbox(), { account: 12, name: 5 })
    assert.deepEqual(number, { account: '12', state: 'new' })
  })

  test('an id is of one account, in the sandbox or elsewhere', async () => {
    await register(sandbox(), { account: 'elsewhere', name: 'First' })
    const body = { account: 'elsewhere' }
    await sandbox().json({ method: 'POST', path: '/v1/sandbox/accounts', body, ...admin }, 409)
    assert.equal((await show(sandbox(), 'elsewhere')).name, 'First')
    await sandbox().json({ path: '/v1/sandbox/accounts/elsewhere', ...admin }, 404)
  })

  test('concurrent requests make one account and keep all changes', async () => {
    const id = 'concurrent'
    const made = await Promise.all(
      Array.from({ length: 10 }, () => register(sandbox(), { account: id, name: 'x' }))
    )
    assert.equal(made.filter(({ state }) => state === 'new').length, 1)
    const changes = [{ copy: true }, { logs: true }, { locale: 'et' }, { tz: 'UTC' }, { name: 'y' }]
    const path = `/v1/account/${id}`
    await Promise.all(
      changes.map((body) => sandbox().json({ method: 'PUT', path, body, ...admin }))
    )
    const { copy, logs, locale, tz, name } = await show(sandbox(), id)
    assert.deepEqual({ copy, logs, locale, tz, name }, Object.assign({}, ...changes))
  })
})
