/** Patches, conditions, chosen ids, fields and batches. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Boxes, KEY, scenes } from './boxes-scene.ts'

const HOSTILE =
  '{ "n" : 12345678901234567890, "o":{"10":1.0,"2":-0},"__proto__":{"x":1E5},\n"d":1,"d":2,"\\u00e9":"\\/" }'
const ID = 'abcdefabcdefabcdefabcdef'
const MERGE = { 'content-type': 'application/merge-patch+json' }
const PATCH = { 'content-type': 'application/json-patch+json' }

const inside = (text: string) => /^\{"_id":"[0-9a-f]{24}",(.*),"_createdOn":/s.exec(text)?.[1]

async function fails(answer: ReturnType<Boxes['ask']>, status: number, code: string) {
  const { status: actual, text } = await answer
  assert.equal(actual, status, text)
  const body = JSON.parse(text)
  assert.equal(body.code, code)
  assert.ok(body.message)
  return body
}

scenes('I-2, partial updates', {}, (boxes) => {
  test('a merge patch answers the record and keeps every byte it does not name', async () => {
    const { ask, store } = boxes()
    const { _id } = await store('/merged', HOSTILE)
    const answer = await ask(`PATCH /merged/${_id}`, '{"o":{"2":null},"new":1.50}', MERGE)
    assert.equal(answer.status, 200, answer.text)
    const wanted =
      ' "n" : 12345678901234567890, "o":{"10":1.0},"__proto__":{"x":1E5},\n"d":1,"d":2,"\\u00e9":"\\/" ,"new":1.50'
    assert.equal(inside(answer.text), wanted)
    assert.equal(answer.headers.get('etag'), '"2"')
    assert.match(answer.text, /"_updatedOn":"/)
    assert.equal(inside((await ask(`GET /merged/${_id}`)).text), wanted)
  })

  test('plain JSON is a merge patch, and JSON Patch has its own type', async () => {
    const { ask, store } = boxes()
    const { _id } = await store('/typed', '{"a":[1],"b":2}')
    const merged = await ask(`PATCH /typed/${_id}`, '{"b":null}', {
      'content-type': 'application/json; charset=utf-8'
    })
    assert.equal(inside(merged.text), '"a":[1]')
    const patched = await ask(
      `PATCH /typed/${_id}`,
      '[{"op":"add","path":"/a/-","value":2.0}]',
      PATCH
    )
    assert.equal(inside(patched.text), '"a":[1,2.0]')
  })

  test('what cannot be done changes nothing', async () => {
    const { ask, store } = boxes()
    const { _id } = await store('/refused', '{"a":1}')
    const path = `PATCH /refused/${_id}`
    const half = '[{"op":"add","path":"/b","value":1},{"op":"test","path":"/a","value":2}]'
    assert.match(
      (await fails(ask(path, half, PATCH), 409, 'patch_test_failed')).reason,
      /operation 1/
    )
    const missing = '[{"op":"add","path":"/b","value":1},{"op":"remove","path":"/x/y"}]'
    await fails(ask(path, missing, PATCH), 409, 'patch_failed')
    await fails(ask(path, '{"op":"add"}', PATCH), 400, 'patch_invalid')
    await fails(ask(path, '[{"op":"replace","path":"","value":[1]}]', PATCH), 409, 'patch_failed')
    await fails(ask(path, '["a"]', MERGE), 400, 'patch_invalid')
    await fails(ask(path, '{"a":}', MERGE), 400, 'invalid_json')
    await fails(ask(path, `{"a":${'{"a":'.repeat(80)}1${'}'.repeat(80)}}`), 400, 'patch_invalid')
    await fails(ask(path), 400, 'body_empty')
    await fails(ask(`PATCH /refused/${ID}`, '{}'), 404, 'record_not_found')
    await fails(ask('PATCH /refused', '{}'), 400, 'target_missing')
    await fails(ask(path, `{"a":"${'x'.repeat(1_200_000)}"}`), 413, 'body_too_large')
    assert.equal((await ask(`GET /refused/${_id}`)).headers.get('etag'), '"1"')
    assert.equal(inside((await ask(`GET /refused/${_id}`)).text), '"a":1')
  })

  test("the service's own fields cannot be patched", async () => {
    const { ask, store, get } = boxes()
    const { _id, _createdOn } = await store('/own', '{"a":1}')
    await ask(`PATCH /own/${_id}`, '{"_id":"x","_createdOn":null,"a":2}')
    const ops = '[{"op":"add","path":"/_id","value":"y"},{"op":"replace","path":"/a","value":3}]'
    await ask(`PATCH /own/${_id}`, ops, PATCH)
    const record = await get<Record<string, unknown>>(`/own/${_id}`)
    assert.equal(record._id, _id)
    assert.equal(record._createdOn, _createdOn)
    assert.equal(record.a, 3)
  })
})

scenes('I-2, conditions', {}, (boxes) => {
  test('If-Match lets a write happen to one revision only', async () => {
    const { ask, store } = boxes()
    const { _id } = await store('/matched', '{"a":1}')
    const path = `/matched/${_id}`
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const body = method === 'DELETE' ? undefined : '{"a":2}'
      for (const tag of ['"2"', '"x"', 'W/"1"', '1']) {
        await fails(ask(`${method} ${path}`, body, { 'if-match': tag }), 412, 'precondition_failed')
      }
    }
    const put = await ask(`PUT ${path}`, '{"a":2}', { 'if-match': '"7", "1"' })
    assert.equal(put.status, 200)
    assert.equal(put.headers.get('etag'), '"2"')
    assert.equal((await ask(`PATCH ${path}`, '{}', { 'if-match': '*' })).status, 200)
    await fails(ask(`PUT ${path}`, '{}', { 'if-none-match': '"3"' }), 412, 'precondition_failed')
    assert.equal((await ask(`DELETE ${path}`, undefined, { 'if-match': '"3"' })).status, 200)
    await fails(ask(`PUT ${path}`, '{}', { 'if-match': '*' }), 412, 'precondition_failed')
    await fails(ask(`PUT ${path}`, '{}'), 400, 'record_not_found')
  })

  test('If-None-Match: * creates at a chosen id, once', async () => {
    const { ask, get } = boxes()
    const path = `PUT /chosen/people/${ID.toUpperCase()}`
    const first = await ask(path, '{"a": 1.0}', { 'if-none-match': '*' })
    assert.deepEqual(JSON.parse(first.text), { message: 'Record created.' })
    await fails(ask(path, '{}', { 'if-none-match': '*' }), 412, 'precondition_failed')
    const read = await ask(`GET /chosen/${ID}`)
    assert.equal(inside(read.text), '"a": 1.0')
    assert.equal(read.headers.get('etag'), first.headers.get('etag'))
    assert.equal((await get('/chosen/people')).length, 1)
  })

  test('a record that takes the id of a deleted one has another tag', async () => {
    const { ask } = boxes()
    const path = `/again/${ID}`
    const tags = new Set<string | null>()
    for (let n = 0; n < 3; n++) {
      const { headers } = await ask(`PUT ${path}`, '{}', { 'if-none-match': '*' })
      tags.add(headers.get('etag'))
      await ask(`DELETE ${path}`)
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
    assert.equal(tags.size, 3)
  })

  test('Prefer: return=representation answers a PUT with the record', async () => {
    const { ask, store } = boxes()
    const { _id } = await store('/preferred', '{"a":1}')
    const answer = await ask(`PUT /preferred/${_id}`, '{"a": 2.0}', {
      prefer: 'return=representation'
    })
    assert.equal(inside(answer.text), '"a": 2.0')
    assert.equal(answer.headers.get('preference-applied'), 'return=representation')
  })

  test('a list that has not changed is not sent again', async () => {
    const { ask, store } = boxes()
    const { _id } = await store('/listed', '{"a":1}')
    const path = 'GET /listed?q=a:>=0&fields=a'
    // While others are at work on the same server, a tag may come from the rows instead.
    const settled = async (tries = 50): Promise<string> => {
      const tag = (await ask(path)).headers.get('etag') ?? ''
      assert.match(tag, /^W\/"/)
      const again = await ask(path, undefined, { 'if-none-match': tag })
      if (again.status === 200 && tries > 0) return settled(tries - 1)
      assert.equal(again.status, 304)
      assert.equal(again.text, '')
      return tag
    }
    let tag = await settled()
    const changes = [
      () => ask(`PUT /listed/${_id}`, '{"a":2}'),
      () => ask(`PATCH /listed/${_id}`, '{"b":2}'),
      () => store('/listed', '{"a":3}'),
      () => ask(`DELETE /listed/${_id}`)
    ]
    for (const change of changes) {
      await change()
      assert.equal((await ask(path, undefined, { 'if-none-match': tag })).status, 200)
      tag = await settled()
    }
    const other = await ask('GET /listed?fields=b', undefined, { 'if-none-match': tag })
    assert.equal(other.status, 200)
  })

  test('the tag of an empty list holds for no other empty list', async () => {
    const { ask } = boxes()
    const tag = { 'if-none-match': (await ask('GET /nothing')).headers.get('etag') ?? '' }
    assert.equal((await ask('GET /nothing', undefined, tag)).status, 304)
    for (const other of ['/nothing-else', '/nothing/people', '/nothing?fields=a']) {
      assert.equal((await ask(`GET ${other}`, undefined, tag)).status, 200, other)
    }
  })
})

scenes('I-2, fields', {}, (boxes) => {
  test('fields picks members byte by byte, of records and lists', async () => {
    const { ask, store } = boxes()
    const { _id } = await store('/picked', '{"a": 1.0,"b":{"c":[1.0],"d":2},"l":[{"c":1,"d":2},3]}')
    const one = await ask(`GET /picked/${_id}?fields=a,b.c`)
    assert.equal(inside(one.text), '"a": 1.0,"b":{"c":[1.0]}')
    const many = await ask('GET /picked?fields=l.c')
    assert.equal(inside(many.text.slice(1)), '"l":[{"c":1}]')
    assert.match((await ask('GET /picked?fields=none')).text, /^\[\{"_id":"[0-9a-f]+","_createdOn"/)
    await fails(ask('GET /picked?fields=a%5C'), 400, 'invalid_fields')
    await fails(ask(`GET /picked?fields=${'a.'.repeat(20)}`), 400, 'invalid_fields')
  })

  test('all conditions of an address together have a limit', async () => {
    const { ask } = boxes()
    const where = `where=${encodeURIComponent(JSON.stringify({ $or: Array(40).fill({ a: 1 }) }))}`
    await fails(ask(`GET /b?${where}&${where}&${where}`), 400, 'invalid_query')
    const long = `where=${encodeURIComponent(JSON.stringify({ a: 'x'.repeat(5000) }))}`
    await fails(ask(`GET /b?${long}&${long}`), 400, 'invalid_query')
  })
})

scenes('I-2, batches', {}, (boxes) => {
  test('operations happen in their order, and each answers', async () => {
    const { ask, store, get } = boxes()
    const kept = await store('/batched', '{"a":1}')
    const gone = await store('/batched', '{"b":1}')
    const body = JSON.stringify([
      { op: 'create', body: { c: 1 }, collection: 'people' },
      { op: 'put', id: kept._id, body: { a: 2 }, ifMatch: 1 },
      { op: 'patch', id: kept._id, body: { x: true }, ifMatch: '"2"' },
      { op: 'patch', id: kept._id, body: [{ op: 'remove', path: '/a' }] },
      { op: 'delete', id: gone._id },
      { op: 'put', id: ID, body: {}, ifNoneMatch: '*' }
    ]).replace('"c":1', '"c": 1.0')
    const answer = await ask('POST /_batch/batched', body, { prefer: 'return=representation' })
    assert.equal(answer.status, 200, answer.text)
    const results = JSON.parse(answer.text)
    assert.equal(results.length, 6)
    assert.match(answer.text, /"record":\{"_id":"[0-9a-f]{24}","c": 1\.0,"_createdOn"/)
    assert.deepEqual(results[4], { _id: gone._id })
    assert.equal(results[3].etag, '"4"')
    const now = await get<Record<string, unknown>>(`/batched/${kept._id}`)
    assert.equal(now.x, true)
    assert.equal('a' in now, false)
    assert.equal((await get('/batched')).length, 3)
    assert.equal((await get('/batched/people')).length, 1)
  })

  test('one that fails takes all along, and is named', async () => {
    const { ask, store, get } = boxes()
    const { _id } = await store('/atomic', '{"a":1}')
    const run = (...operations: object[]) => ask('POST /_batch/atomic', JSON.stringify(operations))
    const create = { op: 'create', body: { b: 1 } }
    const cases: [object, number, string][] = [
      [{ op: 'put', id: _id, body: {}, ifMatch: 2 }, 412, 'precondition_failed'],
      [{ op: 'delete', id: ID }, 400, 'record_not_found'],
      [
        { op: 'patch', id: _id, body: [{ op: 'test', path: '/a', value: 2 }] },
        409,
        'patch_test_failed'
      ],
      [{ op: 'put', id: _id, body: {}, ifNoneMatch: '*' }, 412, 'precondition_failed'],
      [{ op: 'nothing' }, 400, 'batch_invalid'],
      [{ op: 'put', body: {} }, 400, 'batch_invalid'],
      [{ op: 'create' }, 400, 'batch_invalid'],
      [{ op: 'create', body: {}, to: 1 }, 400, 'batch_invalid'],
      [{ op: 'put', id: '../etc', body: {} }, 400, 'batch_invalid']
    ]
    for (const [operation, status, code] of cases) {
      const { index } = await fails(run(create, operation, create), status, code)
      assert.equal(index, 1)
    }
    await fails(ask('POST /_batch/atomic', '{}'), 400, 'batch_invalid')
    await fails(ask('POST /_batch/atomic', '[]'), 400, 'body_empty')
    await fails(run(...Array(1001).fill(create)), 413, 'too_many_records')
    assert.equal((await get('/atomic')).length, 1)
    assert.equal((await run(...Array(1000).fill(create))).status, 200)
  })

  test('in a protected box it takes the key', async () => {
    const { ask, store } = boxes()
    await store('/guarded', '{}', { 'x-api-key': KEY })
    const body = '[{"op":"create","body":{}}]'
    await fails(ask('POST /_batch/guarded', body), 401, 'key_refused')
    assert.equal((await ask('POST /_batch/guarded', body, { 'x-api-key': KEY })).status, 200)
  })
})
