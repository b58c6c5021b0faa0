import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { contract } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { openStream } from '../support/open-stream.ts'

contract('push without a workspace', { service: 'scenarios' }, [
  {
    proves: 'a demonstration stream counts up and ends',
    send: { path: '/api/events?interval=20&count=3' },
    expect: {
      status: 200,
      type: 'text/event-stream; charset=utf-8',
      headers: { 'cache-control': 'no-store', 'access-control-allow-origin': '*' },
      text:
        'retry: 2000\n\n' +
        [1, 2, 3].map((n) => `id: ${n}\nevent: tick\ndata: {"n":${n}}\n\n`).join('')
    }
  },
  {
    proves: 'it goes on behind the last event that the client saw',
    send: { path: '/api/events?interval=20&count=3', headers: { 'last-event-id': '2' } },
    expect: { status: 200, text: 'retry: 2000\n\nid: 3\nevent: tick\ndata: {"n":3}\n\n' }
  },
  {
    proves: 'a client that has seen everything is told not to come back',
    send: { path: '/api/events?interval=20&count=3', headers: { 'last-event-id': '3' } },
    expect: { status: 204, text: '' }
  },
  ...['interval=9', 'interval=60001', 'interval=x', 'count=0', 'count=-1', 'after=x'].map(
    (query) => ({
      proves: `?${query} is refused`,
      send: { path: `/api/events?${query}` },
      expect: {
        status: 400,
        json: undefined,
        text: /^\{"error":"\w+ must be a whole number from \d+ to \d+"\}$/,
        headers: { 'x-error-code': 'invalid_parameter' }
      }
    })
  ),
  {
    proves: 'a poll without a workspace finds nothing',
    send: { path: '/api/events/poll?wait=0' },
    expect: { status: 200, json: { events: [], next: 0 }, headers: { 'cache-control': 'no-store' } }
  },
  {
    proves: 'a poll waits a minute at most',
    send: { path: '/api/events/poll?wait=61' },
    expect: { status: 400, json: { error: 'wait must be a whole number from 0 to 60' } }
  },
  {
    proves: 'events cannot be posted',
    send: { method: 'POST', path: '/api/events', body: '{}' },
    expect: { status: 404, json: {} }
  },
  {
    proves: 'a failing network fails here too',
    send: { path: '/api/events?scenario=status:503' },
    expect: { status: 503, json: { error: 'Service Unavailable' } }
  }
])

for (const engine of ENGINES) {
  describe(`events of a workspace on ${engine}`, () => {
    let nonet: Nonet<'scenarios'>
    before(async () => {
      const scenarios = { heartbeatSeconds: 1 }
      nonet = await start({ services: ['scenarios'], scenarios, ...engineOptions(engine) })
    })
    after(() => nonet.stop())

    const home = (ws: string) => `${nonet.scenarios.url}/w/${ws}/api`
    const write = (ws: string, method: string, path: string, body = {}) =>
      fetch(home(ws) + path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body)
      })

    test('a stream tells what happens there, and nothing from elsewhere', async () => {
      using stream = await openStream(`${home('told')}/events`)
      assert.deepEqual(await stream.next(), { retry: '2000' })
      await write('elsewhere', 'POST', '/users', { name: 'not for you' })
      await write('told', 'POST', '/users', { name: 'morpheus' })
      await write('told', 'PATCH', '/users/2', { job: 'zion resident' })
      await write('told', 'DELETE', '/users/3')
      await write('told', 'POST', '/things', { name: 'lamp' })
      const seen = []
      while (seen.length < 4) {
        const event = await stream.next()
        if (event?.id !== undefined) seen.push(event)
      }
      assert.deepEqual(
        seen.map(({ id, event }) => [id, event]),
        [
          ['1', 'user.created'],
          ['2', 'user.updated'],
          ['3', 'user.deleted'],
          ['4', 'things.created']
        ]
      )
      const data = seen.map((event) => JSON.parse(event.data ?? ''))
      assert.equal(data[0].name, 'morpheus')
      assert.equal(data[0].id, 13)
      assert.equal(data[1].job, 'zion resident')
      assert.deepEqual(data[2], { id: 3 })
    })

    test('a client that was cut off gets what it missed', async () => {
      for (const name of ['a', 'b', 'c']) await write('missed', 'POST', '/users', { name })
      using stream = await openStream(`${home('missed')}/events`, { 'last-event-id': '1' })
      await stream.next()
      const ids: string[] = []
      while (ids.length < 2) {
        // Comments show that the stream lives.
        const { id } = (await stream.next()) ?? assert.fail('the stream ended')
        if (id !== undefined) ids.push(id)
      }
      assert.deepEqual(ids, ['2', '3'])
    })

    test('a number from before a reset stands for the beginning', async () => {
      for (const name of ['a', 'b', 'c']) await write('anew', 'POST', '/users', { name })
      await fetch(`${nonet.scenarios.url}/_workspaces/anew/reset`, { method: 'POST' })
      await write('anew', 'POST', '/users', { name: 'first again' })
      const poll = await fetch(`${home('anew')}/events/poll?after=3&wait=0`)
      const { events, next } = (await poll.json()) as { events: { id: number }[]; next: number }
      assert.deepEqual([events.map(({ id }) => id), next], [[1], 1])
    })

    test('a quiet stream shows that it lives', async () => {
      const began = performance.now()
      using stream = await openStream(`${home('quiet')}/events`)
      await stream.next()
      assert.deepEqual(await stream.next(), { comment: 'still here' })
      assert.ok(performance.now() - began >= 990)
    })

    test('sse-drop cuts the stream after that many messages, and a resume goes on', async () => {
      const path = '/api/events?interval=10&count=5&scenario=sse-drop:2'
      using first = await openStream(nonet.scenarios.url + path)
      assert.equal(first.response.headers['x-scenario-applied'], 'sse-drop')
      const seen = []
      for (let event = await first.next(); event; event = await first.next()) seen.push(event.id)
      assert.deepEqual(seen, [undefined, '1', '2'])
      assert.equal(first.ended(), false, 'the connection broke')
      using second = await openStream(nonet.scenarios.url + path, { 'last-event-id': '2' })
      await second.next()
      assert.equal((await second.next())?.id, '3')
    })

    test('a long poll answers when something happens, in order', async () => {
      const order: string[] = []
      const poll = fetch(`${home('polled')}/events/poll?after=0&wait=30`).then(async (answer) => {
        order.push('polled')
        return answer.json()
      })
      // The poll is being held once the workspace tells its journal nothing new is due.
      await fetch(`${home('polled')}/events/poll?wait=0`)
      order.push('writing')
      await write('polled', 'POST', '/users', { name: 'neo' })
      const { events, next } = await poll
      assert.deepEqual(order, ['writing', 'polled'])
      assert.equal(next, 1)
      assert.equal(events.length, 1)
      const [{ id, type, at, data }] = events
      assert.deepEqual([id, type, data.name], [1, 'user.created', 'neo'])
      assert.equal(new Date(at).toISOString(), at)
    })

    test('a long poll in which nothing happens ends with its time', async () => {
      const began = performance.now()
      const poll = await fetch(`${home('nothing')}/events/poll?wait=1`)
      assert.deepEqual(await poll.json(), { events: [], next: 0 })
      assert.ok(performance.now() - began >= 990)
    })
  })
}

describe('a server that stops', () => {
  test('ends streams and polls in peace', async () => {
    const nonet = await start({ services: ['scenarios'] })
    using stream = await openStream(`${nonet.scenarios.url}/w/stopping/api/events`)
    await stream.next()
    const poll = fetch(`${nonet.scenarios.url}/w/stopping/api/events/poll?wait=60`)
    await fetch(`${nonet.scenarios.url}/w/stopping/api/events/poll?wait=0`)
    await nonet.stop()
    assert.equal(await stream.next(), undefined)
    assert.equal(stream.ended(), true)
    assert.deepEqual(await (await poll).json(), { events: [], next: 0 })
  })

  test('has no more than --scenarios-max-held of them', async () => {
    await using nonet = await start({ services: ['scenarios'], scenarios: { maxHeld: 2 } })
    const url = `${nonet.scenarios.url}/api/events`
    using first = await openStream(url)
    using second = await openStream(url)
    await Promise.all([first.next(), second.next()])
    const third = await fetch(url)
    assert.equal(third.status, 503)
    assert.equal(third.headers.get('x-error-code'), 'too_many_held')
  })
})
