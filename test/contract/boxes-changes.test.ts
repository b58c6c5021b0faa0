import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents, type ServerEvent } from '../support/event-stream.ts'
import { type Boxes, KEY, scenes } from './boxes-scene.ts'

interface Change {
  seq: number
  op: string
  _id: string
  at: string
  _collection?: string
  record?: Record<string, unknown>
}

interface Page {
  seq: number
  changes: Change[]
  more: boolean
}

/** Collects events until told to stop; `until` waits for a number of them. */
function follow(url: string, headers: Record<string, string> = {}) {
  const controller = new AbortController()
  const events: ServerEvent[] = []
  let notify: (() => void) | undefined
  const done = (async () => {
    for await (const event of readEvents(url, headers, controller.signal)) {
      events.push(event)
      notify?.()
    }
  })().catch((error) => {
    if (!controller.signal.aborted) throw error
  })
  return {
    events,
    changes: () => events.filter(({ data }) => data !== '').map(({ data }) => JSON.parse(data)),
    async until(count: number) {
      while (events.length < count) await new Promise<void>((resolve) => (notify = resolve))
    },
    done,
    async stop() {
      controller.abort()
      await done
    }
  }
}

const pageOf = ({ get }: Boxes, path: string) => get<Page>(`/_changes/${path}`)

scenes('I-2, changes', {}, (boxes) => {
  test('a follower is told of every change as it happens', async () => {
    const { ask, store, url } = boxes()
    const follower = follow(`${url}/live`)
    await follower.until(1)
    assert.deepEqual(follower.events[0], { id: '0', event: 'message', data: '' })
    const { _id } = await store('/live/people', '{"n": 1.0}')
    await ask(`PUT /live/${_id}`, '{"n":2}')
    await ask(`DELETE /live/${_id}`)
    while (follower.changes().length < 3) await follower.until(follower.events.length + 1)
    const [made, changed, gone] = follower.changes()
    assert.deepEqual([made.op, changed.op, gone.op], ['create', 'update', 'delete'])
    for (const change of [made, changed, gone]) {
      assert.equal(change._id, _id)
      assert.equal(change._collection, 'people')
      assert.match(change.at, /Z$/)
    }
    assert.equal(gone.record, undefined)
    const ids = follower.events.map(({ id }) => Number(id))
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b)
    )
    await follower.stop()
  })

  test('Last-Event-ID and since go on where somebody was', async () => {
    const { store, url } = boxes()
    await store('/resumed', '[{"n":1},{"n":2},{"n":3}]')
    const { changes } = await pageOf(boxes(), 'resumed')
    const second = String(changes[1]?.seq)
    for (const follower of [
      follow(`${url}/resumed`, { 'last-event-id': second }),
      follow(`${url}/resumed?since=${second}`)
    ]) {
      await follower.until(2)
      assert.deepEqual(
        follower.changes().map(({ record }) => record.n),
        [3]
      )
      await follower.stop()
    }
  })

  test('a collection, a filter: what does not match is gone for whoever follows it', async () => {
    const { ask, store, url } = boxes()
    await store('/sifted', '{"n":0}')
    const one = follow(`${url}/sifted/people`)
    const other = follow(`${url}/sifted?q=n:>5`)
    await Promise.all([one.until(1), other.until(1)])
    await store('/sifted', '{"n":1}')
    const { _id } = await store('/sifted/people', '{"n":7}')
    await ask(`PUT /sifted/${_id}`, '{"n":2}')
    while (one.changes().length < 2) await one.until(one.events.length + 1)
    while (other.changes().length < 3) await other.until(other.events.length + 1)
    assert.deepEqual(
      one.changes().map(({ op }) => op),
      ['create', 'update']
    )
    assert.equal(one.changes()[0]._collection, undefined)
    const ops = other.changes().map(({ op, _id: id }) => [op, id === _id])
    assert.deepEqual(ops.slice(0, 1), [['delete', false]])
    assert.deepEqual(ops.at(-1), ['delete', true])
    await Promise.all([one.stop(), other.stop()])
  })

  test('HEAD opens no stream', async () => {
    const { ask } = boxes()
    const answer = await ask('HEAD /live', undefined, { accept: 'text/event-stream' })
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  })

  test('an answer as JSON, in pages', async () => {
    const { store } = boxes()
    await store('/paged', '[{"n":1},{"n":2},{"n":3}]')
    const first = await pageOf(boxes(), 'paged?limit=2')
    assert.deepEqual([first.changes.length, first.more], [2, true])
    const second = await pageOf(boxes(), `paged?limit=2&since=${first.seq}`)
    assert.deepEqual([second.changes.length, second.more], [1, false])
    assert.equal(second.seq, second.changes[0]?.seq)
    assert.deepEqual(second.changes[0]?.record?.n, 3)
    const none = await pageOf(boxes(), 'paged?since=now')
    assert.deepEqual(none, { seq: second.seq, changes: [], more: false })
  })

  test('wait holds an answer back until there is something to tell', async () => {
    const { store } = boxes()
    let isWaiting = true
    const waiting = pageOf(boxes(), 'awaited?since=now&wait=20').finally(() => {
      isWaiting = false
    })
    // What is stored before the question arrives is not told: the next one is.
    while (isWaiting) await store('/awaited', '{"n":1}')
    const { changes } = await waiting
    assert.equal(changes[0]?.op, 'create')
    const { seq } = await pageOf(boxes(), 'awaited?since=now')
    const started = performance.now()
    const nothing = await pageOf(boxes(), `awaited?since=${seq}&wait=1`)
    assert.deepEqual(nothing, { seq, changes: [], more: false })
    assert.ok(performance.now() - started > 900)
  })

  test('a number that the box never had, or no longer knows, is answered clearly', async () => {
    const { ask, store, url } = boxes()
    await store('/lost', '{"n":1}')
    for (const since of ['5', '9007199254740991']) {
      const answer = await ask(`GET /_changes/lost?since=${since}`)
      assert.equal(answer.status, 410)
      assert.equal(JSON.parse(answer.text).code, 'changes_forgotten')
      const follower = follow(`${url}/lost`, { 'last-event-id': since })
      await follower.until(2)
      const { seq } = await pageOf(boxes(), 'lost?since=now')
      assert.deepEqual(follower.events[1], {
        id: String(seq),
        event: 'reset',
        data: `{"seq":${seq}}`
      })
      await store('/lost', '{"n":2}')
      await follower.until(3)
      assert.equal(follower.changes().at(-1).record.n, 2)
      await follower.stop()
    }
  })

  test('what is no number is refused', async () => {
    const { ask } = boxes()
    for (const request of [
      ...['GET /_changes/x?since=-1', 'GET /_changes/x?since=abc', 'GET /_changes/x?limit=x'],
      ...['GET /_changes/x?wait=61', 'GET /_changes/x?q=:']
    ]) {
      assert.equal((await ask(request)).status, 400, request)
    }
    const headers = { accept: 'text/event-stream', 'last-event-id': 'x' }
    assert.equal((await ask('GET /x', undefined, headers)).status, 400)
  })

  test('whoever loses the right to read is told nothing more', async () => {
    const { ask, store, url } = boxes()
    const owner = { 'x-api-key': KEY }
    await store('/narrowed', '{"n":1}', owner)
    await ask('PATCH /_keys/narrowed', '{"private":true}', owner)
    const issued = await store<{ id: string; key: string }>(
      ...(['/_keys/narrowed', '{"scopes":["read"]}', owner] as const)
    )
    const follower = follow(`${url}/narrowed`, { 'x-api-key': issued.key })
    await follower.until(1)
    await store('/narrowed', '{"n":2}', owner)
    await follower.until(2)
    await ask(`DELETE /_keys/narrowed/${issued.id}`, undefined, owner)
    await follower.until(3)
    assert.deepEqual(follower.events[2], { id: '0', event: 'reset', data: '{"seq":0}' })
    await store('/narrowed', '{"n":3}', owner)
    const still = follow(`${url}/narrowed`, owner)
    await still.until(1)
    await store('/narrowed', '{"n":4}', owner)
    await still.until(2)
    assert.equal(follower.events.length, 3)
    await Promise.all([follower.stop(), still.stop()])
  })
})

scenes('I-2, few may follow', { maxStreams: 2 }, (boxes) => {
  test('one too many is told so, and may come when another has gone', async () => {
    const { ask, url } = boxes()
    const followers = [follow(`${url}/few`), follow(`${url}/few`)]
    await Promise.all(followers.map((follower) => follower.until(1)))
    const headers = { accept: 'text/event-stream' }
    const refused = await ask('GET /few', undefined, headers)
    assert.equal(refused.status, 503)
    assert.equal(JSON.parse(refused.text).code, 'too_many_streams')
    assert.ok(refused.headers.get('retry-after'))
    assert.equal((await ask('GET /_changes/few?since=now&wait=5')).status, 503)
    await followers[0]?.stop()
    let third = follow(`${url}/few`)
    for (let n = 0; n < 50 && third.events.length === 0; n++) {
      await Promise.race([third.until(1), third.done.catch(() => undefined)])
      if (third.events.length === 0) third = follow(`${url}/few`)
    }
    assert.equal(third.events.length, 1)
    await Promise.all([followers[1]?.stop(), third.stop()])
  })
})
