import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sites } from '../contract/cards-site.ts'
import { runPool } from '../support/pool.ts'

const CHANGES = 120
const AT_ONCE = 24

interface Identified {
  id: string
}

sites('changes of one board at the same time', {}, (site) => {
  test('all succeed, and none is lost', async () => {
    const token = await site().member('racer')
    const create = async (path: string, body: object): Promise<Identified> =>
      (await site().json(path, { method: 'POST', body, token })) as Identified
    const board = await create('/boards', { name: 'Races', defaultLists: false })
    const list = await create('/lists', { name: 'One', idBoard: board.id })
    const card = await create('/cards', { name: 'Card', idList: list.id })
    const statuses = new Map<number, number>()
    await runPool(
      Array.from({ length: CHANGES }, (_, number) => number),
      AT_ONCE,
      async (number) => {
        const isNew = number % 3 === 0
        const { status } = await site().api(isNew ? '/cards' : `/cards/${card.id}`, {
          method: isNew ? 'POST' : 'PUT',
          body: isNew ? { name: `New ${number}`, idList: list.id } : { name: `Name ${number}` },
          token
        })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    )
    assert.deepEqual([...statuses], [[200, CHANGES]])
    const cards = (await site().json(`/lists/${list.id}/cards`, { token })) as { idShort: number }[]
    const numbers = cards.map(({ idShort }) => idShort).sort((a, b) => a - b)
    assert.deepEqual(
      numbers,
      Array.from({ length: CHANGES / 3 + 1 }, (_, index) => index + 1)
    )
  })
})
