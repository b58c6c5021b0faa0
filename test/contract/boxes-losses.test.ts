/** Nothing is dropped in silence, nobody is locked out, and whoever follows learns of it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Boxes, KEY, scenes } from './boxes-scene.ts'

const ID = 'abcdefabcdefabcdefabcdef'
const NO_UUID = { 'x-api-key': 'secret' }
/** The sweep comes once a second; some of these moments lie between expiry and sweep. */
const MOMENTS = [0, 170, 340, 510, 680, 850]

interface Page {
  seq: number
  changes: { op: string; _id: string; record?: Record<string, unknown> }[]
}

async function fails(answer: ReturnType<Boxes['ask']>, status: number, code: string) {
  const { status: actual, text } = await answer
  assert.equal(actual, status, text)
  const body = JSON.parse(text)
  assert.equal(body.code, code)
  return body
}

scenes('I-2, a batch takes one record at a time', {}, (boxes) => {
  test('a list as body is refused, and named', async () => {
    const { ask, store, get } = boxes()
    const { _id } = await store('/lists', '{"a":1}')
    const run = (...operations: object[]) => ask('POST /_batch/lists', JSON.stringify(operations))
    const fine = { op: 'create', body: { fine: true } }
    const body = [{ a: 1 }, { b: 2 }]
    for (const list of [body, [{ a: 1 }], []]) {
      const create = await fails(run(fine, { op: 'create', body: list }), 400, 'batch_invalid')
      assert.equal(create.index, 1)
      const put = await fails(run(fine, { op: 'put', id: _id, body: list }), 400, 'bulk_update')
      assert.deepEqual([put.index, put.message], [1, 'Bulk update not supported.'])
    }
    const [only, ...others] = await get('/lists')
    assert.deepEqual([only?.a, others.length], [1, 0])
  })

  test('a collection that no path can reach is refused', async () => {
    const { ask } = boxes()
    const body = JSON.stringify([{ op: 'create', body: {}, collection: ID.toUpperCase() }])
    await fails(ask('POST /_batch/unreachable', body), 400, 'batch_invalid')
  })
})

scenes('I-2, a box is claimed by a UUID only', {}, (boxes) => {
  const REQUESTS: [string, string, Record<string, string>?][] = [
    ['POST /_batch/<box>', '[{"op":"create","body":{}}]'],
    [`PUT /<box>/${ID}`, '{}', { 'if-none-match': '*' }],
    ['PUT /_meta/<box>', '{"ttl":60}'],
    ['PUT /_schema/<box>', '{"type":"object"}'],
    ['PUT /_indexes/<box>', '["a"]'],
    ['POST /_import/<box>', '{"a":1}'],
    ['POST /<box>', '{"a":1}']
  ]
  for (const [n, [request, body, headers]] of REQUESTS.entries()) {
    test(request, async () => {
      const { ask, store } = boxes()
      const path = request.replace('<box>', `claimed-${n}`)
      const refused = await fails(ask(path, body, { ...headers, ...NO_UUID }), 400, 'key_malformed')
      assert.equal(refused.message, 'Invalid API-KEY. API-KEY Should be a UUID.')
      await store(`/claimed-${n}`, '{}')
      const owned = path.replace('claimed', 'owned')
      const answer = await ask(owned, body, { ...headers, 'x-api-key': KEY })
      assert.equal(answer.status, 200, answer.text)
    })
  }
})

scenes('I-2, what has expired is gone before it is swept', {}, (boxes) => {
  test('an import stores it anew', async () => {
    const { ask, get } = boxes()
    await Promise.all(
      MOMENTS.map(async (moment) => {
        await wait(moment)
        const box = `revived-${moment}`
        const { text: line } = await ask(`PUT /${box}/${ID}?ttl=1`, '{"n":1}', {
          'if-none-match': '*',
          prefer: 'return=representation'
        })
        await wait(1010)
        const { text } = await ask(`POST /_import/${box}`, line)
        const { created, unchanged, replaced } = JSON.parse(text)
        assert.deepEqual([created, unchanged, replaced], [1, 0, 0], text)
        assert.equal((await get(`/${box}`)).length, 1)
      })
    )
  })

  test('it takes no place under a cap', async () => {
    const { ask, store, get } = boxes()
    await Promise.all(
      MOMENTS.map(async (moment) => {
        await wait(moment)
        const box = `places-${moment}`
        await ask(`PUT /_meta/${box}`, '{"cap":2}')
        await store(`/${box}`, '{"n":1}')
        await store(`/${box}?ttl=1`, '{"n":2}')
        await wait(1010)
        await store(`/${box}`, '{"n":3}')
        const left = (await get(`/${box}?sort=n`)).map(({ n }) => n)
        assert.deepEqual(left, [1, 3])
      })
    )
  })
})

scenes('I-2, changes that could be missed', { maxStreams: 2 }, (boxes) => {
  test('without since, all that is remembered is told, also of a log that was cut', async () => {
    const { ask, store, get } = boxes()
    const many = `[${Array(1000).fill('{}')}]`
    for (let n = 0; n < 12; n++) await store('/cut', many)
    for (let tries = 0; (await ask('GET /_changes/cut?since=0')).status !== 410; tries++) {
      assert.ok(tries < 200, 'the log is never cut')
      await wait(50)
    }
    const { changes } = await get<Page>('/_changes/cut?limit=3')
    assert.equal(changes.length, 3)
  })

  test('a record that an import moves leaves its collection', async () => {
    const { ask, get } = boxes()
    const line = (collection: string) => `{"_id":"${ID}","n":1,"_collection":"${collection}"}`
    await ask('POST /_import/moved', line('old'))
    await ask('POST /_import/moved', line('new'))
    const old = await get<Page>('/_changes/moved/old')
    assert.deepEqual(
      old.changes.map(({ op, _id, record }) => [op, _id, record]),
      [
        ['create', ID, undefined],
        ['delete', ID, undefined]
      ]
    )
    const { changes } = await get<Page>('/_changes/moved/new')
    assert.deepEqual(
      changes.map(({ op, record }) => [op, record?.n]),
      [['create', 1]]
    )
  })

  test('whoever leaves at once leaves no follower behind', async () => {
    const { ask, url } = boxes()
    const { hostname, port } = new URL(url)
    for (let n = 0; n < 40; n++) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      const head = `GET /left HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/event-stream\r\n\r\n`
      socket.write(head, () => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    for (let tries = 0; ; tries++) {
      const { status } = await ask('GET /_changes/left?since=now&wait=1')
      if (status === 200) break
      assert.ok(tries < 40, 'the places of those who left stay taken')
      await wait(50)
    }
  })
})

scenes('I-2, conditions that cannot hold', {}, (boxes) => {
  test('If-Match beside If-None-Match: * is not forgotten', async () => {
    const { ask, store } = boxes()
    const both = { 'if-match': '"1"', 'if-none-match': '*' }
    await fails(ask(`PUT /both/${ID}`, '{}', both), 412, 'precondition_failed')
    await fails(ask(`GET /both/${ID}`), 404, 'record_not_found')
    await store('/both', '{}')
    await fails(ask(`PUT /both/${ID}`, '{}', both), 412, 'precondition_failed')
    const put = { op: 'put', id: ID, body: {}, ifMatch: 1, ifNoneMatch: '*' }
    for (const operation of [put, { op: 'create', body: {}, ifMatch: 1 }]) {
      const body = JSON.stringify([operation])
      const { index } = await fails(ask('POST /_batch/both', body), 412, 'precondition_failed')
      assert.equal(index, 0)
    }
  })

  test('If-Match on many records removes none', async () => {
    const { ask, store, get } = boxes()
    await store('/kept', '[{"n":1},{"n":2}]')
    for (const query of ['q=n:>0', 'all=true']) {
      const answer = ask(`DELETE /kept?${query}`, undefined, { 'if-match': '"1"' })
      await fails(answer, 412, 'precondition_failed')
    }
    assert.equal((await get('/kept')).length, 2)
  })

  test('the page deletes only what it has shown', async () => {
    const { ask, store, get } = boxes()
    const { _id } = await store('/shown', '{"n":1}')
    await ask(`PUT /shown/${_id}`, '{"n":2}')
    const remove = (rev: string) =>
      ask('POST /', `action=delete&box=shown&record=${_id}&rev=${rev}`, {
        'content-type': 'application/x-www-form-urlencoded'
      })
    const refused = await remove('1')
    assert.equal(refused.status, 412)
    assert.match(refused.text, /Not deleted/)
    assert.equal((await get('/shown')).length, 1)
    await remove('2')
    assert.equal((await get('/shown')).length, 0)
  })
})

scenes('I-2, lines that cannot be kept as they are', {}, (boxes) => {
  test('a day that is none, and a collection that no path can reach', async () => {
    const { ask } = boxes()
    const lines = [
      '{"_createdOn":"2026-02-31T00:00:00Z"}',
      '{"_createdOn":"2024-02-29T23:30:00-05:00"}',
      '{"_createdOn":"2025-02-29T00:00:00+01:00"}',
      `{"_collection":"${ID}"}`
    ]
    const { text } = await ask('POST /_import/lines', lines.join('\n'))
    const { created, errors } = JSON.parse(text)
    assert.equal(created, 1)
    assert.deepEqual(
      errors.map(({ line, code }: { line: number; code: string }) => [line, code]),
      [
        [1, 'line_invalid'],
        [3, 'line_invalid'],
        [4, 'collection_invalid']
      ]
    )
  })

  test('errors come in the order of their lines, whatever is found first', async () => {
    const { ask } = boxes()
    await ask('PUT /_schema/order', '{"required":["a"]}')
    const lines = Array.from({ length: 150 }, (_, n) => (n % 2 ? '{' : '{"b":1}'))
    const { text } = await ask('POST /_import/order', lines.join('\n'))
    const { refused, errors } = JSON.parse(text)
    assert.equal(refused, 150)
    assert.deepEqual(
      errors.map(({ line }: { line: number }) => line),
      Array.from({ length: 100 }, (_, n) => n + 1)
    )
  })
})
