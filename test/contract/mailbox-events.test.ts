/** The event log: what is in it, who may read it, and how events are sent again. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../support/delivery-receiver.ts'
import { type EventReceiver, openEventReceiver } from '../support/event-receiver.ts'
import { openSink } from '../support/smtp-sink.ts'
import {
  changeSettings,
  type LoggedEvent,
  readLog,
  untilLogged,
  watchedAccount
} from './mailbox-events-site.ts'
import { ADMIN_TOKEN, mail, sandboxes } from './mailbox-site.ts'
import { openSender } from './mailbox-submit-site.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const LONG_AGO = '2026-01-01T00:00:00.000Z'

sandboxes('I-6, the event log', {}, (sandbox) => {
  let receiver: EventReceiver
  before(async () => {
    receiver = await openEventReceiver()
  })
  after(() => receiver[Symbol.asyncDispose]())
  const replay = (id: string, status = 200, token = ADMIN_TOKEN) =>
    sandbox().json({ method: 'POST', path: `/v1/events/${id}/replay`, token }, status)
  const ownReceiver = () => ({
    webhooks: receiver.url,
    name: 'Ada'
  })

  test('mail is reported while a client reads the events of an account of the sandbox', async () => {
    const { account, address } = await sandbox().account()
    await readLog(sandbox(), { account })
    await sandbox().deliver({ to: [address], source: mail('Read by the log') })
    const [event] = await untilLogged(sandbox(), { account, event: 'messageNew' })
    assert.match(event?.id ?? '', UUID)
    assert.partialDeepStrictEqual(event, {
      account,
      event: 'messageNew',
      path: 'INBOX',
      data: { subject: 'Read by the log', seemsLikeNew: true },
      delivery: { state: 'none' }
    })
    const shown = await sandbox().json({ path: `/v1/events/${event?.id}`, token: ADMIN_TOKEN })
    assert.deepEqual(shown, event)
  })

  test('a registered account is reported, and its removal is sent although it is gone', async () => {
    const there = await sandbox().account()
    const register = (id: string) =>
      sandbox().json({
        method: 'POST',
        path: '/v1/account',
        token: ADMIN_TOKEN,
        body: { account: id, imap: there.imap, ...ownReceiver() }
      })
    const remove = (id: string) =>
      sandbox().json({ method: 'DELETE', path: `/v1/account/${id}`, token: ADMIN_TOKEN })
    const of = (name: string) =>
      receiver.named(name).filter(({ body }) => body.account === 'comes-and-goes')
    await register('comes-and-goes')
    await until(() => of('accountAdded').length === 1, 'accountAdded')
    await untilLogged(sandbox(), { account: 'comes-and-goes', event: 'accountInitialized' })
    await remove('comes-and-goes')
    await until(() => of('accountDeleted').length === 1, 'accountDeleted')
    assert.deepEqual(of('accountDeleted')[0]?.body.data, { account: 'comes-and-goes' })
    const { events } = await readLog(sandbox(), { account: 'comes-and-goes' })
    assert.deepEqual(
      events.map(({ event }) => event),
      ['accountDeleted'],
      'what is stored about the account is removed'
    )
    await register('comes-and-goes')
    await until(() => of('accountAdded').length === 2, 'accountAdded with another id')
    await remove('comes-and-goes')
    await until(() => of('accountDeleted').length === 2, 'accountDeleted with another id')
  })

  test('a sent message is reported with its envelope, a rejected one with each attempt', async () => {
    await using sink = await openSink({
      onRcpt(to) {
        if (to.startsWith('later')) throw reject(450)
        if (to.startsWith('never')) throw reject(550)
      }
    })
    const ada = await openSender(sandbox(), sink, { ...ownReceiver() })
    const { queueId, messageId } = await ada.submit({ to: { address: 'bob@example.test' } })
    const [sent] = await untilLogged(sandbox(), { account: ada.id, event: 'messageSent' })
    assert.partialDeepStrictEqual(sent?.data, {
      messageId,
      queueId,
      envelope: { from: ada.mailboxes.address, to: ['bob@example.test'] }
    })
    assert.match(String(sent?.data.response), /^250/)

    const never = await ada.submit({ to: { address: 'never@example.test' } })
    const [failed] = await untilLogged(sandbox(), { account: ada.id, event: 'messageFailed' })
    assert.partialDeepStrictEqual(failed?.data, {
      messageId: never.messageId,
      queueId: never.queueId
    })
    assert.match(String(failed?.data.error), /^Error: .*550/)
    const query = { account: ada.id, event: 'messageDeliveryError' }
    const [last] = await untilLogged(sandbox(), query)
    assert.partialDeepStrictEqual(last?.data, {
      queueId: never.queueId,
      smtpResponseCode: 550,
      job: { attemptsMade: 1, attempts: 10, nextAttempt: false }
    })

    const later = await ada.submit({ to: { address: 'later@example.test' }, deliveryAttempts: 5 })
    const [attempt] = await untilLogged(sandbox(), query, 2)
    assert.partialDeepStrictEqual(attempt?.data, {
      queueId: later.queueId,
      smtpResponseCode: 450,
      job: { attemptsMade: 1, attempts: 5 }
    })
    const { nextAttempt } = (attempt ?? assert.fail()).data.job as { nextAttempt: string }
    assert.ok(Date.parse(nextAttempt) > Date.now())
    const order = () =>
      receiver
        .first()
        .filter(({ body }) => body.data.queueId === never.queueId)
        .map(({ body }) => body.event)
    await until(() => order().length >= 2, 'both webhooks')
    assert.deepEqual(order(), ['messageDeliveryError', 'messageFailed'])
  })

  test('the log has filters and pages; events of others are not found', async () => {
    const [ada, bob] = [await watchedAccount(sandbox()), await watchedAccount(sandbox())]
    const since = new Date().toISOString()
    for (const subject of ['One', 'Two', 'Three']) {
      await sandbox().deliver({ to: [ada.address], source: mail(subject) })
    }
    const filter = { account: ada.account, event: 'messageNew' }
    await untilLogged(sandbox(), filter, 3)
    const subjects = (events: readonly LoggedEvent[]) => events.map(({ data }) => data.subject)
    const first = await readLog(sandbox(), { ...filter, pageSize: '2' })
    assert.deepEqual(subjects(first.events), ['Three', 'Two'])
    const cursor = first.nextPageCursor ?? assert.fail()
    const second = await readLog(sandbox(), { ...filter, pageSize: '2', cursor })
    assert.deepEqual([subjects(second.events), second.nextPageCursor], [['One'], null])

    const newer = await readLog(sandbox(), { account: ada.account, since })
    assert.deepEqual([...new Set(newer.events.map(({ event }) => event))], ['messageNew'])
    const future = new Date(Date.now() + 3_600_000).toISOString()
    assert.deepEqual((await readLog(sandbox(), { since: future })).events, [])
    const several = await readLog(sandbox(), {
      account: ada.account,
      event: 'accountAdded,accountInitialized'
    })
    assert.equal(several.events.length, 2)
    assert.equal((await readLog(sandbox(), { ...filter, delivery: 'none' })).events.length, 3)
    assert.equal((await readLog(sandbox(), { ...filter, delivery: 'failed' })).events.length, 0)

    const own = await readLog(sandbox(), { pageSize: '250' }, bob.token)
    assert.deepEqual([...new Set(own.events.map(({ account }) => account))], [bob.account])
    const foreign = first.events[0]?.id ?? ''
    const { json } = sandbox()
    for (const [method, path, body] of [
      ['GET', `/v1/events/${foreign}`],
      ['GET', '/v1/events/none'],
      ['GET', '/v1/events/%00'],
      ['GET', `/v1/events?account=${ada.account}`],
      ['POST', `/v1/events/${foreign}/replay`],
      ['POST', '/v1/events/replay', { account: ada.account, failed: true }]
    ] as const) {
      await json({ method, path, body, token: bob.token }, 404)
    }
    for (const query of ['event=messageNever', 'cursor=x', 'delivery=lost', 'since=soon', 'x=1']) {
      await json({ path: `/v1/events?${query}`, token: ADMIN_TOKEN }, 400)
    }
    await json({ method: 'POST', path: '/v1/events/replay', body: {}, token: ADMIN_TOKEN }, 400)
  })

  test('only the events of the settings are sent; others are in the log', async () => {
    await changeSettings(sandbox(), {
      webhooksEnabled: true,
      webhooks: receiver.url,
      webhookEvents: ['messageNew', 'messageDeleted'],
      inboxNewOnly: true,
      serviceUrl: 'https://mail.example'
    })
    try {
      const { account, address, token } = await watchedAccount(sandbox())
      await sandbox().deliver({ to: [address], source: mail('Sent on') })
      const [event] = await untilLogged(sandbox(), { account, event: 'messageNew' })
      await until(
        () => receiver.first().some(({ id }) => id === event?.id),
        'the webhook of the message'
      )
      const move = { path: 'Archive' }
      const path = `/v1/account/${account}/message/${event?.data.id}/move`
      await sandbox().json({ method: 'PUT', path, body: move, token })
      const moved = await untilLogged(sandbox(), { account, event: 'messageNew' }, 2)
      const [deleted] = await untilLogged(sandbox(), { account, event: 'messageDeleted' })
      await until(() => receiver.first().some(({ id }) => id === deleted?.id), 'messageDeleted')
      await untilLogged(sandbox(), { account, delivery: 'delivered' }, 2)
      assert.equal(moved[0]?.path, 'Archive')
      assert.equal(moved[0]?.data.seemsLikeNew, false)
      const { events } = await readLog(sandbox(), { account, pageSize: '250' })
      const states = events.map(({ event: name, path: at = '', delivery }) =>
        [name, at, delivery.state].join(' ')
      )
      assert.deepEqual(states.toSorted(), [
        'accountAdded  none',
        'accountInitialized  none',
        'authenticationSuccess  none',
        'messageDeleted INBOX delivered',
        'messageNew Archive none',
        'messageNew INBOX delivered'
      ])
      const sent = receiver.first().filter(({ body }) => body.account === account)
      assert.deepEqual(
        sent.map(({ body }) => body.event),
        ['messageNew', 'messageDeleted']
      )
      assert.partialDeepStrictEqual(sent[0]?.body, { serviceUrl: 'https://mail.example' })
      await changeSettings(sandbox(), { webhookEvents: [] })
      await sandbox().deliver({ to: [address], source: mail('Silence') })
      const [silent] = await untilLogged(sandbox(), { account, event: 'messageNew' }, 3)
      assert.equal(silent?.delivery.state, 'none')
    } finally {
      await changeSettings(sandbox(), {
        ...{ webhooksEnabled: null, webhooks: null, webhookEvents: null },
        ...{ inboxNewOnly: null, serviceUrl: null }
      })
    }
  })

  test('a delivered event is sent again with its id and body, one without a receiver is not', async () => {
    const { account, address, token } = await watchedAccount(sandbox())
    await sandbox().deliver({ to: [address], source: mail('Again') })
    const [event] = await untilLogged(sandbox(), { account, event: 'messageNew' })
    const id = event?.id ?? ''
    const rejected = await replay(id, 409)
    assert.equal(rejected.code, 'ReceiverMissing')
    const path = `/v1/account/${account}`
    await sandbox().json({ method: 'PUT', path, body: ownReceiver(), token: ADMIN_TOKEN })
    const arrived = () => receiver.deliveries.filter((delivery) => delivery.id === id)
    assert.deepEqual(await replay(id, 200, token), { id, queued: true })
    await until(() => arrived().length === 1, 'the first delivery')
    await untilLogged(sandbox(), { account, delivery: 'delivered', event: 'messageNew' })
    await replay(id)
    await until(() => arrived().length === 2, 'the second delivery')
    assert.equal(arrived()[0]?.text, arrived()[1]?.text)
    const body = { since: LONG_AGO, event: 'messageNew' }
    const many = { method: 'POST', path: '/v1/events/replay', token, body }
    await untilLogged(sandbox(), { account, delivery: 'delivered', event: 'messageNew' })
    assert.deepEqual(await sandbox().json(many), { queued: 1, nextPageCursor: null })
    await until(() => arrived().length === 3, 'the third delivery')
  })

  test('events are sent again in their order, also those from before there was a receiver', async () => {
    const { account, address, token } = await watchedAccount(sandbox())
    await sandbox().deliver({ to: [address], source: mail('First') })
    await untilLogged(sandbox(), { account, event: 'messageNew' })
    const path = `/v1/account/${account}`
    await sandbox().json({ method: 'PUT', path, body: ownReceiver(), token: ADMIN_TOKEN })
    await sandbox().deliver({ to: [address], source: mail('Second') })
    await untilLogged(sandbox(), { account, delivery: 'delivered', event: 'messageNew' })
    const body = { since: LONG_AGO, event: 'messageNew' }
    const many = { method: 'POST', path: '/v1/events/replay', token, body }
    assert.deepEqual(await sandbox().json(many), { queued: 2, nextPageCursor: null })
    const subjects = () =>
      receiver.deliveries
        .filter((delivery) => delivery.body.account === account && delivery.body.data.subject)
        .map((delivery) => delivery.body.data.subject)
    await until(() => subjects().length === 3, 'both deliveries')
    assert.deepEqual(subjects(), ['Second', 'First', 'Second'])
    await sandbox().deliver({ to: [address], source: mail('Third') })
    await until(() => subjects().at(-1) === 'Third', 'a delivery after them')
  })

  test('failed deliveries are listed with their error and sent again at once', async () => {
    receiver.respond(({ body }) => (body.data.subject === 'Not now' ? 302 : 200))
    const { account, address, token } = await watchedAccount(sandbox())
    const put = { method: 'PUT', path: `/v1/account/${account}`, token: ADMIN_TOKEN }
    await sandbox().json({ ...put, body: ownReceiver() })
    await sandbox().deliver({ to: [address], source: mail('Not now') })
    const query = { account, delivery: 'failed' }
    const [failed] = await untilLogged(sandbox(), query)
    assert.equal(failed?.data.subject, 'Not now')
    assert.equal(failed?.delivery.attempts, 1)
    assert.match(failed?.delivery.error ?? '', /302|redirect/i)
    receiver.respond(200)
    const many = { method: 'POST', path: '/v1/events/replay', token, body: { failed: true } }
    assert.deepEqual(await sandbox().json(many), { queued: 1, nextPageCursor: null })
    await untilLogged(sandbox(), { account, delivery: 'delivered', event: 'messageNew' })
    assert.deepEqual((await readLog(sandbox(), query)).events, [])
  })
})

function reject(responseCode: number): Error {
  return Object.assign(new Error(`${responseCode} not you`), { responseCode })
}
