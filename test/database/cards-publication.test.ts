import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '../../src/kernel/database/database.ts'
import {
  insertRow,
  query,
  type SqlValue,
  type Transaction
} from '../../src/kernel/database/transaction.ts'
import { addAction } from '../../src/services/cards/store/actions.ts'
import { addCard as addNewCard } from '../../src/services/cards/store/add-card.ts'
import { touchBoard } from '../../src/services/cards/store/board-change.ts'
import { afterListChange } from '../../src/services/cards/store/card-change.ts'
import { type CardColumns, changeCard } from '../../src/services/cards/store/change-card.ts'
import { changeItems } from '../../src/services/cards/store/change-items.ts'
import { addCheckItem } from '../../src/services/cards/store/check-items.ts'
import { addChecklist } from '../../src/services/cards/store/checklists.ts'
import { addComment } from '../../src/services/cards/store/comments.ts'
import { addField } from '../../src/services/cards/store/custom-fields.ts'
import { labelCard } from '../../src/services/cards/store/label-card.ts'
import { EVERYTHING_OF_CARDS, readCards } from '../../src/services/cards/store/read-cards.ts'
import { removeCard } from '../../src/services/cards/store/remove-card.ts'
import type { BoardRow, CardRow } from '../../src/services/cards/store/rows.ts'
import { ENGINES } from '../support/engines.ts'
import {
  addBoard,
  addCard,
  addList,
  BOARD,
  counted,
  EDITOR,
  idOf,
  nextId,
  openTables
} from './cards-tables.ts'

const SHOWN = idOf(10)
const DRAFTS = idOf(11)
const LABEL = idOf(12)
const LATER = '2026-02-03T04:05:06.789Z'
const FIRST = idOf(100)

type Row = Readonly<Record<string, SqlValue>>

function* addParts(): Transaction<void> {
  yield* addList(SHOWN)
  yield* addList(DRAFTS, 'draft')
  yield* insertRow('labels', { id: LABEL, board: BOARD, name: 'Red', color: 'red' })
}

function* oneCard(id: string): Transaction<CardRow> {
  const [row] = yield* query<CardRow>('select * from cards where id = ?', id)
  return row ?? assert.fail(`no card ${id}`)
}

function* slugsOf(id: string): Transaction<string[]> {
  const rows = yield* query<{ slug: string }>('select slug from slugs where card = ?', id)
  return rows.map(({ slug }) => slug).sort()
}

const edit = (id: string, columns: CardColumns, list?: string) =>
  changeCard(id, { columns, list }, { ...EDITOR, time: LATER })

async function revisionsOf({ read }: Database): Promise<[all: number, shown: number]> {
  const [row] = await read(() => query<BoardRow>('select * from boards where id = ?', BOARD))
  return [row?.revision ?? 0, row?.public_revision ?? 0]
}

for (const engine of ENGINES) {
  describe(`Publication of cards, on ${engine}`, () => {
    test('a slug comes with the first publication; former ones stay with their card', async () => {
      await using tables = await openTables(engine)
      await tables.database.write(function* () {
        yield* addParts()
        const [draft, same, odd] = [FIRST, idOf(101), idOf(102)]
        yield* addCard(draft, DRAFTS, { name: 'Über Brücken!' })
        assert.deepEqual((yield* oneCard(draft)).slug, null)
        assert.deepEqual((yield* oneCard(draft)).published_at, null)
        yield* edit(draft, {}, SHOWN)
        const published = yield* oneCard(draft)
        assert.deepEqual([published.slug, published.published_at], ['uber-brucken', LATER])
        yield* edit(draft, { name: 'Towers' })
        assert.equal((yield* oneCard(draft)).slug, 'towers')
        assert.deepEqual(yield* slugsOf(draft), ['towers', 'uber-brucken'])
        yield* addCard(same, SHOWN, { name: 'Towers' })
        assert.equal((yield* oneCard(same)).slug, 'towers-2')
        yield* edit(same, { name: 'Über Brücken' })
        assert.equal((yield* oneCard(same)).slug, 'uber-brucken-2', 'not that of another card')
        yield* edit(draft, { name: 'Über Brücken' })
        assert.equal((yield* oneCard(draft)).slug, 'uber-brucken', 'its own former one')
        const { short_link: link } = yield* addCard(odd, SHOWN, { name: '???' })
        assert.equal((yield* oneCard(odd)).slug, link)
        yield* edit(draft, { name: 'Hidden' }, DRAFTS)
        const hidden = yield* oneCard(draft)
        assert.deepEqual([hidden.slug, hidden.published_at], ['uber-brucken', LATER])
      })
    })

    test('many cards of one name get different slugs', async () => {
      await using tables = await openTables(engine)
      await tables.database.write(function* () {
        yield* addParts()
        const slugs: (string | null)[] = []
        for (let number = 0; number < 8; number += 1) {
          const id = idOf(200 + number)
          yield* addCard(id, SHOWN, { name: 'Same' })
          slugs.push((yield* oneCard(id)).slug)
        }
        const expected = [
          'same',
          'same-2',
          'same-3',
          'same-4',
          'same-5',
          'same-6',
          'same-7',
          'same-8'
        ]
        assert.deepEqual(slugs, expected)
      })
    })

    test('a list of many cards is published with few statements', async () => {
      await using tables = await openTables(engine)
      await tables.database.write(function* () {
        yield* addParts()
        const one = yield* addCard(FIRST, DRAFTS, { name: 'Same' })
        const names = Object.keys(one)
        const rows = Array.from({ length: 200 }, (_, index) => ({
          ...{ ...one, id: idOf(1_000 + index), number: 100 + index, short_link: `short${index}` },
          sort_key: String(index).padStart(19, '0')
        }))
        yield* query(
          `insert into cards (${names.join(', ')}) values ${rows
            .map(() => `(${names.map(() => '?').join(', ')})`)
            .join(', ')}`,
          ...rows.flatMap((row) => Object.values(row))
        )
        yield* query("update lists set role = 'published' where id = ?", DRAFTS)
        const statements: string[] = []
        yield* counted(afterListChange(DRAFTS, LATER), statements)
        assert.ok(statements.length < 60, `${statements.length} statements`)
        const [row] = yield* query<{ total: number }>(
          'select count(distinct slug) as total from cards where published_at = ?',
          LATER
        )
        assert.equal(row?.total, 201)
      })
    })

    test('a change that no webhook is told takes one statement and adds no job', async () => {
      await using tables = await openTables(engine)
      await tables.database.write(function* () {
        const statements: string[] = []
        yield* counted(touchBoard(BOARD, LATER, true), statements)
        assert.equal(statements.length, 1)
        assert.deepEqual(yield* query('select id from outbox'), [])
      })
    })

    test('the role of a list publishes its cards', async () => {
      await using tables = await openTables(engine)
      const { database } = tables
      const everyone = { kind: 'publishable', board: BOARD } as const
      const publicCards = async () =>
        (await database.read(() => readCards(everyone, { board: BOARD }, EVERYTHING_OF_CARDS)))
          .length
      await database.write(function* () {
        yield* addParts()
        yield* addCard(FIRST, DRAFTS, { name: 'A' })
        yield* addCard(idOf(101), DRAFTS, { name: 'B', closed: 1 })
      })
      assert.equal(await publicCards(), 0)
      const setRole = (role: string) =>
        database.write(function* () {
          yield* query('update lists set role = ? where id = ?', role, DRAFTS)
          yield* afterListChange(DRAFTS, LATER)
          yield* touchBoard(BOARD, LATER, true)
        })
      await setRole('published')
      assert.equal(await publicCards(), 1)
      assert.equal((await database.read(() => oneCard(FIRST))).slug, 'a')
      assert.equal((await database.read(() => oneCard(idOf(101)))).slug, null)
      await setRole('archive')
      assert.equal(await publicCards(), 0)
    })

    test('the public revision changes with public cards only', async () => {
      await using tables = await openTables(engine)
      const { database } = tables
      const [draft, shown] = [FIRST, idOf(101)]
      await database.write(function* () {
        yield* addParts()
        yield* addCard(draft, DRAFTS)
        yield* addCard(shown, SHOWN)
        yield* addBoard(idOf(3), 'other')
        yield* addList(idOf(13), 'published', idOf(3))
      })
      const field = await database.write(() =>
        addField(
          { board: BOARD, name: 'URL', type: 'text', pos: undefined, isOnFront: true, options: [] },
          EDITOR
        )
      )
      const [board] = await database.read(() =>
        query<BoardRow>('select * from boards where id = ?', BOARD)
      )
      assert.equal(board?.url_field, field.id, 'the field is the URL of the content API')
      const checklist = (card: string) => ({ card, name: '', pos: undefined, source: undefined })
      const item = { name: 'One', isComplete: false, due: null, pos: undefined }
      const value = { field: field.id, value: { text: 'https://example.com/' } }
      const newCard = (list: string) => ({
        ...{ list, name: 'New', columns: {}, pos: undefined, labels: [], members: [] },
        ...{ cover: undefined, attachment: undefined, source: undefined }
      })
      const steps: [what: string, isPublic: boolean, change: () => Transaction<unknown>][] = [
        ['a draft is renamed', false, () => edit(draft, { name: 'D' })],
        ['a draft is archived', false, () => edit(draft, { closed: 1 })],
        ['a draft is restored', false, () => edit(draft, { closed: 0 })],
        ['a draft gets a label', false, () => labelCard(draft, [LABEL], EDITOR)],
        ['a draft gets an item', false, () => changeItems(draft, [value], EDITOR)],
        ['a draft is added', false, () => addNewCard(newCard(DRAFTS), EDITOR)],
        ['a comment', false, () => addComment(shown, 'Hello', EDITOR)],
        [
          'a checklist',
          false,
          function* () {
            yield* addCheckItem(yield* addChecklist(checklist(shown), EDITOR), item, EDITOR)
          }
        ],
        ['a member', false, () => changeCard(shown, { columns: {}, members: [] }, EDITOR)],
        ['a public card is renamed', true, () => edit(shown, { name: 'S' })],
        ['a public card gets a label', true, () => labelCard(shown, [LABEL], EDITOR)],
        ['a public card gets an item', true, () => changeItems(shown, [value], EDITOR)],
        ['a draft is published', true, () => edit(draft, {}, SHOWN)],
        ['it is a draft again', true, () => edit(draft, {}, DRAFTS)],
        ['a public card is added', true, () => addNewCard(newCard(SHOWN), EDITOR)],
        ['a public card leaves the board', true, () => edit(shown, {}, idOf(13))],
        ['a draft is deleted', false, () => removeCard(draft, EDITOR)]
      ]
      for (const [what, isPublic, change] of steps) {
        const [all, seen] = await revisionsOf(database)
        const before = await database.read(() => oneCard(shown))
        await database.write(change)
        const after = await revisionsOf(database)
        assert.ok(after[0] > all, what)
        assert.equal(after[1] > seen, isPublic, what)
        const { revision, changed_at } = await database.read(() => oneCard(shown))
        if (isPublic) continue
        assert.deepEqual([revision, changed_at], [before.revision, before.changed_at], what)
      }
    })

    test('cards, comments, checklists and their items are limited', async () => {
      await using tables = await openTables(engine)
      const { database } = tables
      const list = idOf(300)
      function* fill(table: string, count: number, row: Row): Transaction<void> {
        const names = Object.keys(row)
        const marks = `(?, ${names.map(() => '?').join(', ')})`
        yield* query(
          `insert into ${table} (id, ${names.join(', ')}) values ${Array(count).fill(marks).join(', ')}`,
          ...Array.from({ length: count }).flatMap(() => [nextId(), ...Object.values(row)])
        )
      }
      const card = { board: BOARD, card: FIRST }
      await database.write(function* () {
        yield* addParts()
        yield* addCard(FIRST, SHOWN)
        yield* insertRow('checklists', { ...card, id: list, name: '', pos: 1 })
        yield* fill('checklists', 99, { ...card, name: '', pos: 1 })
        const item = { ...card, checklist: list, name: '', is_complete: 0, pos: 1 }
        yield* fill('check_items', 200, item)
        const comment = { type: 'commentCard', member: '', data: '{}', created_at: '' }
        yield* fill('actions', 1_000, { ...card, ...comment })
      })
      const checklist = { card: FIRST, name: '', pos: undefined, source: undefined }
      const item = { name: 'One', isComplete: false, due: null, pos: undefined }
      const request = {
        ...{ list: SHOWN, name: 'New', columns: {}, pos: undefined, labels: [], members: [] },
        ...{ cover: undefined, attachment: undefined, source: undefined }
      }
      const rows: [message: string, change: () => Transaction<unknown>][] = [
        ['A card can have at most 100 checklists', () => addChecklist(checklist, EDITOR)],
        ['A checklist can have at most 200 items', () => addCheckItem(list, item, EDITOR)],
        ['A card can have at most 1000 comments', () => addComment(FIRST, 'More', EDITOR)],
        ['A board can have at most 1 cards', () => addNewCard(request, { ...EDITOR, maxCards: 1 })]
      ]
      for (const [message, change] of rows) {
        await assert.rejects(database.write(change), { code: 'LIMIT_REACHED', message })
      }
    })

    test('a board keeps its newest actions and all comments', async () => {
      await using tables = await openTables(engine)
      const { database } = tables
      await database.write(function* () {
        yield* addParts()
        const card = yield* addCard(FIRST, SHOWN)
        const board = { id: BOARD, name: 'Portfolio', short_link: 'a' }
        const common = { member: idOf(1), board, card }
        yield* addAction({ ...common, id: nextId(), type: 'commentCard' }, LATER)
        yield* addAction({ ...common, id: nextId(), type: 'createCard' }, LATER)
        const rows = Array.from({ length: 5_098 }, (_, number) => [idOf(10_000 + number)])
        for (let from = 0; from < rows.length; from += 1_000) {
          const some = rows.slice(from, from + 1_000)
          const values = some.map(() => `(?, '${BOARD}', 'm', 'updateCard', '{}', '')`).join(', ')
          yield* query(
            `insert into actions (id, board, member, type, data, created_at) values ${values}`,
            ...some.flat()
          )
        }
        yield* query('update boards set action_count = 5099 where id = ?', BOARD)
        yield* addAction({ ...common, id: nextId(), type: 'updateCard' }, LATER)
        const counts = yield* query<{ type: string; total: number }>(
          'select type, count(*) as total from actions group by type order by type'
        )
        assert.deepEqual(
          counts.map(({ type, total }) => [type, total]),
          [
            ['commentCard', 1],
            ['updateCard', 5_000]
          ]
        )
      })
    })
  })
}
