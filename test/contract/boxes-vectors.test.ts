import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JSON_VECTORS } from '../support/json-vectors.ts'
import { type Stored, scenes } from './boxes-scene.ts'

const VECTORS = Object.entries(JSON_VECTORS)

/** The caller's bytes between ours: behind the id, before the date. */
function inside(text: string): string {
  const end = text.lastIndexOf(',"_createdOn":"')
  return text.slice('{"_id":"0123456789abcdef01234567",'.length, end)
}

scenes('I-2, exactly as sent', {}, (boxes) => {
  test('there are the 39 of the sheet', () => assert.equal(VECTORS.length, 39))

  for (const [name, sent] of VECTORS) {
    test(`${name} through create, read, list and update`, async () => {
      const { ask } = boxes()
      const box = `/vector-${name}`
      const created = await ask(`POST ${box}`, sent)
      assert.equal(created.status, 200, created.text.slice(0, 200))
      const id = created.text.slice('{"_id":"'.length, '{"_id":"'.length + 24)
      const wanted = sent.slice(1, -1)
      assert.ok(inside(created.text) === wanted, 'create')
      const read = await ask(`GET ${box}/${id}`)
      assert.ok(inside(read.text) === wanted, 'read')
      const listed = await ask(`GET ${box}`)
      assert.ok(listed.text === `[${read.text}]`, 'list')
      assert.equal((await ask(`PUT ${box}/${id}`, sent)).status, 200)
      assert.ok(inside((await ask(`GET ${box}/${id}`)).text) === wanted, 'update')
    })
  }

  test('all of them in one request', async () => {
    const { ask, get } = boxes()
    const texts = VECTORS.map(([, text]) => text)
    const { status, text } = await ask('POST /vectors/all', `[${texts.join(' ,\n')}]`)
    assert.equal(status, 200)
    const { length } = JSON.parse(text) as Stored[]
    assert.equal(length, texts.length)
    const answered = (await ask('GET /vectors?limit=0&sort=_createdOn')).text
    for (const [name, sent] of VECTORS) assert.ok(answered.includes(sent.slice(1, -1)), name)
    assert.equal((await get('/vectors/all?limit=5')).length, 5)
  })
})
