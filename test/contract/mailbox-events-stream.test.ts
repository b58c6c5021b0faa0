/** `GET /v1/changes`: states of accounts, and events with ids. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Nonet, start } from '../../src/host/start.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { type OpenStream, openStream, type StreamEvent } from '../support/open-stream.ts'
import { readLog, untilLogged, watchedAccount } from './mailbox-events-site.ts'
import { ADMIN_TOKEN, mail, type Sandbox, sandboxes, sandboxOf } from './mailbox-site.ts'

const ON_POSTGRES = { skip: !ENGINES.includes('postgres') }

const TIMEOUT_MS = 15_000

interface Frame extends StreamEvent {
  body: Record<string, unknown> & {
    account: string
    event?: string
    data?: Record<string, unknown>
  }
}

/** A stream whose head was received: what happens from then on is in it. */
async function follow(
  { url }: Pick<Sandbox, 'url'>,
  query: string,
  token: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<OpenStream> {
  const stream = await openStream(`${url}/v1/changes${query}`, {
    authorization: `Bearer ${token}`,
    ...headers
  })
  assert.equal(stream.response.statusCode, 200)
  assert.match((await stream.next())?.comment ?? '', /^nonet \d/)
  assert.deepEqual(await stream.next(), { retry: '2000' })
  return stream
}

async function take(stream: OpenStream, count: number): Promise<Frame[]> {
  const frames: Frame[] = []
  while (frames.length < count) {
    const next = await Promise.race([stream.next(), lateness()])
    assert.ok(next, `the stream ended after ${frames.length} frames`)
    if (next.data !== undefined) frames.push({ ...next, body: JSON.parse(next.data) })
  }
  return frames
}

function lateness(): Promise<never> {
  return delay(TIMEOUT_MS, undefined, { ref: false }).then(() => assert.fail('no frame in time'))
}

const subjects = (frames: readonly Frame[]) => frames.map(({ body }) => body.data?.subject)

sandboxes('I-6, the stream of changes', {}, (sandbox) => {
  const deliver = async (address: string, ...names: string[]) => {
    for (const name of names) await sandbox().deliver({ to: [address], source: mail(name) })
  }

  test('states of accounts are sent as EmailEngine sends them', async () => {
    using stream = await follow(sandbox(), '', ADMIN_TOKEN)
    assert.equal(stream.response.headers['content-type'], 'text/event-stream; charset=utf-8')
    assert.equal(stream.response.headers['x-accel-buffering'], 'no')
    const there = await sandbox().account()
    const body = { account: 'states', name: 'Ada', imap: there.imap }
    await sandbox().json({ method: 'POST', path: '/v1/account', token: ADMIN_TOKEN, body })
    const frames: Frame[] = []
    while (frames.at(-1)?.body.key !== 'connected') {
      const [frame] = await take(stream, 1)
      if (frame?.body.account === 'states') frames.push(frame)
    }
    assert.deepEqual(
      frames.map(({ event, body: { type, key } }) => [event, type, key]),
      [
        ['message', 'state', 'connecting'],
        ['message', 'state', 'syncing'],
        ['message', 'state', 'connected']
      ]
    )
    assert.deepEqual(frames.at(-1)?.body, {
      account: 'states',
      type: 'state',
      key: 'connected',
      payload: null,
      stateLabel: { type: 'success', name: 'Connected' }
    })
    assert.equal(frames[0]?.id, undefined)
  })

  test('an error of the sign-in is part of the state; other accounts are not seen', async () => {
    const there = await sandbox().account()
    const imap = { ...there.imap, auth: { ...there.imap.auth, pass: 'wrong' } }
    const add = (account: string) =>
      sandbox().json({
        method: 'POST',
        path: '/v1/account',
        token: ADMIN_TOKEN,
        body: { account, name: 'Ada', imap }
      })
    const path = '/v1/tokens'
    const bound = { account: there.account, description: 'x' }
    const { token } = await sandbox().json<{ token: string }>({
      ...{ method: 'POST', path, token: ADMIN_TOKEN },
      body: bound
    })
    using own = await follow(sandbox(), '', token)
    using all = await follow(sandbox(), '?account=wrong-password', ADMIN_TOKEN)
    await add('wrong-password')
    const [, failed] = await take(all, 2)
    assert.equal(failed?.body.key, 'authenticationError')
    assert.partialDeepStrictEqual(failed?.body, { stateLabel: { type: 'danger', name: 'Failed' } })
    const { error } = (failed ?? assert.fail()).body.payload as { error: { response: string } }
    assert.ok(error.response.length > 0)
    // The account of the token becomes watched, which is its next state.
    await readLog(sandbox(), { account: there.account })
    const [first] = await take(own, 1)
    assert.equal(first?.body.account, there.account)
    const foreign = await sandbox().ask({ path: '/v1/changes?account=wrong-password', token })
    assert.equal(foreign.status, 404)
  })

  test('events are sent in their order with ids, and a client that returns misses none', async () => {
    const { account, address, token } = await watchedAccount(sandbox())
    const names = ['First', 'Second', 'Third', 'Fourth']
    using stream = await follow(sandbox(), '?events=messageNew,messageDeleted', token)
    await deliver(address, ...names.slice(0, 2))
    const seen = await take(stream, 2)
    assert.deepEqual(subjects(seen), ['First', 'Second'])
    assert.deepEqual([seen[0]?.event, seen[0]?.body.event], ['message', 'messageNew'])
    stream[Symbol.dispose]()
    await deliver(address, 'Third')
    await untilLogged(sandbox(), { account, event: 'messageNew' }, 3)
    const headers = { 'last-event-id': seen[0]?.id ?? '' }
    using again = await follow(sandbox(), '?events=messageNew', token, headers)
    assert.deepEqual(subjects(await take(again, 2)), ['Second', 'Third'])
    await deliver(address, 'Fourth')
    const [fourth] = await take(again, 1)
    assert.equal(fourth?.body.data?.subject, 'Fourth')
    const { events } = await readLog(sandbox(), { account, event: 'messageNew' })
    assert.equal(events[0]?.id, fourth?.id)
    const { data, id, delivery: _, ...rest } = events[0] ?? assert.fail()
    assert.deepEqual(fourth?.body, { ...rest, data })
    using reloaded = await follow(sandbox(), `?events=*&lastEventId=${seen[1]?.id}`, token)
    assert.deepEqual(subjects(await take(reloaded, 2)), ['Third', 'Fourth'])
  })

  test('a gap is told when the last event of the client is not stored any more', async () => {
    const [ada, bob] = [await watchedAccount(sandbox()), await watchedAccount(sandbox())]
    await deliver(ada.address, 'Of Ada')
    await deliver(bob.address, 'Of Bob')
    const [foreign] = await untilLogged(sandbox(), { account: bob.account, event: 'messageNew' })
    await untilLogged(sandbox(), { account: ada.account, event: 'messageNew' })
    for (const id of ['gone', foreign?.id ?? '', '\ufffd0']) {
      const headers = { 'last-event-id': encodeURIComponent(id) }
      using stream = await follow(sandbox(), '?events=messageNew', ada.token, headers)
      const [gap, event] = await take(stream, 2)
      assert.deepEqual([gap?.event, gap?.body], ['gap', { lastEventId: encodeURIComponent(id) }])
      assert.equal(event?.body.data?.subject, 'Of Ada')
    }
  })

  test('a token gets the events of its accounts only, an operator those of all', async () => {
    const [ada, bob] = [await watchedAccount(sandbox()), await watchedAccount(sandbox())]
    using own = await follow(sandbox(), '?events=messageNew', bob.token)
    using all = await follow(sandbox(), '?events=messageNew', ADMIN_TOKEN)
    using one = await follow(sandbox(), `?events=messageNew&account=${bob.account}`, ADMIN_TOKEN)
    await deliver(ada.address, 'For Ada')
    await untilLogged(sandbox(), { account: ada.account, event: 'messageNew' })
    await deliver(bob.address, 'For Bob')
    assert.deepEqual(subjects(await take(all, 2)), ['For Ada', 'For Bob'])
    assert.deepEqual(subjects(await take(own, 1)), ['For Bob'])
    assert.deepEqual(subjects(await take(one, 1)), ['For Bob'])
    const { ask } = sandbox()
    const rejected: [path: string, status: number][] = [
      [`/v1/changes?events=*&account=${ada.account}`, 404],
      ['/v1/changes?events=messageNever', 400],
      ['/v1/changes?event=messageNew', 400]
    ]
    for (const [path, status] of rejected) {
      assert.equal((await ask({ path, token: bob.token })).status, status, path)
    }
  })

  test('the token of an account that was removed does not get the events of a later one', async () => {
    const { account, token } = await watchedAccount(sandbox())
    using own = await follow(sandbox(), '?events=messageNew', token)
    using states = await follow(sandbox(), '', token)
    const path = `/v1/account/${account}`
    await sandbox().json({ method: 'DELETE', path, token: ADMIN_TOKEN })
    await delay(1_100)
    const later = await watchedAccount(sandbox(), { account })
    await deliver(later.address, 'For another client')
    await untilLogged(sandbox(), { account, event: 'messageNew' })
    for (const stream of [own, states]) {
      const next = await Promise.race([stream.next(), lateness()])
      assert.equal(next, undefined, 'the stream ends')
    }
  })

  test('a stream of an operator makes all accounts of the sandbox watched', async () => {
    const { address } = await sandbox().account()
    using stream = await follow(sandbox(), '?events=messageNew', ADMIN_TOKEN)
    await deliver(address, 'Just arrived')
    assert.deepEqual(subjects(await take(stream, 1)), ['Just arrived'])
  })
})

test('I-6, streams end when the service stops', async () => {
  const nonet = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN })
  using states = await follow(nonet.mailbox, '', ADMIN_TOKEN)
  using events = await follow(nonet.mailbox, '?events=*', ADMIN_TOKEN)
  await nonet.stop()
  for (const stream of [states, events]) {
    assert.equal(await stream.next(), undefined)
    assert.ok(stream.ended())
  }
})

test(
  'I-6, events of two processes have one order, which both of them tell',
  ON_POSTGRES,
  async () => {
    await using database = await temporaryDatabase()
    using folder = temporaryFolder()
    const options = {
      ...{ services: ['mailbox'] as const, adminToken: ADMIN_TOKEN },
      ...{ database: database.url, data: folder.path }
    }
    await using firstProcess: Nonet<'mailbox'> = await start(options)
    await using secondProcess: Nonet<'mailbox'> = await start(options)
    const [first, second] = [sandboxOf(firstProcess), sandboxOf(secondProcess)]
    const count = 30
    using one = await follow(first, '?events=accountAdded', ADMIN_TOKEN)
    using two = await follow(second, '?events=accountAdded', ADMIN_TOKEN)
    const register = (site: Sandbox, account: string) =>
      site.json({
        ...{ method: 'POST', path: '/v1/account', token: ADMIN_TOKEN },
        body: { account, name: 'Ada' }
      })
    await Promise.all(
      Array.from({ length: count }, (_, number) =>
        register(number % 2 === 0 ? first : second, `a-${number}`)
      )
    )
    const ids = (await take(one, count)).map(({ id }) => id)
    assert.deepEqual(
      (await take(two, count)).map(({ id }) => id),
      ids
    )
    const { events } = await readLog(first, { event: 'accountAdded', pageSize: '250' })
    assert.deepEqual(events.map(({ id }) => id).toReversed(), ids)
  }
)
