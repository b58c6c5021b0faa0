/** The rows are every writing operation of the published OpenAPI document. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxes as service } from '../../src/services/boxes/index.ts'
import { failure, KEY, OTHER_KEY, type Stored, scenes } from './boxes-scene.ts'

interface Operation {
  operationId: string
  security?: object[]
}

const WRITES = ['post', 'put', 'patch', 'delete']

const { paths } = (await service.openapi('')) as {
  paths: Record<string, Record<string, Operation>>
}
/** What is not about single records is in test/faults/boxes-private.test.ts. */
const ELSEWHERE = /^\/_/
const recordPaths = Object.entries(paths).filter(([path]) => !ELSEWHERE.test(path))
const routes = recordPaths.flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([method]) => WRITES.includes(method))
    .map(([method, { operationId }]) => ({ method: method.toUpperCase(), path, operationId }))
)

/** Every spelling of a path under which a record of the box can be written to. */
function addressesOf(path: string, box: string, id: string): string[] {
  const parts = path.includes('{part}') ? [id, 'people'] : ['']
  return parts
    .map((part) => path.replace('{part}', part))
    .map((address) => address.replace('{box}', box).replace('{collection}', 'people'))
    .map((address) => address.replace('{id}', id))
    .flatMap((address) => [
      address,
      `/${address}/`,
      `${address}?q=n:=1`,
      address.replace(box, spelt(box))
    ])
}

function spelt(box: string): string {
  return [...Buffer.from(box)].map((byte) => `%${byte.toString(16)}`).join('')
}

scenes('I-2, the key of one box never writes to another', {}, (boxes) => {
  test('the document lists the routes', () => {
    assert.deepEqual(routes.map(({ operationId }) => operationId).sort(), [
      'createInCollection',
      'createRecords',
      'patchRecord',
      'patchRecordInCollection',
      'removeRecord',
      'removeRecordOrMatches',
      'removeRecords',
      'replaceRecord',
      'replaceRecordInCollection',
      'submitForm'
    ])
  })

  for (const { method, path, operationId } of routes.filter(({ path }) => path !== '/')) {
    test(`${method} ${path} (${operationId})`, async () => {
      const { ask, get, store } = boxes()
      const own = `own-${operationId}`
      const guarded = `guarded-${operationId}`
      await store(`/${own}`, '{}', { 'x-api-key': OTHER_KEY })
      const { _id } = await store<Stored>(`/${guarded}/people`, '{"n":1}', { 'x-api-key': KEY })
      const before = (await ask(`GET /${guarded}?limit=0`)).text
      const keys = [
        {},
        { 'x-api-key': OTHER_KEY },
        { authorization: `API-KEY ${OTHER_KEY}` },
        { 'x-api-key': OTHER_KEY, authorization: `API-KEY ${KEY}` }
      ]
      for (const address of addressesOf(path, guarded, _id)) {
        for (const headers of keys) {
          const answer = await ask(
            `${method} ${address}`,
            method === 'DELETE' ? undefined : '{"n":2}',
            headers
          )
          assert.ok([400, 401].includes(answer.status), `${address} ${answer.status}`)
        }
      }
      assert.equal((await ask(`GET /${guarded}?limit=0`)).text, before)
      assert.equal((await get(`/${own}`)).length, 1)
      const owned = addressesOf(path, guarded, _id).slice(0, 1)
      for (const address of owned) {
        const allowed =
          method === 'DELETE' && !address.includes(_id) ? `${address}?q=n:=1` : address
        const answer = await ask(
          `${method} ${allowed}`,
          method === 'DELETE' ? undefined : '{"n":2}',
          { 'x-api-key': KEY }
        )
        assert.equal(answer.status, 200, `${allowed} ${answer.text}`)
      }
    })
  }

  test('the form of the page has no key, so it writes to no protected box', async () => {
    const { ask, get, store } = boxes()
    await store('/guarded-form', '{}', { 'x-api-key': KEY })
    const form = new URLSearchParams({ action: 'store', box: 'guarded-form', text: '{"n":2}' })
    const answer = await ask('POST /', form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      'x-api-key': OTHER_KEY
    })
    assert.equal(answer.status, 401)
    assert.equal((await get('/guarded-form')).length, 1)
  })

  test('a box stays protected after all its records are gone', async () => {
    const { ask, store } = boxes()
    const key = { 'x-api-key': KEY }
    await store('/emptied', '[{"n":1},{"n":1}]', key)
    assert.equal(
      (await ask('DELETE /emptied?q=n:=1', undefined, key)).text,
      '{"message":"2 Records removed."}'
    )
    assert.deepEqual(failure(await ask('POST /emptied', '{}')), {
      status: 401,
      message: 'Invalid API_KEY.'
    })
    assert.equal((await ask('POST /emptied', '{}', { 'x-api-key': OTHER_KEY })).status, 401)
    assert.equal((await ask('POST /emptied', '{}', { 'x-api-key': KEY.toUpperCase() })).status, 200)
  })

  test('delete by query asks for the key before it looks', async () => {
    const { ask, store } = boxes()
    await store('/asked', '{"n":1}', { 'x-api-key': KEY })
    assert.equal((await ask('DELETE /asked?q=n:=77')).status, 401)
  })

  test('of many first records with different keys one key wins, and only it', async () => {
    const { ask } = boxes()
    const keys = Array.from({ length: 16 }, (_, n) =>
      KEY.replace(/..$/, n.toString(16).padStart(2, '0'))
    )
    const answers = await Promise.all(
      keys.map((key) => ask('POST /raced', JSON.stringify({ key }), { 'x-api-key': key }))
    )
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    assert.equal(answers.filter(({ status }) => status === 401).length, 15)
  })
})
