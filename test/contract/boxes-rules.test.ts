/** What is laid down for a box: indexes, expiry, caps, schemas; and its removal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Boxes, KEY, OTHER_KEY, scenes } from './boxes-scene.ts'

async function fails(answer: ReturnType<Boxes['ask']>, status: number, code: string) {
  const { status: actual, text } = await answer
  assert.equal(actual, status, text)
  const body = JSON.parse(text)
  assert.equal(body.code, code)
  return body
}

async function ready({ get }: Boxes, box: string): Promise<string[]> {
  for (;;) {
    const indexes = await get<{ path: string; state: string }[]>(`/_indexes/${box}`)
    if (indexes.every(({ state }) => state === 'ready')) return indexes.map(({ path }) => path)
    await wait(10)
  }
}

scenes('I-2, indexes', {}, (boxes) => {
  test('are declared by path, listed, and dropped', async () => {
    const { ask, store, get } = boxes()
    await store('/indexed', '[{"age":1,"home":{"town":"A"}},{"age":2},{"age":"x"}]')
    const put = await ask('PUT /_indexes/indexed', '["age","home.town","a\\\\.b"]')
    assert.equal(put.status, 200, put.text)
    assert.deepEqual(await ready(boxes(), 'indexed'), ['age', 'home.town', 'a\\.b'])
    assert.equal((await get('/indexed?q=age:>=2')).length, 1)
    assert.equal((await get('/indexed?q=home.town:a')).length, 1)
    await store('/indexed', '{"age":3}')
    const sorted = await get<{ age: unknown }[]>('/indexed?sort=-age')
    assert.deepEqual(
      sorted.map(({ age }) => age),
      ['x', 3, 2, 1]
    )
    assert.equal((await ask('PUT /_indexes/indexed/name')).status, 200)
    assert.equal((await ready(boxes(), 'indexed')).length, 4)
    assert.equal((await ask('DELETE /_indexes/indexed/name')).status, 200)
    await fails(ask('DELETE /_indexes/indexed/name'), 404, 'index_not_found')
    await ask('PUT /_indexes/indexed', '["age"]')
    assert.deepEqual(await ready(boxes(), 'indexed'), ['age'])
    assert.equal((await ask('DELETE /_indexes/indexed')).status, 200)
    assert.deepEqual(await get('/_indexes/indexed'), [])
    assert.equal((await get('/indexed?q=age:>=2')).length, 2)
  })

  test('an index lists equal records in the order of insertion, in both directions', async () => {
    const { ask, get, store } = boxes()
    const all = Array.from({ length: 500 }, (_, n) => ({ n, third: n % 3, odd: n % 2 === 1 }))
    await store('/tied', JSON.stringify(all))
    const list = async (parameters: string) => {
      return (await get(`/tied?${parameters}`)).map(({ n }) => Number(n))
    }
    const lists = ['sort=-third&limit=0', 'sort=third&limit=0', 'sort=-third&limit=5&skip=160']
    const asked = [...lists, 'sort=-third&limit=0&q=odd:true', 'sort=-third&limit=20']
    const without = await Promise.all(asked.map(list))
    assert.deepEqual(
      without[0],
      all.toSorted((one, other) => other.third - one.third || one.n - other.n).map(({ n }) => n)
    )
    await ask('PUT /_indexes/tied', '["third"]')
    await ready(boxes(), 'tied')
    assert.deepEqual(await Promise.all(asked.map(list)), without)
  })

  test('a box that is filled already is indexed while others work', async () => {
    const { ask, store, get } = boxes()
    const records = Array.from({ length: 1000 }, (_, n) => `{"n":${n}}`)
    for (let n = 0; n < 3; n++) await store('/filled', `[${records}]`)
    await ask('PUT /_indexes/filled', '["n"]')
    const writes = Array.from({ length: 20 }, () => store('/filled', '{"n":5000}'))
    await Promise.all([ready(boxes(), 'filled'), ...writes])
    assert.equal((await get('/filled?q=n:>=5000')).length, 20)
    assert.equal((await get('/filled?q=n:=7')).length, 3)
  })

  test('what is no path is refused', async () => {
    const { ask } = boxes()
    const paths = ['{}', '[1]', '[""]', '["_id"]', `["${'a.'.repeat(20)}"]`, '["a\\\\"]']
    for (const body of [...paths, JSON.stringify(Array.from({ length: 17 }, (_, n) => `p${n}`))]) {
      await fails(ask('PUT /_indexes/wrong', body), 400, 'setting_invalid')
    }
    await fails(ask('PUT /_indexes/wrong', '[,]'), 400, 'invalid_json')
    for (let n = 0; n < 16; n++) await ask(`PUT /_indexes/full/p${n}`)
    await fails(ask('PUT /_indexes/full/one-more'), 400, 'too_many_indexes')
  })
})

scenes('I-2, expiry and caps', {}, (boxes) => {
  test('a record whose time is over is not to be seen, at once and everywhere', async ({
    mock
  }) => {
    const { ask, store, get } = boxes()
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const { _id } = await store('/mortal?ttl=1', '{"a":1}')
    await store('/mortal', '{"a":2}')
    assert.equal((await get('/mortal')).length, 2)
    mock.timers.tick(1010)
    assert.equal((await get('/mortal')).length, 1)
    assert.equal((await get('/mortal?q=a:>=1&sort=a')).length, 1)
    await fails(ask(`GET /mortal/${_id}`), 404, 'record_not_found')
    await fails(ask(`PUT /mortal/${_id}`, '{}'), 400, 'record_not_found')
    await fails(ask(`PATCH /mortal/${_id}`, '{}'), 404, 'record_not_found')
    await fails(ask(`DELETE /mortal/${_id}`), 400, 'record_not_found')
    assert.equal((await get<{ _count: number }>('/_meta/mortal'))._count, 1)
    const put = await ask(`PUT /mortal/${_id}`, '{"a":3}', { 'if-none-match': '*' })
    assert.equal(put.status, 200, put.text)
    assert.equal((await get('/mortal')).length, 2)
  })

  test('a box may have a time to live for all its new records', async ({ mock }) => {
    const { ask, store, get } = boxes()
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const meta = await ask('PUT /_meta/short', '{"ttl":1}')
    assert.deepEqual(JSON.parse(meta.text)._ttl, 1)
    await store('/short', '[{"a":1},{"a":2}]')
    await store('/short?ttl=60', '{"a":3}')
    mock.timers.tick(1010)
    assert.deepEqual(
      (await get('/short')).map(({ a }) => a),
      [3]
    )
    await ask('PUT /_meta/short', '{}')
    assert.equal('_ttl' in (await get<object>('/_meta/short')), false)
  })

  test('a capped box keeps the newest, of old ones too', async () => {
    const { ask, store, get } = boxes()
    await store('/capped', `[${Array.from({ length: 30 }, (_, n) => `{"n":${n}}`)}]`)
    await ask('PUT /_indexes/capped', '["n"]')
    await ask('PUT /_meta/capped', '{"cap":10}')
    const kept = async () => (await get('/capped?sort=n&limit=0')).map(({ n }) => n)
    assert.deepEqual(await kept(), [20, 21, 22, 23, 24, 25, 26, 27, 28, 29])
    await store('/capped', '[{"n":30},{"n":31}]')
    await store('/capped', '{"n":32}')
    assert.deepEqual(await kept(), [23, 24, 25, 26, 27, 28, 29, 30, 31, 32])
    await store('/capped', `[${Array.from({ length: 15 }, (_, n) => `{"n":${100 + n}}`)}]`)
    assert.equal((await kept())[0], 105)
    assert.equal((await get<{ _count: number; _cap: number }>('/_meta/capped'))._count, 10)
  })

  test('what is no time and no number is refused', async () => {
    const { ask } = boxes()
    for (const ttl of ['0', '-1', 'x', '1.5', '99999999999']) {
      await fails(ask(`POST /times?ttl=${ttl}`, '{}'), 400, 'invalid_ttl')
    }
    await fails(ask('PUT /_meta/times', '{"ttl":0}'), 400, 'invalid_ttl')
    for (const body of ['[]', '{"cap":0}', '{"cap":10001}', '{"cap":"5"}', '{"keep":1}']) {
      await fails(ask('PUT /_meta/times', body), 400, 'setting_invalid')
    }
  })
})

const SCHEMA = `{
  "type": "object", "required": ["name"],
  "properties": { "name": { "type": "string", "pattern": "^[A-Z]" }, "age": { "type": "integer", "minimum": 0 } },
  "unevaluatedProperties": false
}`

scenes('I-2, schemas', {}, (boxes) => {
  test('every write has to fit, and the answer tells where it does not', async () => {
    const { ask, store, get } = boxes()
    assert.equal((await ask('PUT /_schema/strict', SCHEMA)).text, SCHEMA)
    assert.equal((await ask('GET /_schema/strict')).text, SCHEMA)
    const { _id } = await store('/strict', '{"name":"Arya","age": 18.0}')
    const broken = await fails(
      ask('POST /strict', '{"name":"arya","age":-1,"x":1}'),
      422,
      'schema_mismatch'
    )
    assert.deepEqual(broken.errors.map(({ path }: { path: string }) => path).sort(), [
      '',
      '/age',
      '/name'
    ])
    const many = await fails(
      ask('POST /strict', '[{"name":"A"},{"age":1}]'),
      422,
      'schema_mismatch'
    )
    assert.equal(many.index, 1)
    await fails(ask(`PUT /strict/${_id}`, '{}'), 422, 'schema_mismatch')
    await fails(ask(`PATCH /strict/${_id}`, '{"name":null}'), 422, 'schema_mismatch')
    await fails(ask('POST /_batch/strict', '[{"op":"create","body":{}}]'), 422, 'schema_mismatch')
    const listed = await ask('GET /strict')
    assert.match(listed.text, /^\[\{"_id":"[0-9a-f]+","name":"Arya","age": 18\.0,"_createdOn"/)
    assert.equal((await ask('DELETE /_schema/strict')).status, 200)
    await fails(ask('DELETE /_schema/strict'), 404, 'schema_not_found')
    await fails(ask('GET /_schema/strict'), 404, 'schema_not_found')
    await store('/strict', '{}')
    assert.equal((await get('/strict')).length, 2)
  })

  test('a collection may have one of its own, and a box one for all', async () => {
    const { ask, store } = boxes()
    await ask('PUT /_schema/parts/people', '{"required":["name"]}')
    await ask('PUT /_schema/parts', '{"maxProperties":2}')
    await store('/parts', '{}')
    await store('/parts/people', '{"name":1}')
    await fails(ask('POST /parts/people', '{}'), 422, 'schema_mismatch')
    await fails(ask('POST /parts', '{"a":1,"b":2,"c":3}'), 422, 'schema_mismatch')
  })

  test('what is no schema is refused', async () => {
    const { ask } = boxes()
    const refused = [
      '1',
      '{"type":"strin"}',
      '{"pattern":"("}',
      '{"pattern":"(?=a)"}',
      '{"$ref":"http://x/y"}'
    ]
    for (const body of refused) {
      assert.ok((await fails(ask('PUT /_schema/none', body), 400, 'schema_invalid')).reason)
    }
    await fails(ask('PUT /_schema/none', '{'), 400, 'invalid_json')
    await fails(
      ask('PUT /_schema/none', `{"title":"${'x'.repeat(70_000)}"}`),
      413,
      'body_too_large'
    )
  })

  test('no schema keeps the service busy', { timeout: 60_000 }, async () => {
    const { ask } = boxes()
    const deep = `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`
    const cases: [string, string, number][] = [
      ['{"properties":{"a":{"pattern":"^(a+)+$"}}}', `{"a":"${'a'.repeat(50_000)}!"}`, 422],
      ['{"properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}', deep, 422],
      ['{"$ref":"#"}', '{}', 422],
      [
        '{"properties":{"a":{"uniqueItems":true}}}',
        `{"a":[${Array.from({ length: 60_000 }, (_, n) => `{"n":${n}}`)}]}`,
        200
      ],
      ['{"properties":{"a":{"items":{"type":"string"}}}}', `{"a":[${Array(300_000).fill(1)}]}`, 422]
    ]
    for (const [index, [schema, record, status]] of cases.entries()) {
      assert.equal((await ask(`PUT /_schema/busy-${index}`, schema)).status, 200)
      const started = performance.now()
      const answer = await ask(`POST /busy-${index}`, record)
      assert.equal(answer.status, status, `${schema}: ${answer.text.slice(0, 300)}`)
      assert.ok(performance.now() - started < 20_000, schema)
    }
  })
})

scenes('I-2, removal of a box', {}, (boxes) => {
  test('takes everything along, and the name is free again', async () => {
    const { ask, store, get } = boxes()
    await store('/removed', `[${Array.from({ length: 500 }, (_, n) => `{"n":${n}}`)}]`, {
      'x-api-key': KEY
    })
    await ask('PUT /_indexes/removed', '["n"]', { 'x-api-key': KEY })
    await ask('PUT /_schema/removed', '{"required":["n"]}', { 'x-api-key': KEY })
    await fails(ask('DELETE /removed?all=true'), 401, 'key_refused')
    await fails(
      ask('DELETE /removed?all=true', undefined, { 'x-api-key': OTHER_KEY }),
      401,
      'key_refused'
    )
    assert.equal((await get('/removed')).length, 20)
    const gone = await ask('DELETE /removed?all=true', undefined, { 'x-api-key': KEY })
    assert.deepEqual(JSON.parse(gone.text), { message: 'Box removed.' })
    assert.deepEqual(await get('/removed'), [])
    assert.deepEqual(await get('/_indexes/removed'), [])
    assert.deepEqual(await get('/_meta/removed'), { _count: 0, _sizeLimit: 1088 })
    await fails(ask('GET /_schema/removed'), 404, 'schema_not_found')
    await store('/removed', '{"now":"public"}')
    await store('/removed', '{}')
    assert.equal((await get('/removed')).length, 2)
  })

  test('a public box that is written to all the time goes whole', async () => {
    const { ask, store, get } = boxes()
    for (let n = 0; n < 5; n++) await store('/busy', '{"n":1}')
    await ask('DELETE /busy?all=true')
    await store('/busy', '{"n":2}')
    assert.deepEqual(
      (await get('/busy')).map(({ n }) => n),
      [2]
    )
  })

  test('needs its word, and a query is a query', async () => {
    const { ask, store, get } = boxes()
    await store('/kept', '[{"a":1},{"a":2}]')
    await fails(ask('DELETE /kept?all=yes'), 400, 'target_missing')
    await fails(ask('DELETE /kept/people?all=true'), 400, 'target_missing')
    await ask('DELETE /kept?all=true&q=a:=1')
    assert.equal((await get('/kept')).length, 1)
  })
})

scenes('I-2, a protected box is managed with its key', {}, (boxes) => {
  const REQUESTS: readonly [string, string | undefined][] = [
    ['PUT /_indexes/owned', '["a"]'],
    ['PUT /_indexes/owned/b', undefined],
    ['DELETE /_indexes/owned', undefined],
    ['PUT /_schema/owned', '{}'],
    ['DELETE /_schema/owned', undefined],
    ['PUT /_meta/owned', '{"cap":5}'],
    ['POST /_batch/owned', '[{"op":"create","body":{}}]'],
    ['DELETE /owned?all=true', undefined]
  ]
  test('and with no other', async () => {
    const { ask, store } = boxes()
    await store('/owned', '{}', { 'x-api-key': KEY })
    for (const [request, body] of REQUESTS) {
      await fails(ask(request, body), 401, 'key_refused')
      await fails(ask(request, body, { 'x-api-key': OTHER_KEY }), 401, 'key_refused')
    }
    for (const [request, body] of REQUESTS) {
      const { status, text } = await ask(request, body, { authorization: `API-KEY ${KEY}` })
      assert.equal(status, 200, `${request}: ${text}`)
    }
  })
})
