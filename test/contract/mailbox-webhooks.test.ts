/** Deliveries of events: headers, signatures, receivers, errors and the queue. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { until } from '../support/delivery-receiver.ts'
import {
  type EventDelivery,
  type EventReceiver,
  openEventReceiver
} from '../support/event-receiver.ts'
import { type Sandbox, sandboxes } from './mailbox-site.ts'

const SECRET = 'the secret of this test'
const OFF = {
  webhooksEnabled: false,
  webhooks: null,
  webhooksCustomHeaders: null
}

sandboxes('I-6, webhooks', {}, (sandbox) => {
  const json: Sandbox['json'] = (request, status) => sandbox().json(request, status)
  const change = (body: object, status = 200) =>
    json<{ fields?: { key: string; message: string }[] }>(
      { method: 'POST', path: '/v1/settings', body },
      status
    )
  const read = (...names: string[]) =>
    json({ path: `/v1/settings?${names.map((name) => `${name}=true`).join('&')}` })
  const queue = () =>
    json<{ jobs: Record<string, number>; paused: boolean }>({ path: '/v1/settings/queue/notify' })
  const pause = (paused: boolean) =>
    json({ method: 'PUT', path: '/v1/settings/queue/notify', body: { paused } })
  const isEmpty = async () => {
    const { active = 0, delayed = 0, waiting = 0 } = (await queue()).jobs
    return active + delayed + waiting === 0
  }
  const remove = (account: string) => json({ method: 'DELETE', path: `/v1/account/${account}` })

  let accounts = 0
  /** A registration is an event. */
  async function register(fields: object = {}): Promise<string> {
    const account = `account ${accounts++}`
    await json({ method: 'POST', path: '/v1/account', body: { account, name: 'Ada', ...fields } })
    return account
  }

  /** Deliveries of an account, once there are so many. */
  async function arrived(receiver: EventReceiver, account: string, count = 1) {
    const found = () => receiver.deliveries.filter(({ body }) => body.account === account)
    await until(() => found().length >= count, `${count} deliveries of ${account}`)
    assert.equal(found().length, count)
    return found()
  }

  async function one(receiver: EventReceiver, account: string): Promise<EventDelivery> {
    const [delivery] = await arrived(receiver, account)
    assert.ok(delivery !== undefined)
    return delivery
  }

  /** Waiting deliveries are tried again at once when the receiver is set again. */
  async function retry(receiver: EventReceiver): Promise<void> {
    await until(async () => (await queue()).jobs.active === 0, 'the end of the attempt')
    await change({ webhooks: receiver.url })
  }

  test('a delivery has the headers of EmailEngine and two signatures of its bytes', async () => {
    await using receiver = await openEventReceiver()
    assert.deepEqual(await read('serviceSecret'), { serviceSecret: false })
    await change({ webhooksEnabled: true, webhooks: receiver.url })
    const first = await one(receiver, await register())
    assert.deepEqual(await read('serviceSecret'), { serviceSecret: true }, 'one was made')
    assert.ok(first.headers['x-ee-wh-signature'])
    await change({ serviceSecret: SECRET })
    const account = await register({ name: 'Grüße 💌' })
    const { headers, text, body, id } = await one(receiver, account)
    assert.deepEqual([body.event, body.account], ['accountAdded', account])
    assert.equal(headers['content-type'], 'application/json')
    assert.match(String(headers['user-agent']), /^nonet\/\d/)
    assert.match(String(headers['x-ee-wh-id']), /^\S+$/)
    assert.equal(headers['x-ee-wh-attempts-made'], '0')
    assert.match(String(headers['x-ee-wh-queued-time']), /^\d+s$/)
    const hmac = (signed: string) => createHmac('sha256', SECRET).update(signed)
    assert.equal(headers['x-ee-wh-signature'], hmac(text).digest('base64url'))
    const seconds = Number(headers['webhook-timestamp'])
    assert.ok(Math.abs(seconds - Date.now() / 1000) < 60)
    assert.equal(headers['webhook-id'], id)
    const signature = hmac(`${id}.${seconds}.${text}`).digest('base64')
    assert.equal(headers['webhook-signature'], `v1,${signature}`)
    receiver.assertSingle()
  })

  test('custom headers and the user of the URL are sent, and masked in responses', async () => {
    await using receiver = await openEventReceiver()
    const url = receiver.url.replace('//', '//me%40x:p%3Aw@')
    const webhooksCustomHeaders = [
      { key: 'X-Team', value: 'blue' },
      { key: 'X-Key', value: 'é 1' }
    ]
    await change({ webhooksEnabled: true, webhooks: url, webhooksCustomHeaders })
    const { headers } = await one(receiver, await register())
    const basic = `Basic ${Buffer.from('me@x:p:w').toString('base64')}`
    assert.deepEqual([headers.authorization, headers['x-team']], [basic, 'blue'])
    assert.equal(Buffer.from(String(headers['x-key']), 'latin1').toString('latin1'), 'é 1')
    const masked = {
      webhooks: receiver.url.replace('//', '//******@'),
      webhooksCustomHeaders: [
        { key: 'X-Team', value: '******' },
        { key: 'X-Key', value: '******' }
      ]
    }
    assert.deepEqual(await read('webhooks', 'webhooksCustomHeaders'), masked)
    const { fields = [] } = await change(masked, 400)
    assert.deepEqual(
      fields.map(({ key }) => key),
      ['webhooks', 'webhooksCustomHeaders.0.value', 'webhooksCustomHeaders.1.value']
    )
    await change({ webhooksCustomHeaders: [{ key: 'Authorization', value: 'Bearer t' }] })
    const other = await one(receiver, await register())
    assert.equal(other.headers.authorization, 'Bearer t')
    assert.equal(other.headers['x-team'], undefined)
  })

  test('an account has a receiver of its own, whose headers and user are masked', async () => {
    await using shared = await openEventReceiver()
    await using own = await openEventReceiver()
    await change({
      webhooksEnabled: true,
      webhooks: shared.url,
      webhooksCustomHeaders: [
        { key: 'X-Team', value: 'blue' },
        { key: 'X-Both', value: 'shared' }
      ]
    })
    const account = await register({
      webhooks: own.url.replace('//', '//u:p@'),
      webhooksCustomHeaders: [{ key: 'x-both', value: 'own' }]
    })
    const { headers } = await one(own, account)
    assert.deepEqual(
      [headers.authorization, headers['x-team'], headers['x-both']],
      ['Basic dTpw', 'blue', 'own']
    )
    assert.deepEqual(shared.deliveries, [])
    const path = `/v1/account/${account}`
    const shown = await json({ path })
    assert.equal(shown.webhooks, own.url.replace('//', '//******@'))
    assert.deepEqual(shown.webhooksCustomHeaders, [{ key: 'x-both', value: '******' }])
    assert.equal(shown.webhookErrorFlag, undefined)
    const { accounts: listed } = await json<{ accounts: { webhooks?: string }[] }>({
      path: `/v1/accounts?query=${account}`
    })
    assert.equal(listed[0]?.webhooks, shown.webhooks)
    assert.doesNotMatch(JSON.stringify([shown, listed]), /u:p|"own"/)
    // What is not sent stays; a masked value is rejected.
    await json({ method: 'PUT', path, body: { name: 'Grace' } })
    assert.equal((await json({ path })).webhooks, shown.webhooks)
    for (const [key, value] of Object.entries({
      webhooks: shown.webhooks,
      webhooksCustomHeaders: shown.webhooksCustomHeaders
    })) {
      await json({ method: 'PUT', path, body: { [key]: value } }, 400)
    }
    await json({ method: 'PUT', path, body: { webhooks: '', webhooksCustomHeaders: [] } })
    const changed = await json({ path })
    assert.deepEqual([changed.webhooks, changed.webhooksCustomHeaders], [undefined, undefined])
    await remove(account)
    const { body } = await one(shared, account)
    assert.equal(body.event, 'accountDeleted')
  })

  test('without the setting webhooksEnabled only accounts with a receiver have webhooks', async () => {
    await using shared = await openEventReceiver()
    await using own = await openEventReceiver()
    await change({ webhooksEnabled: null, webhooks: shared.url, webhooksCustomHeaders: null })
    const without = await register()
    const account = await register({ webhooks: own.url })
    await one(own, account)
    assert.deepEqual(await read('webhooksEnabled'), { webhooksEnabled: false })
    await pause(true)
    const moved = await register({ webhooks: own.url })
    const body = { webhooks: null }
    await json({ method: 'PUT', path: `/v1/account/${moved}`, body })
    await pause(false)
    await until(isEmpty, 'the end of an event without a receiver')
    await change({ webhooksEnabled: false })
    await remove(without)
    await remove(account)
    await until(isEmpty, 'the end')
    assert.deepEqual([shared.deliveries.length, own.deliveries.length], [0, 1])
  })

  test('a receiver that fails gets the same bytes again, and its error is shown until it works', async () => {
    await using receiver = await openEventReceiver()
    await change({ ...OFF, webhooksEnabled: true, webhooks: receiver.url })
    receiver.respond(500)
    const account = await register()
    await one(receiver, account)
    await until(async () => (await queue()).jobs.delayed === 1, 'the pause')
    const { webhookErrorFlag: flag } = await json<{ webhookErrorFlag: Record<string, string> }>({
      path: '/v1/settings?webhookErrorFlag=true'
    })
    assert.equal(flag?.message, 'The receiver responded with status 500')
    assert.deepEqual([flag?.event, flag?.account], ['accountAdded', account])
    receiver.respond('cut')
    await retry(receiver)
    // Waiting deliveries are hastened twice, so that there may be one more.
    await until(() => receiver.deliveries.length > 1, 'the second attempt')
    receiver.respond(204)
    await retry(receiver)
    await until(isEmpty, 'the delivery')
    const attempts = receiver.deliveries.map(({ headers }) => headers['x-ee-wh-attempts-made'])
    assert.ok(attempts.length > 2)
    assert.deepEqual(attempts, [...attempts.keys()].map(String))
    const isCleared = async () => (await read('webhookErrorFlag')).webhookErrorFlag === null
    await until(isCleared, 'no error')
    receiver.assertSingle()
    await change({ webhookErrorFlag: null }, 400)
  })

  test('after ten attempts a delivery is given up, and the next event of the account follows', async () => {
    await using receiver = await openEventReceiver()
    await change({ ...OFF, webhooksEnabled: true, webhooks: receiver.url })
    receiver.respond(({ body }) => (body.event === 'accountAdded' ? 503 : 200))
    // Nothing listens there.
    const smtp = { host: '127.0.0.1', port: 9, auth: false }
    const account = await register({ email: 'ada@example.test', smtp })
    const path = `/v1/account/${account}/submit`
    const to = { address: 'someone@example.test' }
    await json({ method: 'POST', path, body: { to, text: 'x', deliveryAttempts: 1 } })
    const log = `/v1/events?account=${account}`
    interface Logged {
      events: { id: string; event: string; delivery: { state: string; error?: string } }[]
    }
    const hasFailed = async () =>
      (await json<Logged>({ path: log })).events.some(({ event }) => event === 'messageFailed')
    await until(hasFailed, 'a second event')
    const hasSecond = () => receiver.named('messageFailed').length === 1
    // Waiting deliveries are hastened twice, so that a retry may be followed by two attempts.
    for (let count = 1; !hasSecond(); count++) {
      await until(() => receiver.deliveries.length >= count || hasSecond(), `attempt ${count}`)
      await retry(receiver)
    }
    const deliveries = receiver.deliveries.map(({ body, headers }) => [
      body.event,
      headers['x-ee-wh-attempts-made']
    ])
    assert.deepEqual(deliveries, [
      ...Array.from({ length: 10 }, (_, attempt) => ['accountAdded', String(attempt)]),
      ['messageDeliveryError', '0'],
      ['messageFailed', '0']
    ])
    const { events } = await json<Logged>({ path: `${log}&delivery=failed` })
    assert.deepEqual(
      events.map(({ event, delivery }) => [event, delivery.error]),
      [['accountAdded', 'The receiver responded with status 503']]
    )
    receiver.respond(200)
    await json({ method: 'POST', path: `/v1/events/${events[0]?.id}/replay` })
    await until(() => receiver.deliveries.at(-1)?.body.event === 'accountAdded', 'the replay')
    receiver.assertSingle()
  })

  test('a redirect is not followed, and final', async () => {
    await using receiver = await openEventReceiver()
    await change({ ...OFF, webhooksEnabled: true, webhooks: receiver.url })
    receiver.respond(302)
    const account = await register()
    await one(receiver, account)
    const message = async () =>
      (await read('webhookErrorFlag')).webhookErrorFlag as { message?: string } | null
    await until(async () => (await message()) !== null, 'the error')
    assert.equal((await message())?.message, 'The receiver redirects (302), which is not followed')
    await until(isEmpty, 'the end')
    assert.equal(receiver.deliveries.length, 1)
  })

  test('a paused queue sends nothing until it is resumed', async () => {
    await using receiver = await openEventReceiver()
    await change({ ...OFF, webhooksEnabled: true, webhooks: receiver.url })
    await pause(true)
    const waiting = [await register(), await register(), await register()]
    const numbers = async () =>
      (await json<{ queues: Record<string, object> }>({ path: '/v1/stats' })).queues.notify
    const counted = { active: 0, delayed: 0, waiting: 3, paused: 0 }
    const wanted = { ...counted, isPaused: true, total: 3 }
    await until(async () => isDeepStrictEqual(await numbers(), wanted), 'three that wait')
    assert.equal((await queue()).paused, true)
    const metric = 'queue_size{queue="notify",state="waiting"} 3\n'
    const isMeasured = async () => (await sandbox().ask({ path: '/metrics' })).text.includes(metric)
    await until(isMeasured, metric)
    assert.deepEqual(receiver.deliveries, [])
    await pause(false)
    for (const account of waiting) {
      const { headers } = await one(receiver, account)
      assert.equal(headers['x-ee-wh-attempts-made'], '0')
    }
  })

  test('deliveries that wait use a corrected URL, and those of a disabled webhook end', async () => {
    await using receiver = await openEventReceiver()
    await change({ ...OFF, webhooksEnabled: true, webhooks: 'http://127.0.0.1:9/' })
    const account = await register()
    await until(async () => (await queue()).jobs.delayed === 1, 'the pause')
    await change({ webhooks: receiver.url })
    await one(receiver, account)
    await change({ webhooks: 'http://127.0.0.1:9/' })
    await register()
    await until(async () => (await queue()).jobs.delayed === 1, 'the pause')
    await change({ webhooksEnabled: false })
    await until(isEmpty, 'the end')
    assert.equal(receiver.deliveries.length, 1)
  })

  test('a receiver that never responds does not stop the others', async () => {
    await using hanging = await openEventReceiver()
    await using quick = await openEventReceiver()
    hanging.respond('hang')
    await change({ ...OFF, webhooksEnabled: true, webhooks: hanging.url })
    await pause(true)
    // More than run at a time, all before the one that must not wait for them.
    const many = await Promise.all(Array.from({ length: 40 }, () => register()))
    const account = await register({ webhooks: quick.url })
    await pause(false)
    const start = performance.now()
    await one(quick, account)
    const tookMs = performance.now() - start
    assert.ok(tookMs < 10_000, `${tookMs} ms, long before the others end`)
    assert.ok(hanging.deliveries.length <= 12, `${hanging.deliveries.length} at a time`)
    await Promise.all(many.map(remove))
  })

  test('deliveries of a removed account end, except the one of its removal', async () => {
    await using receiver = await openEventReceiver()
    await change({ ...OFF, webhooksEnabled: true, webhooks: null })
    receiver.respond(({ body }) => (body.event === 'accountDeleted' ? 200 : 500))
    const webhooksCustomHeaders = [{ key: 'X-Own', value: 'mine' }]
    const account = await register({ webhooks: receiver.url, webhooksCustomHeaders })
    await until(() => receiver.deliveries.length > 0, 'the first attempt')
    const flagged = async () => (await json({ path: `/v1/account/${account}` })).webhookErrorFlag
    await until(async () => (await flagged()) !== undefined, 'the error of the account')
    await remove(account)
    await until(() => receiver.named('accountDeleted').length === 1, 'the event of the removal')
    assert.equal(receiver.named('accountDeleted')[0]?.headers['x-own'], 'mine')
    receiver.respond(200)
    // The same id again has other events, and no error.
    await register({ account, webhooks: receiver.url })
    await until(() => receiver.named('accountAdded').length === 2, 'the second registration')
    assert.deepEqual(
      receiver.first().map(({ body }) => body.event),
      ['accountAdded', 'accountDeleted', 'accountAdded']
    )
    assert.equal(await flagged(), undefined)
    receiver.assertSingle(({ id }) => id)
  })

  test('URLs and headers that cannot be used are rejected, of settings and accounts', async () => {
    const urls = ['x', 'ftp://example.org/', 'https://', 'javascript:1', '//example.org/']
    const blocked = [
      'http://169.254.169.254/latest',
      'http://[fe80::1]/',
      'http://[fd00:ec2::254]/'
    ]
    for (const webhooks of [...urls, ...blocked]) {
      const { fields = [] } = await change({ webhooks }, 400)
      assert.equal(fields[0]?.key, 'webhooks', webhooks)
      await json(
        { method: 'POST', path: '/v1/account', body: { account: 'x', name: '', webhooks } },
        400
      )
    }
    await change({ webhooks: `https://example.org/${'x'.repeat(2048)}` }, 400)
    const headers: object[] = [
      { key: 'a b', value: 'x' },
      { key: 'Host', value: 'x' },
      { key: 'X-EE-Wh-Event-Id', value: 'x' },
      { key: 'x', value: 'a\nb' },
      { key: 'x', value: '******' },
      { key: '', value: 'x' },
      { value: 'x' },
      { key: 'x', value: 'x', more: 1 },
      { key: 'x', value: 'x'.repeat(9000) }
    ]
    for (const header of headers) {
      const body = { webhooksCustomHeaders: [header] }
      await change(body, 400)
      await json(
        { method: 'POST', path: '/v1/account', body: { account: 'x', name: '', ...body } },
        400
      )
    }
    const many = Array.from({ length: 51 }, (_, index) => ({ key: `x-${index}`, value: '' }))
    await change({ webhooksCustomHeaders: many }, 400)
    await json({ path: '/v1/account/x' }, 404)
    // Operators may name receivers of their own network.
    await change({ webhooks: 'http://10.1.2.3:8080/hook' })
    await change(OFF)
  })

  test('the token of an account cannot send what operators have set to others', async () => {
    await using shared = await openEventReceiver()
    await using own = await openEventReceiver()
    const operators = [{ key: 'X-Operator', value: 'secret' }]
    await change({ webhooksEnabled: true, webhooks: shared.url, webhooksCustomHeaders: operators })
    const account = await register()
    const { token } = await json<{ token: string }>({
      method: 'POST',
      path: '/v1/tokens',
      body: { account, description: 'app' }
    })
    const path = `/v1/account/${account}`
    const put = (body: object, status = 200, headers = {}) =>
      json<{ fields: { key: string; message: string }[] }>(
        { method: 'PUT', path, token, body, headers },
        status
      )
    const private_ = await put({ webhooks: 'http://10.1.2.3/' }, 400)
    assert.equal(private_.fields[0]?.message, 'has an IP address that nothing is sent to')
    await put({ webhooks: own.url }, 400, { 'x-forwarded-for': '192.0.2.1' })
    await json({ method: 'PUT', path, body: { webhooksCustomHeaders: operators } })
    const { fields } = await put({ webhooks: own.url }, 400)
    assert.deepEqual(fields, [
      { key: 'webhooks', message: 'cannot be changed without sending webhooksCustomHeaders again' }
    ])
    await put({ webhooks: own.url, webhooksCustomHeaders: [{ key: 'X-Own', value: '1' }] })
    await json({ method: 'DELETE', path, token })
    const last = async () => own.deliveries.find(({ body }) => body.event === 'accountDeleted')
    await until(async () => (await last()) !== undefined, 'the event of the removal')
    const { headers } = (await last()) as EventDelivery
    assert.deepEqual([headers['x-own'], headers['x-operator']], ['1', undefined])
  })
})
