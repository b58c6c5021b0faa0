/** Accounts of the REST API: data of earlier releases, limits and other processes. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Nonet, start } from '../../src/host/start.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { insertRow, query } from '../../src/kernel/database/transaction.ts'
import { migrations } from '../../src/services/mailbox/store/migrations.ts'
import { ADMIN_TOKEN, sandboxOf } from '../contract/mailbox-site.ts'
import { ENGINES, engineOptions, temporaryDatabase, temporaryPlace } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'

/** Of the release that had only the sandbox. */
const SANDBOX_MIGRATIONS = 4
const OPTIONS = { services: ['mailbox'], adminToken: ADMIN_TOKEN } as const

for (const engine of ENGINES) {
  test(`accounts of the sandbox of the release before are accounts, on ${engine}`, async () => {
    await using place = temporaryPlace(engine)
    const service = 'mailbox'
    const before = await openDatabase(place, {
      service,
      migrations: migrations.slice(0, SANDBOX_MIGRATIONS)
    })
    await before.write(function* () {
      for (const id of ['ada', 'bob']) {
        yield* insertRow('sandbox_accounts', {
          ...{ id, address: `${id}@sandbox.test`, name: `Name of ${id}`, password: 'sealed' },
          ...{ created_at: 1_700_000_000_000, messages: 0, bytes: 0 }
        })
      }
    })
    await before.close()
    const database = await openDatabase(place, { service, migrations })
    const rows = await database.read(() =>
      query<Record<string, unknown>>('select * from accounts order by id')
    )
    assert.deepEqual(
      rows.map(({ id, name, email, search, state, is_sandbox, secrets }) => ({
        ...{ id, name, email, search, state, is_sandbox, secrets }
      })),
      ['ada', 'bob'].map((id) => ({
        id,
        name: `Name of ${id}`,
        email: `${id}@sandbox.test`,
        search: `${id} name of ${id} ${id}@sandbox.test`,
        state: 'init',
        is_sandbox: 1,
        secrets: null
      }))
    )
    await database.close()
  })

  test(`accounts that were there before changes were reported report mail from now on, on ${engine}`, async () => {
    await using place = temporaryPlace(engine)
    const service = 'mailbox'
    const created = migrations.findIndex((migration) =>
      JSON.stringify(migration).includes('create table watched_accounts')
    )
    const before = await openDatabase(place, { service, migrations: migrations.slice(0, created) })
    await before.write(function* () {
      for (const [id, is_sandbox] of [
        ['far', 0],
        ['near', 1]
      ] as const) {
        yield* insertRow('accounts', {
          ...{ id, name: id, email: null, is_sandbox, settings: '{}', secrets: null, search: id },
          ...{ state: 'init', state_at: 1, egress: 'any', revision: 1, created_at: 1 }
        })
      }
    })
    await before.close()
    const earliest = Date.now() - 1000
    const database = await openDatabase(place, { service, migrations })
    const rows = await database.read(() =>
      query<{ account: string; initialized_at: number | null; details: string }>(
        'select account, initialized_at, details from watched_accounts'
      )
    )
    assert.deepEqual(
      rows.map(({ account, initialized_at }) => [account, initialized_at]),
      [['far', null]]
    )
    const { wantedFrom } = JSON.parse(rows[0]?.details ?? '')
    assert.ok(wantedFrom >= earliest && wantedFrom <= Date.now(), `${wantedFrom}`)
    await database.close()
  })

  test(`a state of an earlier process reads as init, on ${engine}`, async () => {
    using folder = temporaryFolder()
    const options = { ...OPTIONS, data: folder.path, ...engineOptions(engine) }
    const first = await start(options)
    const { account } = await sandboxOf(first).account()
    await untilState(first, account, 'connected')
    const { total } = await sandboxOf(first).json({ path: '/v1/accounts?state=connected' })
    assert.equal(total, 1)
    await first.stop()
    await using second = await start(options)
    const list = (query: string) =>
      sandboxOf(second).json<{ total: number; accounts: { state: string }[] }>({
        path: `/v1/accounts?${query}`
      })
    assert.equal((await list('state=connected')).total, 0)
    assert.deepEqual(
      (await list('state=init')).accounts.map(({ state }) => state),
      ['init']
    )
    // To look at it is to touch it.
    await untilState(second, account, 'connected')
    await sandboxOf(second).json({ method: 'DELETE', path: `/v1/account/${account}` })
  })
}

async function untilState(nonet: Nonet<'mailbox'>, id: string, wanted: string): Promise<void> {
  for (let tried = 0; tried < 600; tried++) {
    const { state } = await sandboxOf(nonet).json({ path: `/v1/account/${id}` })
    if (state === wanted) return
    await wait(50)
  }
  assert.fail(`${id} is never ${wanted}`)
}

test('two processes on PostgreSQL share accounts, their changes and their removal', async () => {
  await using database = await temporaryDatabase()
  using folder = temporaryFolder()
  const options = { ...OPTIONS, database: database.url, data: folder.path }
  await using first = await start(options)
  await using second = await start(options)
  const [a, b] = [sandboxOf(first), sandboxOf(second)]
  const { imap } = await a.account()
  const path = '/v1/account/shared'
  await a.json({ method: 'POST', path: '/v1/account', body: { account: 'shared', name: '', imap } })
  await untilState(first, 'shared', 'connected')
  assert.equal((await b.json({ path })).state, 'connected')
  assert.equal((await b.json({ path: '/v1/account/shared/mailboxes' })).error, undefined)
  // A wrong password that one process stores is the next one of the other, too.
  const body = { imap: { partial: true, auth: { pass: 'wrong' } } }
  await b.json({ method: 'PUT', path, body })
  await untilState(second, 'shared', 'authenticationError')
  const { state } = await a.json({ path: '/v1/account/shared/mailboxes' }, 503)
  assert.equal(state, 'authenticationError')
  await Promise.all(
    [{ copy: true }, { locale: 'et' }, { tz: 'UTC' }, { logs: true }, { name: 'n' }].map(
      (change, index) => (index % 2 ? a : b).json({ method: 'PUT', path, body: change })
    )
  )
  const { copy, locale, tz, logs, name } = await a.json({ path })
  assert.deepEqual([copy, locale, tz, logs, name], [true, 'et', 'UTC', true, 'n'])
  await a.json({ method: 'DELETE', path })
  await b.json({ path }, 404)
  await b.json({ path: '/v1/account/shared/mailboxes' }, 404)
})

test('there are at most 100,000 accounts; lists and searches of them work', async () => {
  using folder = temporaryFolder()
  const options = { ...OPTIONS, data: folder.path }
  await (await start(options)).stop()
  const file = new DatabaseSync(join(folder.path, 'mailbox.sqlite'))
  file.exec(`insert into accounts (id, name, is_sandbox, settings, search, state, state_at, egress,
      revision, created_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 99999)
    select 'a' || i, '', 0, '{}', 'a' || i, 'unset', 0, 'any', 1, 1 from n`)
  file.close()
  await using nonet = await start(options)
  const { json } = sandboxOf(nonet)
  const add = (account: string, status = 200) =>
    json({ method: 'POST', path: '/v1/account', body: { account, name: '' } }, status)
  await add('the last')
  const { code } = await add('one more', 409)
  assert.equal(code, 'AccountLimitReached')
  assert.deepEqual(await add('a5'), { account: 'a5', state: 'existing' })
  const { total, pages } = await json({ path: '/v1/accounts?page=99&pageSize=1000' })
  assert.deepEqual([total, pages], [100_000, 100])
  assert.equal((await json({ path: '/v1/accounts?query=a9999' })).total, 11)
  await json({ method: 'DELETE', path: '/v1/account/a5' })
  await add('one more')
})
