/** I-4: what odd, hostile and unlucky clients send, and what they get. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVE, scenes, seen } from './scenarios-scene.ts'

scenes('I-4, odd requests', {}, (talk) => {
  test('a tag with a name that every object has is part of the address', async () => {
    const { ask, get } = talk()
    for (const tag of ['constructor', '__proto__', 'hasOwnProperty', 'slow+constructor']) {
      const odd = { ...EVE, email: `eve.holt+${tag}@reqres.in` }
      const refusal = [403, { error: 'user not found' }]
      assert.deepEqual(seen(await ask('POST /api/login', odd)), refusal, tag)
      assert.deepEqual(seen(await ask('POST /api/auth/login', odd)), refusal, tag)
      await get('POST /w/odd-tags/api/register', odd)
    }
  })

  test('scenarios about names leave every other field alone', async () => {
    const { get } = talk()
    const fields = { name: 'neo', constructor: 'x', toString: 'y', valueOf: 1 }
    await get('POST /w/odd-fields/api/users', fields)
    for (const name of ['unicode', 'rtl', 'long-text', 'xss', 'nulls']) {
      const { data } = await get(`GET /w/odd-fields/api/users/13?scenario=${name}`)
      assert.deepEqual([data.constructor, data.toString, data.valueOf], ['x', 'y', 1], name)
    }
  })
})
