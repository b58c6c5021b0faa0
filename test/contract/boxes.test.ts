import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/contract.ts'
import { KEY, type Stored, scenes } from './boxes-scene.ts'

const subject = { service: 'boxes' } as const
const JSON_TYPE = { 'content-type': 'application/json' }
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`

contract('I-2, what the seed shows', subject, [
  {
    proves: 'the sent fields come back with _id and _createdOn, in milliseconds and UTC',
    send: {
      method: 'POST',
      path: '/a-box',
      headers: JSON_TYPE,
      body: '{"name":"Ada","tags":["x",{"deep":null}],"1":1.50}'
    },
    expect: {
      status: 200,
      type: /^application\/json/,
      text: new RegExp(
        String.raw`^\{"_id":"[0-9a-f]{24}","name":"Ada","tags":\["x",\{"deep":null\}\],"1":1\.50,"_createdOn":"${TIME}"\}$`
      )
    }
  },
  {
    proves: 'the box id is a single segment of any kind',
    send: { method: 'POST', path: '/x', headers: JSON_TYPE, body: '{}' },
    expect: { status: 200, text: new RegExp(`^{"_id":"[0-9a-f]{24}","_createdOn":"${TIME}"}$`) }
  },
  {
    proves: 'no credential is needed to read what is stored',
    send: { path: '/x' },
    expect: { status: 200, text: /^\[\{"_id":/ }
  }
])

const PEOPLE = JSON.stringify([
  { name: 'Arya Stark', age: 18 },
  { name: 'Jon Snow', age: 20 },
  { name: 'Bran Stark', age: 10 }
])

scenes('I-2, the tests of the original', {}, (boxes) => {
  const box = '/box_6d9f1c0a7b2e4d5f8a3c'

  test('create, read, meta, query, update, query again, delete, read', async () => {
    const { ask, get, store } = boxes()
    const created = await store<Stored[]>(box, PEOPLE, JSON_TYPE)
    assert.equal(created.length, 3)
    assert.equal((await get(box)).length, 3)
    const meta = await get<Record<string, unknown>>(`/_meta${box}`)
    assert.equal(meta._count, 3)
    assert.equal(meta._sizeLimit, 1088)
    assert.equal(meta._createdOn, created[0]?._createdOn)
    assert.ok(!('_updatedOn' in meta))
    const [bran, ...others] = await get(`${box}?q=name:*stark,age:<15`)
    assert.equal(bran?.name, 'Bran Stark')
    assert.equal(others.length, 0)
    const updated = await ask(`PUT ${box}/${bran?._id}`, '{"name":"Bran","age":16}', JSON_TYPE)
    assert.equal(updated.status, 200)
    assert.equal(updated.text, '{"message":"Record updated."}')
    assert.deepEqual(await get(`${box}?q=name:*stark,age:<15`), [])
    const removed = await ask(`DELETE ${box}/${bran?._id}`, undefined, JSON_TYPE)
    assert.equal(removed.status, 200)
    assert.equal(removed.text, '{"message":"Record removed."}')
    assert.equal((await get(box)).length, 2)
  })

  test('a protected box: reading is open, writing needs the key in either header', async () => {
    const { ask, get, store } = boxes()
    const box = '/box_protected_0123456789'
    const headers = { ...JSON_TYPE, 'x-api-key': KEY }
    const [first, second] = await store<Stored[]>(box, PEOPLE, headers)
    assert.equal((await get(box)).length, 3)
    const body = '{"name":"Nobody"}'
    assert.equal((await ask(`PUT ${box}/${first?._id}`, body, JSON_TYPE)).status, 401)
    assert.equal((await ask(`DELETE ${box}/${first?._id}`, undefined, JSON_TYPE)).status, 401)
    assert.equal((await ask(`PUT ${box}/${first?._id}`, body, headers)).status, 200)
    const authorization = { ...JSON_TYPE, authorization: `API-KEY ${KEY}` }
    assert.equal((await ask(`DELETE ${box}/${second?._id}`, undefined, authorization)).status, 200)
    assert.equal((await get(box)).length, 2)
  })
})

scenes('I-2, records', {}, (boxes) => {
  test('a record is read by its id, in capitals too, from the box or any collection', async () => {
    const { ask, store } = boxes()
    const { _id } = await store('/r1/people', '{"a":1}')
    const one = await ask(`GET /r1/${_id}`)
    assert.match(
      one.text,
      /^\{"_id":"[0-9a-f]+","a":1,"_createdOn":"[^"]+","_collection":"people"\}$/
    )
    assert.equal((await ask(`GET /r1/${_id.toUpperCase()}`)).text, one.text)
    const within = await ask(`GET /r1/people/${_id}`)
    assert.match(within.text, /^\{"_id":"[0-9a-f]+","a":1,"_createdOn":"[^"]+"\}$/)
    assert.equal((await ask(`GET /r1/other/${_id}`)).text, within.text)
    assert.equal((await ask(`GET /r2/${_id}`)).status, 404)
  })

  test('an update replaces the fields, keeps the date and the collection, and adds its own', async () => {
    const { ask, get, store } = boxes()
    const { _id, _createdOn } = await store('/r3/people', '{"a":1,"b":2}')
    const sent = `{ "c":3, "_id":"x", "\\u005fcreatedOn":"y","_collection":"z","_expiry":1 }`
    assert.equal((await ask(`PUT /r3/${_id}`, sent)).status, 200)
    const { text } = await ask(`GET /r3/${_id}`)
    const { _updatedOn } = JSON.parse(text)
    assert.ok(_updatedOn >= _createdOn)
    assert.equal(
      text,
      `{"_id":"${_id}", "c":3,"_expiry":1 ,"_createdOn":"${_createdOn}","_updatedOn":"${_updatedOn}","_collection":"people"}`
    )
    const meta = await get<Record<string, unknown>>('/_meta/r3')
    assert.deepEqual(meta, { _count: 1, _sizeLimit: 1088, _createdOn, _updatedOn })
  })

  test('several records are stored together, in order, or not at all', async () => {
    const { ask, get, store } = boxes()
    const many = Array.from({ length: 257 }, (_, n) => `{"n":${n}}`)
    const stored = await store<Stored[]>('/r4/c', `[${many.join(',')}]`)
    assert.deepEqual(
      stored.map(({ n }) => n),
      many.map((_, n) => n)
    )
    assert.equal(new Set(stored.map(({ _id }) => _id)).size, 257)
    const listed = await get('/r4?sort=_createdOn&limit=1000')
    assert.deepEqual(
      listed.map(({ _id }) => _id),
      stored.map(({ _id }) => _id)
    )
    assert.equal((await ask('POST /r4', '[{"ok":1},{"broken":}]')).status, 400)
    assert.equal((await get<{ _count: number }>('/_meta/r4'))._count, 257)
  })

  test('reserved names are cut from array elements too, and from no deeper level', async () => {
    const { ask } = boxes()
    const { text } = await ask('POST /r5', '[{"_id":1,"a":{"_id":2}},{"_updatedOn":3}]')
    assert.match(
      text,
      /^\[\{"_id":"[0-9a-f]+","a":\{"_id":2\},"_createdOn":"[^"]+"\},\{"_id":"[0-9a-f]+","_createdOn":"[^"]+"\}\]$/
    )
  })

  test('a thousand records go, one more does not', async () => {
    const { ask, store } = boxes()
    const many = (count: number) => `[${Array(count).fill('{}').join(',')}]`
    assert.equal((await store<Stored[]>('/r6', many(1000))).length, 1000)
    const refused = await ask('POST /r6', many(1001))
    assert.equal(refused.status, 413)
    assert.match(refused.text, /"message":"Not more than 1000 records for bulk upload\."/)
  })

  test('an unknown box is empty', async () => {
    const { get } = boxes()
    assert.deepEqual(await get('/nobody-was-here'), [])
    assert.deepEqual(await get('/_meta/nobody-was-here'), { _count: 0, _sizeLimit: 1088 })
  })

  test('a box id is any segment, and each spelling is its own box', async () => {
    const { get, store } = boxes()
    const ids = [
      'é',
      '%C3%A9',
      'e%CC%81',
      '%25C3%25A9',
      'a%2Fb',
      "~.-_!$&'()*+,;=:@",
      'x'.repeat(128)
    ]
    for (const id of ids) await store(`/${id}`, '{}')
    const counts = await Promise.all(ids.map((id) => get<{ _count: number }>(`/_meta/${id}`)))
    assert.deepEqual(
      counts.map(({ _count }) => _count),
      [2, 2, 1, 1, 1, 1, 1]
    )
  })

  test('dates never run backwards within a box', async () => {
    const { get, store } = boxes()
    await Promise.all(Array.from({ length: 50 }, (_, n) => store('/r7', `{"n":${n}}`)))
    const dates = (await get('/r7?limit=0')).map(({ _createdOn }) => _createdOn)
    assert.deepEqual(dates, dates.toSorted().reverse())
  })
})
