import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failure, KEY, OTHER_KEY, scenes } from './boxes-scene.ts'

const OWNER = { 'x-api-key': KEY }
const REFUSED = { status: 401, message: 'Invalid API_KEY.' }

interface Key {
  id: string
  label?: string
  scopes: string[]
  createdOn: string
  revokedOn?: string
  key: string
}

interface Keys {
  private: boolean
  keys: Omit<Key, 'key'>[]
}

scenes('I-2, keys of a box', {}, (boxes) => {
  async function issue(box: string, body: object): Promise<Key> {
    return boxes().store<Key>(`/_keys/${box}`, JSON.stringify(body), OWNER)
  }

  async function listed(box: string): Promise<Keys> {
    return JSON.parse((await boxes().ask(`GET /_keys/${box}`, undefined, OWNER)).text)
  }

  test('the owner gives keys away; a secret is told once', async () => {
    const { store } = boxes()
    await store('/given', '{}', OWNER)
    const issued = await issue('given', { label: 'CI', scopes: ['write', 'create'] })
    assert.match(issued.key, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    const { key, ...rest } = issued
    assert.deepEqual(rest, { ...rest, label: 'CI', scopes: ['create', 'write'] })
    assert.deepEqual(await listed('given'), { private: false, keys: [rest] })
    await store('/given', '{"n":1}', { 'x-api-key': key })
  })

  test('rotation and revocation count at once', async () => {
    const { ask, store } = boxes()
    await store('/turned', '{}', OWNER)
    const { id, key } = await issue('turned', { scopes: ['write'] })
    const turned = await ask(`POST /_keys/turned/${id}`, undefined, OWNER)
    const { key: next } = JSON.parse(turned.text)
    assert.notEqual(next, key)
    assert.deepEqual(failure(await ask('POST /turned', '{}', { 'x-api-key': key })), REFUSED)
    await store('/turned', '{}', { 'x-api-key': next })
    const gone = await ask(`DELETE /_keys/turned/${id}`, undefined, OWNER)
    assert.equal(gone.text, '{"message":"Key revoked."}')
    assert.deepEqual(failure(await ask('POST /turned', '{}', { 'x-api-key': next })), REFUSED)
    assert.match((await listed('turned')).keys[0]?.revokedOn ?? '', /Z$/)
    for (const method of ['POST', 'DELETE']) {
      assert.equal((await ask(`${method} /_keys/turned/${id}`, undefined, OWNER)).status, 404)
    }
  })

  test('a new owner key takes over everything', async () => {
    const { ask, store } = boxes()
    await store('/owned', '{}', OWNER)
    const answer = await ask('POST /_keys/owned/owner', undefined, OWNER)
    const { key } = JSON.parse(answer.text)
    assert.deepEqual(failure(await ask('GET /_keys/owned', undefined, OWNER)), REFUSED)
    assert.deepEqual(failure(await ask('POST /owned', '{}', OWNER)), REFUSED)
    assert.equal((await ask('GET /_keys/owned', undefined, { 'x-api-key': key })).status, 200)
  })

  test('nobody but the owner manages keys, and an unknown box is refused alike', async () => {
    const { ask, store } = boxes()
    await store('/managed', '{}', OWNER)
    await store('/public', '{}')
    const { id, key } = await issue('managed', { scopes: ['read', 'create', 'write'] })
    for (const headers of [{}, { 'x-api-key': OTHER_KEY }, { 'x-api-key': key }]) {
      for (const [request, body] of [
        ['GET /_keys/managed'],
        ['POST /_keys/managed', '{"scopes":["read"]}'],
        [`POST /_keys/managed/${id}`],
        ['POST /_keys/managed/owner'],
        [`DELETE /_keys/managed/${id}`],
        ['PATCH /_keys/managed', '{"private":true}'],
        ['GET /_keys/public'],
        ['PATCH /_keys/public', '{"private":true}'],
        ['GET /_keys/nobody']
      ] as const) {
        assert.deepEqual(failure(await ask(request, body, headers)), REFUSED, request)
      }
    }
    assert.equal((await listed('managed')).private, false)
  })

  test('a box may be private before its first record', async () => {
    const { ask, get, store } = boxes()
    const answer = await ask('PATCH /_keys/early', '{"private":true}', OWNER)
    assert.equal(answer.text, '{"message":"Box is private."}')
    await store('/early', '{"n":1}', OWNER)
    assert.deepEqual(await get('/early'), [])
    assert.deepEqual(failure(await ask('POST /early', '{}')), REFUSED)
    assert.equal(JSON.parse((await ask('GET /early', undefined, OWNER)).text).length, 1)
    await ask('PATCH /_keys/early', '{"private":false}', OWNER)
    assert.equal((await get('/early')).length, 1)
  })

  test('what is no request for a key is refused with a reason', async () => {
    const { ask, store } = boxes()
    await store('/asked-badly', '{}', OWNER)
    for (const body of ['{"scopes":["admin"]}', '{}', '[]', '{"scopes":["read"],"key":"mine"}']) {
      const answer = await ask('POST /_keys/asked-badly', body, OWNER)
      assert.equal(answer.status, 400, body)
      assert.equal(JSON.parse(answer.text).code, 'key_request_invalid')
    }
    assert.equal((await ask('POST /_keys/asked-badly', '{', OWNER)).status, 400)
    assert.equal((await ask('POST /_keys/asked-badly', undefined, OWNER)).status, 400)
    assert.equal((await ask('PUT /_keys/asked-badly', '{}', OWNER)).status, 400)
  })

  test('there are only so many keys, and revoked ones make room', async () => {
    const { ask, store } = boxes()
    await store('/many-keys', '{}', OWNER)
    const keys = await Promise.all(
      Array.from({ length: 100 }, () => issue('many-keys', { scopes: ['read'] }))
    )
    const more = await ask('POST /_keys/many-keys', '{"scopes":["read"]}', OWNER)
    assert.equal(JSON.parse(more.text).code, 'too_many_keys')
    await ask(`DELETE /_keys/many-keys/${keys[7]?.id}`, undefined, OWNER)
    await issue('many-keys', { scopes: ['read'] })
    assert.equal((await listed('many-keys')).keys.length, 100)
  })
})
