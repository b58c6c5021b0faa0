import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  insertRow,
  query,
  type SqlValue,
  type Transaction
} from '../../src/kernel/database/transaction.ts'
import { nestedBoard } from '../../src/services/cards/api/nested-board.ts'
import { DEFAULT_QUERY } from '../../src/services/cards/content/content-query.ts'
import { readContentPage } from '../../src/services/cards/content/read-content.ts'
import { JsonSequence } from '../../src/services/cards/http/write-json.ts'
import {
  findContentBoard,
  readBoardParts,
  readContentRevision
} from '../../src/services/cards/store/content.ts'
import { positionFor } from '../../src/services/cards/store/positions.ts'
import { EVERYTHING_OF_CARDS, readCards } from '../../src/services/cards/store/read-cards.ts'
import { ENGINES } from '../support/engines.ts'
import { createRandom } from '../support/random.ts'
import {
  addCard,
  addList,
  BOARD,
  countStatements,
  idOf,
  MEMBER,
  OWNER,
  openTables,
  TIME
} from './cards-tables.ts'

const LIST = idOf(10)
const HIDDEN = idOf(9)
const LABEL = idOf(11)
const FIELD = idOf(12)

/** Cards with a label, an item, an attachment, a checklist and a comment each. */
function* addFullCards(from: number, to: number): Transaction<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index)
  const rows = (make: (id: (kind: number) => string, number: number) => Row) =>
    numbers.map((number) => ({
      board: BOARD,
      ...make((kind) => idOf(kind * 1_000_000 + number), number)
    }))
  const template = yield* addCard(idOf(from === 0 ? 20 : 21), HIDDEN)
  yield* insertRows(
    'cards',
    rows((id, number) => ({
      ...{ ...template, id: id(1), list: LIST, pos: number, number: 100 + number },
      ...{ short_link: `s${number}`, sort_key: `s${number}` }
    }))
  )
  yield* insertRows(
    'card_labels',
    rows((id) => ({ card: id(1), label: LABEL }))
  )
  yield* insertRows(
    'items',
    rows((id) => ({ id: id(2), card: id(1), field: FIELD, value: '{"text":"a"}' }))
  )
  const link = { name: 'a', url: 'https://example.com/', media_type: '', pos: 1 }
  yield* insertRows(
    'attachments',
    rows((id) => ({ id: id(3), card: id(1), member: MEMBER, ...link, created_at: TIME }))
  )
  yield* insertRows(
    'checklists',
    rows((id) => ({ id: id(4), card: id(1), name: 'To do', pos: 1 }))
  )
  const item = { name: 'One', is_complete: 1, pos: 1 }
  yield* insertRows(
    'check_items',
    rows((id) => ({ id: id(5), card: id(1), checklist: id(4), ...item }))
  )
  const comment = { member: MEMBER, type: 'commentCard', data: '{}', created_at: TIME }
  yield* insertRows(
    'actions',
    rows((id) => ({ id: id(6), card: id(1), ...comment }))
  )
}

type Row = Readonly<Record<string, SqlValue>>

/** A board with all its parts. */
const NESTED = {
  baseUrl: 'http://localhost',
  input: {
    files: new Map(),
    allFiles: [],
    values: new Map([
      ['cards', 'visible'] as const,
      ...['lists', 'labels', 'members', 'checklists', 'actions'].map(
        (name) => [name, 'all'] as const
      ),
      ...['customFields', 'card_attachments', 'card_customFieldItems', 'card_members'].map(
        (name) => [name, 'true'] as const
      )
    ])
  }
}

function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) || value instanceof JsonSequence ? value.length : undefined
}

function* insertRows(table: string, rows: readonly Row[]): Transaction<void> {
  const columns = Object.keys(rows[0] ?? {})
  for (let from = 0; from < rows.length; from += 100) {
    const some = rows.slice(from, from + 100)
    const values = some.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ')
    yield* query(
      `insert into ${table} (${columns.join(', ')}) values ${values}`,
      ...some.flatMap((row) => Object.values(row))
    )
  }
}

function* addBoardParts(): Transaction<void> {
  yield* addList(LIST)
  yield* addList(HIDDEN)
  yield* query('update lists set closed = 1 where id = ?', HIDDEN)
  yield* insertRow('labels', { id: LABEL, board: BOARD, name: 'Red', color: 'red' })
  yield* insertRow('fields', {
    ...{ id: FIELD, board: BOARD, name: 'URL', type: 'text', pos: 1, card_front: 1 },
    field_group: '0'
  })
}

for (const engine of ENGINES) {
  describe(`Cards in tables, on ${engine}`, () => {
    test('cards with all that belongs to them take the same statements for 10 and 1,000', async () => {
      await using tables = await openTables(engine)
      const { database } = tables
      const counts: number[] = []
      let added = 0
      await database.write(addBoardParts)
      for (const total of [10, 1_000]) {
        await database.write(function* () {
          yield* addFullCards(added, total)
        })
        added = total
        const wanted = { board: BOARD, filter: 'visible' } as const
        const { value, statements } = await countStatements(database, () =>
          readCards(OWNER, wanted, EVERYTHING_OF_CARDS)
        )
        assert.equal(value.length, total)
        const { labels, items, attachments, checklists } = value.at(-1) ?? assert.fail()
        assert.deepEqual(
          [labels, items, attachments, checklists].map(({ length }) => length),
          [1, 1, 1, 0]
        )
        assert.deepEqual(value.at(-1)?.counts, {
          comments: 1,
          checkItems: 1,
          checkItemsChecked: 1,
          earliestDue: null,
          lastAction: TIME,
          idChecklists: [idOf(4_000_000 + total - 1)]
        })
        const more = await countStatements(database, () =>
          readCards(OWNER, wanted, { ...EVERYTHING_OF_CARDS, checklists: true })
        )
        assert.equal(more.value[0]?.checklists[0]?.items.length, 1)
        const board = await countStatements(database, () => nestedBoard(OWNER, BOARD, NESTED))
        assert.deepEqual(
          ['cards', 'lists', 'labels', 'customFields'].map((name) => lengthOf(board.value[name])),
          [total, 2, 1, 1]
        )
        const content = await countStatements(database, function* () {
          const board = yield* findContentBoard(OWNER, BOARD)
          const parts = yield* readBoardParts(OWNER, BOARD)
          const query = { ...DEFAULT_QUERY, limit: 1_000 }
          return yield* readContentPage(engine, OWNER, board, parts, query)
        })
        assert.equal(content.value.cards.length, total)
        const revision = await countStatements(database, () => readContentRevision(OWNER, BOARD))
        assert.equal(revision.statements.length, 1)
        counts.push(
          statements.length,
          more.statements.length,
          board.statements.length,
          content.statements.length
        )
      }
      // Content: the board, its lists, labels, fields and options, the order, and the cards.
      assert.deepEqual(counts, [3, 4, 12, 9, 3, 4, 12, 9])
    })

    // 60 steps of each of 5 seeds: at the top, at the bottom, or at the mean of two neighbours that
    // are chosen with a bias to the first ones, so that gaps are used up; half of the steps move.
    test('random additions and moves keep the wanted order', async () => {
      await using tables = await openTables(engine)
      const { database } = tables
      await database.write(function* () {
        yield* addList(LIST)
      })
      let spreads = 0
      for (let seed = 1; seed <= 5; seed += 1) {
        const random = createRandom(seed)
        const scope = { table: 'checklists', parent: idOf(7_000 + seed) } as const
        await database.write(function* () {
          yield* addCard(scope.parent, LIST)
          let order: readonly string[] = []
          for (let step = 0; step < 60; step += 1) {
            const moved = order.length > 0 && random.below(2) === 0
            const id = moved ? (order[random.below(order.length)] ?? '') : idOf(seed * 1_000 + step)
            const others = order.filter((one) => one !== id)
            const index = Math.min(random.below(3), others.length)
            const end = random.pick<'top' | 'bottom' | 'between'>([
              ...(['top', 'bottom', 'between', 'between', 'between'] as const)
            ])
            const at = end === 'top' ? 0 : end === 'bottom' ? others.length : index
            const wanted = end === 'between' ? yield* meanAt(scope.parent, others, at) : end
            const pos = yield* positionFor({ ...scope, ...(moved && { moved: id }) }, wanted)
            if (typeof wanted === 'number' && pos !== wanted) spreads += 1
            if (moved) yield* query('update checklists set pos = ? where id = ?', pos, id)
            else {
              const row = { id, board: BOARD, card: scope.parent, name: '', pos }
              yield* insertRow('checklists', row)
            }
            order = others.toSpliced(at, 0, id)
          }
          assert.deepEqual([...(yield* positionsOf(scope.parent)).keys()], order, `seed ${seed}`)
        })
      }
      assert.ok(spreads > 0, `${spreads} times there was too little space`)
    })
  })
}

function* positionsOf(card: string): Transaction<Map<string, number>> {
  const rows = yield* query<{ id: string; pos: number }>(
    'select id, pos from checklists where card = ? order by pos, id',
    card
  )
  return new Map(rows.map(({ id, pos }) => [id, pos]))
}

/** What a client sends to put an object between others. */
function* meanAt(
  card: string,
  others: readonly string[],
  index: number
): Transaction<number | 'top' | 'bottom'> {
  const positions = yield* positionsOf(card)
  const [before, next] = [others[index - 1], others[index]]
  if (before === undefined) return 'top'
  if (next === undefined) return 'bottom'
  return ((positions.get(before) ?? 0) + (positions.get(next) ?? 0)) / 2
}
