/** jsonbox-node 1.0.7, unmodified, with nothing changed but its host. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'

const { JsonBox } = createRequire(import.meta.url)('jsonbox-node')

const BOX = 'box_d5a1f0c2b3e4a5968778'
const KEY = '4fbf7c06-5a3f-4d29-9d8a-1f1f0b8a4e11'

interface Stored {
  _id: string
  name: string
}

describe('jsonbox-node', () => {
  let nonet: Nonet<'boxes'>
  before(async () => {
    nonet = await start({ services: ['boxes'], boxes: { minId: 20 } })
  })
  after(() => nonet.stop())

  function open(headers?: Record<string, string>) {
    return new JsonBox(nonet.boxes.url, headers && { headers })
  }

  test('creates, reads, queries, sorts, updates and deletes', async () => {
    const client = open()
    const people = [
      { name: 'Arya', age: 18 },
      { name: 'Jon', age: 20 },
      { name: 'Bran', age: 10 }
    ]
    const created: Stored[] = await client.create(people, BOX, 'users')
    assert.deepEqual(
      client.getRecordId(created),
      created.map(({ _id }) => _id)
    )
    const one: Stored = await client.create({ name: 'Sansa' }, BOX)
    assert.equal(one.name, 'Sansa')
    assert.equal((await client.read(BOX)).length, 4)
    assert.deepEqual(await client.read(BOX, one._id), one)
    const names = async (config: object) =>
      (await client.read(BOX, 'users', config)).map(({ name }: Stored) => name)
    assert.deepEqual(await names({ sort: 'age' }), ['Bran', 'Arya', 'Jon'])
    assert.deepEqual(await names({ sort: '-age', limit: 1, skip: 1 }), ['Arya'])
    assert.deepEqual(await names({ sort: 'age', query: 'age:>=18,name:*r*' }), ['Arya'])
    assert.deepEqual(await client.update({ name: 'Lady Sansa' }, BOX, one._id), {
      message: 'Record updated.'
    })
    assert.equal((await client.read(BOX, one._id)).name, 'Lady Sansa')
    assert.deepEqual(await client.delete(BOX, one._id), { message: 'Record removed.' })
    await assert.rejects(client.read(BOX, one._id), /404/)
    await Promise.all(await client.deleteMany(BOX, client.getRecordId(created)))
    assert.deepEqual(await client.read(BOX), [])
  })

  test('writes to a protected box with its key only', async () => {
    const box = 'box_protected_0123456789'
    const owner = open({ 'X-API-KEY': KEY })
    const { _id }: Stored = await owner.create({ name: 'mine' }, box)
    assert.equal((await open().read(box)).length, 1)
    await assert.rejects(open().update({ name: 'yours' }, box, _id), /401/)
    await assert.rejects(open().delete(box, _id), /401/)
    await assert.rejects(open().create({ name: 'yours' }, box), /401/)
    assert.deepEqual(await owner.update({ name: 'still mine' }, box, _id), {
      message: 'Record updated.'
    })
    const other = open({ Authorization: `API-KEY ${KEY}` })
    assert.deepEqual(await other.delete(box, _id), { message: 'Record removed.' })
  })
})
