/** Settings, queues, numbers and metrics. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Nonet, start } from '../../src/host/start.ts'
import { until } from '../support/delivery-receiver.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { ADMIN_TOKEN, type Asked, sandboxes, sandboxOf } from './mailbox-site.ts'

const ON_POSTGRES = { skip: !ENGINES.includes('postgres') }

const LATER = new Date(Date.now() + 3_600_000).toISOString()
const SETTINGS = '/v1/settings'
const DEFAULTS = {
  deliveryAttempts: 10,
  queueKeep: 0,
  smtpEhloName: null,
  ignoreMailCertErrors: false,
  logs: { all: false, maxLogLines: 10_000 },
  locale: null,
  timezone: null,
  serviceUrl: null,
  serviceSecret: false,
  tokenAuditLog: false,
  disableTokens: null
}
const ALL = `${SETTINGS}?${Object.keys(DEFAULTS)
  .map((name) => `${name}=true`)
  .join('&')}`

interface Invalid {
  fields: { key: string; message: string }[]
}

sandboxes('I-6, settings, queues and numbers', { allowedHost: ['mail.example'] }, (sandbox) => {
  const ask = (request: Asked) => sandbox().ask({ token: ADMIN_TOKEN, ...request })
  const json = <T = Record<string, unknown>>(request: Asked, status?: number) =>
    sandbox().json<T>({ token: ADMIN_TOKEN, ...request }, status)
  const change = (body: unknown, status?: number) =>
    json<Invalid>({ method: 'POST', path: SETTINGS, body }, status)

  test('settings have defaults, are stored, and null restores the default', async () => {
    assert.deepEqual(await json({ path: SETTINGS }), {})
    assert.deepEqual(await json({ path: ALL }), DEFAULTS)
    const changed = {
      deliveryAttempts: '3',
      queueKeep: 7,
      smtpEhloName: 'mail.example.org',
      ignoreMailCertErrors: 'true',
      logs: { all: true },
      locale: 'et',
      timezone: 'Europe/Tallinn',
      serviceUrl: 'https://mail.example.org',
      serviceSecret: 'a secret of the test'
    }
    assert.deepEqual(await change(changed), { updated: Object.keys(changed) })
    assert.deepEqual(await json({ path: ALL }), {
      ...DEFAULTS,
      ...changed,
      deliveryAttempts: 3,
      ignoreMailCertErrors: true,
      logs: { all: true, maxLogLines: 10_000 },
      serviceSecret: true
    })
    assert.deepEqual(await json({ path: `${SETTINGS}?locale=true&timezone=false` }), {
      locale: 'et'
    })
    await change(Object.fromEntries(Object.keys(changed).map((name) => [name, null])), 400)
    const { logs: _, ...others } = changed
    await change(Object.fromEntries(Object.keys(others).map((name) => [name, null])))
    await change({ logs: {} })
    assert.deepEqual(await json({ path: ALL }), DEFAULTS)
  })

  test('wrong settings are rejected all at once, with a sentence each, and none is stored', async () => {
    const wrong: Record<string, unknown> = {
      deliveryAttempts: 0,
      queueKeep: -1,
      smtpEhloName: 'a b\r\nRCPT',
      ignoreMailCertErrors: 'perhaps',
      logs: { all: true, maxLogLines: 1e9 },
      serviceSecret: '********',
      notifyText: 'perhaps',
      unheardOf: 1
    }
    const { fields } = await change({ ...wrong, locale: 'en' }, 400)
    const keys = [...new Set(fields.map(({ key }) => key))]
    const expected = Object.keys(wrong).map((key) => (key === 'logs' ? 'logs.maxLogLines' : key))
    assert.deepEqual(keys.toSorted(), expected.toSorted())
    const rules: [key: string, values: string[]][] = [
      ['locale', ['no locale', '', 'x'.repeat(101)]],
      ['timezone', ['Mars/Olympus', '']],
      ['serviceUrl', ['ftp://x', 'https://user:pass@example.org', 'example.org', 'javascript:1']],
      ['serviceSecret', ['******', 'true', 'x'.repeat(1025)]],
      ['webhooks', ['ftp://example.org', 'example.org', 'https://u:******@example.org/']]
    ]
    for (const [key, values] of rules) {
      for (const value of values) {
        const rejected = await change({ [key]: value, queueKeep: 9 }, 400)
        assert.equal(rejected.fields[0]?.key, key, value)
      }
    }
    assert.deepEqual(await json({ path: ALL }), DEFAULTS)
    for (const body of ['[]', '"x"', '{', 'null', '{"__proto__":{"locale":"en"}}']) {
      const headers = { 'content-type': 'application/json' }
      const { status } = await ask({ method: 'POST', path: SETTINGS, body, headers })
      assert.equal(status, 400, body)
    }
    for (const name of ['__proto__', 'constructor', 'toString']) {
      await json({ path: `${SETTINGS}?${name}=true` }, 400)
    }
    await json({ path: `${SETTINGS}?locale=maybe` }, 400)
  })

  test('the queue of sent messages is paused and resumed; other queues have a sentence', async () => {
    const path = '/v1/settings/queue/submit'
    const jobs = { active: 0, delayed: 0, waiting: 0, paused: 0 }
    assert.deepEqual(await json({ path }), { queue: 'submit', jobs, paused: false })
    const paused = await json({ method: 'PUT', path, body: { paused: true } })
    assert.deepEqual(paused, { queue: 'submit', jobs, paused: true })
    await json({ method: 'PUT', path, body: { paused: true } })
    const { account, token } = await sandbox().account()
    const to = { address: 'someone@example.test' }
    const submit = { method: 'POST', path: `/v1/account/${account}/submit`, token }
    await json({ ...submit, body: { to, subject: 'Now', text: 'x' } })
    await json({ ...submit, body: { to, subject: 'Later', sendAt: LATER } })
    await delay(500)
    const waiting = await json<{ jobs: Record<string, number> }>({ path })
    assert.deepEqual(waiting, {
      queue: 'submit',
      jobs: { ...jobs, delayed: 1, waiting: 1 },
      paused: true
    })
    const { queues } = await json<{ queues: object }>({ path: '/v1/stats' })
    assert.deepEqual(queues, {
      submit: { ...jobs, delayed: 1, waiting: 1, isPaused: true, total: 2 },
      notify: { ...jobs, isPaused: false, total: 0 }
    })
    await json({ method: 'PUT', path, body: { paused: false } })
    const wait = '/v1/sandbox/wait?to=someone@example.test&subject=Now&timeout=60'
    await json({ path: wait })
    // The event is counted after the copy among the sent mail was stored.
    const isCounted = async () =>
      (await ask({ path: '/metrics' })).text.includes('"messageSent"} 1')
    await until(isCounted, 'the event of the sent message')
    const { message } = await json({ path: '/v1/settings/queue/documents' }, 404)
    assert.match(String(message), /^There is no document store/)
    const unknown = await json({ path: '/v1/settings/queue/constructor' }, 404)
    assert.equal(unknown.code, 'QueueNotFound')
    await json({ method: 'PUT', path, body: {} }, 400)
    await json({ method: 'PUT', path, body: { paused: 'yes' } }, 400)
  })

  test('numbers of accounts, events and queues', async () => {
    const stats = await json<Record<string, Record<string, number>>>({
      path: '/v1/stats?seconds=600'
    })
    const { total } = await json({ path: '/v1/accounts?pageSize=1' })
    assert.equal(stats.accounts, total)
    const states = Object.values(stats.connections ?? {})
    assert.equal(
      states.reduce((sum, count) => sum + count, 0),
      total
    )
    assert.equal(stats.counters?.['events:messageSent'], 1)
    assert.equal(stats.license, 'nonet (MIT)')
    assert.equal(stats.connections?.unassigned, 0)
    assert.match(String(stats.imapflow), /^\d+\.\d+\.\d+$/)
    for (const seconds of ['0', '59', '86401', 'x']) {
      await json({ path: `/v1/stats?seconds=${seconds}` }, 400)
    }
    const metrics = await ask({ path: '/metrics' })
    assert.equal(metrics.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    assert.match(metrics.text, /^events\{event="messageSent"\} 1$/m)
    assert.match(metrics.text, /^queue_size\{queue="submit",state="delayed"\} 1$/m)
    assert.match(metrics.text, /^imap_connections\{status="connected"\} \d+$/m)
    assert.doesNotMatch(metrics.text, /NaN|undefined|\n\n/)
    const head = await ask({ method: 'HEAD', path: '/metrics' })
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
  })

  test('metrics need their scope, which API tokens lack', async () => {
    const { account } = await sandbox().account()
    const add = (body: object) =>
      json<{ token: string }>({ method: 'POST', path: '/v1/tokens', body })
    const permissions = { groups: ['diagnostics', 'account'] }
    const both = { description: 'x', scopes: '*', permissions }
    const cases: [body: object, metrics: number, stats: number][] = [
      [{ description: 'x', scopes: ['metrics'], permissions }, 200, 403],
      [both, 200, 200],
      [{ description: 'x', scopes: ['api'], permissions }, 403, 200],
      [{ description: 'x', scopes: ['metrics'], account }, 403, 403]
    ]
    for (const [body, metrics, stats] of cases) {
      const { token } = await add(body)
      assert.equal((await ask({ path: '/metrics', token })).status, metrics, JSON.stringify(body))
      assert.equal((await ask({ path: '/v1/stats', token })).status, stats, JSON.stringify(body))
    }
    const { token } = await add({ description: 'x', scopes: ['metrics'], permissions })
    const denied = await json({ path: '/v1/accounts', token }, 403)
    assert.deepEqual(
      [denied.code, denied.message, denied.requestedScope],
      ['UnauthorizedScope', 'Unauthorized scope', 'api']
    )
  })

  test('the licence is a stub that changes nothing', async () => {
    const license = { active: true, type: 'nonet (MIT)', details: false }
    assert.deepEqual(await json({ path: '/v1/license' }), license)
    const body = { license: '-----BEGIN LICENSE-----' }
    assert.deepEqual(await json({ method: 'POST', path: '/v1/license', body }), license)
    assert.deepEqual(await json({ method: 'DELETE', path: '/v1/license' }), license)
  })
})

test('I-6, processes with the same tables have the same settings', ON_POSTGRES, async () => {
  await using database = await temporaryDatabase()
  using folder = temporaryFolder()
  const options = {
    ...{ services: ['mailbox'] as const, adminToken: ADMIN_TOKEN },
    ...{ database: database.url, data: folder.path }
  }
  await using one: Nonet<'mailbox'> = await start(options)
  await using two: Nonet<'mailbox'> = await start(options)
  const [first, second] = [sandboxOf(one), sandboxOf(two)]
  const path = `${SETTINGS}?locale=true&serviceSecret=true`
  await second.json({ path })
  const body = { locale: 'de', serviceSecret: 'a secret of two' }
  await first.json({ method: 'POST', path: SETTINGS, body })
  assert.deepEqual(await first.json({ path }), { locale: 'de', serviceSecret: true })
  await delay(1100)
  assert.deepEqual(await second.json({ path }), { locale: 'de', serviceSecret: true })
})
