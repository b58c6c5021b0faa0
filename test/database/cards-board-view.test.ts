import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { query } from '../../src/kernel/database/transaction.ts'
import { type BoardFilter, readBoardView } from '../../src/services/cards/store/board-view.ts'
import { findBoard } from '../../src/services/cards/store/find.ts'
import { ENGINES } from '../support/engines.ts'
import { addCard, addList, BOARD, idOf, OWNER, openTables } from './cards-tables.ts'

const LIST = idOf(10)
const OLD = idOf(11)
const ALL: BoardFilter = { text: '', label: '', showsArchive: false, more: '' }

for (const engine of ENGINES) {
  describe(`what the board page reads, on ${engine}`, () => {
    test('long lists are cut, archived cards are read on request, filters count', async () => {
      await using tables = await openTables(engine)
      const { read, write } = tables.database
      await write(function* () {
        yield* addList(LIST, 'draft')
        yield* addList(OLD, 'archive')
        for (let number = 0; number < 105; number++) {
          yield* addCard(idOf(1000 + number), LIST, { pos: number, name: `Größe ${number}` })
        }
        yield* addCard(idOf(2000), OLD)
        yield* query('update cards set closed = 1 where id = ?', idOf(1004))
      })
      const view = (filter: Partial<BoardFilter>) =>
        read(function* () {
          const board = yield* findBoard(OWNER, BOARD)
          const { columns, archive } = yield* readBoardView(OWNER, board, { ...ALL, ...filter }, 0)
          return [...columns, archive].map(({ cards, matching, total }) => [
            cards.length,
            matching,
            total
          ])
        })
      assert.deepEqual(await view({}), [
        [100, 104, 104],
        [0, 1, 1],
        [0, 1, 1]
      ])
      assert.deepEqual(await view({ more: LIST, showsArchive: true }), [
        [104, 104, 104],
        [1, 1, 1],
        [1, 1, 1]
      ])
      assert.deepEqual((await view({ text: ' GRÖSSE  größe 10' }))[0], [0, 0, 104])
      assert.deepEqual((await view({ text: ' 10 GRÖ' }))[0], [6, 6, 104])
      assert.deepEqual((await view({ label: idOf(77) }))[0], [0, 0, 104])
    })
  })
}
