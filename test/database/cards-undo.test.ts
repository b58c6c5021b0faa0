import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '../../src/kernel/database/database.ts'
import { insertRow, query, type Transaction } from '../../src/kernel/database/transaction.ts'
import { addAttachment } from '../../src/services/cards/store/attachments.ts'
import { moveOnBoard, removeOnBoard } from '../../src/services/cards/store/board-moves.ts'
import { afterCardChange } from '../../src/services/cards/store/card-change.ts'
import { readSnapshot } from '../../src/services/cards/store/card-snapshot.ts'
import { addComment } from '../../src/services/cards/store/comments.ts'
import type { Editor } from '../../src/services/cards/store/editor.ts'
import { readCards } from '../../src/services/cards/store/read-cards.ts'
import { removeBoard } from '../../src/services/cards/store/remove-board.ts'
import { scheduleCard } from '../../src/services/cards/store/schedule-card.ts'
import { readUndo, removeUndo, UNDO_MS } from '../../src/services/cards/store/undo.ts'
import { undoChange } from '../../src/services/cards/store/undo-change.ts'
import { ENGINES } from '../support/engines.ts'
import {
  addCard,
  addList,
  BOARD,
  EDITOR,
  idOf,
  MEMBER,
  OWNER,
  openTables,
  TIME
} from './cards-tables.ts'

const DRAFTS = idOf(10)
const SHOWN = idOf(11)
const CARD = idOf(20)
const HASH = 'a'.repeat(64)
const IMAGE = 'b'.repeat(64)

const later = (ms: number): Editor => ({
  ...EDITOR,
  time: new Date(Date.parse(TIME) + ms).toISOString()
})

/** Three cards in each list; the first of them has a row of every kind. */
function* fill(): Transaction<void> {
  yield* addList(DRAFTS, 'draft')
  yield* addList(SHOWN, 'published')
  for (const [index, list] of [DRAFTS, SHOWN].entries()) {
    for (let number = 0; number < 3; number++) {
      yield* addCard(idOf(20 + index * 10 + number), list, {
        pos: 1000 * (number + 1),
        name: `Card ${index} ${number}`
      })
    }
  }
  yield* insertRow('labels', { id: idOf(50), board: BOARD, name: 'oak', color: 'green' })
  yield* insertRow('fields', {
    ...{ id: idOf(51), board: BOARD, name: 'URL', type: 'text', pos: 1 },
    ...{ card_front: 1, field_group: 'x' }
  })
  const card = idOf(30)
  yield* insertRow('card_labels', { card, label: idOf(50), board: BOARD })
  yield* insertRow('items', {
    ...{ id: idOf(52), board: BOARD, card, field: idOf(51), value: '{"text":"a"}', option: null }
  })
  yield* insertRow('checklists', { id: idOf(53), board: BOARD, card, name: 'To do', pos: 0.1 })
  yield* insertRow('check_items', {
    ...{ id: idOf(54), board: BOARD, card, checklist: idOf(53), name: 'One' },
    ...{ is_complete: 1, pos: 1, due: null }
  })
  const [row] = (yield* readSnapshot(card)).cards
  assert.ok(row)
  yield* addAttachment(row, {
    ...{
      id: idOf(55),
      member: MEMBER,
      name: 'Größe',
      mediaType: 'image/png',
      pos: 1.5,
      time: TIME
    },
    content: {
      ...{ fileName: 'g.png', size: 5, hash: HASH },
      image: {
        hash: IMAGE,
        mediaType: 'image/webp',
        size: 4,
        width: 3,
        height: 2,
        color: '#aabbcc'
      }
    },
    alt: 'Oak'
  })
  yield* afterCardChange(card, TIME, { wasPublic: true })
  yield* addComment(card, 'A comment', EDITOR)
}

const revisionOf = async ({ read }: Database, card: string): Promise<number> => {
  const [row] = await read(() =>
    query<{ revision: number }>('select revision from cards where id = ?', card)
  )
  return row?.revision ?? -1
}

const namesIn = async ({ read }: Database, list: string): Promise<string[]> =>
  (await read(() => readCards(OWNER, { list, filter: 'open' }))).map(({ card }) => card.name)

const references = async ({ read }: Database): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await read(() => query<{ hash: string; refs: number }>('select hash, refs from files'))).map(
      ({ hash, refs }) => [hash[0], refs]
    )
  )

for (const engine of ENGINES) {
  describe(`undo on a board, on ${engine}`, () => {
    async function opened() {
      const tables = await openTables(engine)
      await tables.database.write(fill)
      return tables
    }

    test('undoing a deletion restores every row, and nothing shows the card meanwhile', async () => {
      await using tables = await opened()
      const { database } = tables
      const { read, write } = database
      const card = idOf(30)
      const state = () =>
        read(function* () {
          const snapshot = yield* readSnapshot(card)
          const [board] = yield* query<{ action_count: number }>(
            'select action_count, last_number from boards'
          )
          const words = yield* query('select * from texts order by sort_key')
          return { snapshot, board, words: words.map((row) => JSON.stringify(row)) }
        })
      const before = await state()
      const { webhooks: _, ...parts } = before.snapshot
      assert.ok(Object.values(parts).every((rows) => rows.length > 0))
      const shown = { board: BOARD, card, revision: await revisionOf(database, card) }
      const undo = await write(() => removeOnBoard(shown, EDITOR))
      assert.deepEqual(await namesIn(database, SHOWN), ['Card 1 1', 'Card 1 2'])
      const gone = await state()
      assert.ok(Object.values(gone.snapshot).every((rows) => rows.length === 0))
      assert.equal(gone.words.length, before.words.length - 1)
      assert.deepEqual(await references(database), { a: 1, b: 1 })
      await write(() => undoChange(BOARD, undo.id, later(UNDO_MS - 1)))
      const after = await state()
      const isNew = ({ id }: { id: string }) =>
        before.snapshot.actions.every((one) => one.id !== id)
      const added = after.snapshot.actions.filter(isNew)
      assert.deepEqual(
        added.map(({ type }) => type),
        ['createCard']
      )
      const actions = after.snapshot.actions.filter((one) => !isNew(one))
      assert.deepEqual({ ...after.snapshot, actions }, before.snapshot)
      assert.deepEqual(after.words, before.words)
      assert.deepEqual(await references(database), { a: 1, b: 1 })
      // The two new ones: deleteCard and createCard.
      const count = Number(before.board?.action_count) + 2
      assert.deepEqual({ ...after.board }, { ...before.board, action_count: count })
    })

    test('a move is undone to the same position, also archiving', async () => {
      await using tables = await opened()
      const { database } = tables
      const { write } = database
      const order = async () => [await namesIn(database, DRAFTS), await namesIn(database, SHOWN)]
      const before = await order()
      const card = idOf(21)
      for (const move of [
        { to: 'list', list: SHOWN, before: idOf(31) },
        { to: 'list', list: DRAFTS, after: idOf(22) },
        { to: 'up' },
        { to: 'down' },
        { to: 'published' },
        { to: 'archive' }
      ] as const) {
        const revision = await revisionOf(database, card)
        const { undo } = await write(() =>
          moveOnBoard({ board: BOARD, card, revision }, move, EDITOR)
        )
        assert.notDeepEqual(await order(), before, JSON.stringify(move))
        assert.equal(
          (await database.read(() => readUndo(BOARD, MEMBER, Date.parse(TIME))))?.id,
          undo?.id
        )
        await write(() => undoChange(BOARD, undo?.id ?? '', EDITOR))
        assert.deepEqual(await order(), before, JSON.stringify(move))
      }
    })

    test('undoing the early publication of a scheduled card hides it from the public again', async () => {
      await using tables = await opened()
      const { database } = tables
      const { read, write } = database
      const publishAt = later(60_000).time
      const publicRevision = async () => {
        const [row] = await read(() =>
          query<{ revision: number }>('select public_revision as revision from boards')
        )
        return row?.revision ?? assert.fail()
      }
      for (const card of [idOf(21), idOf(31)]) {
        await write(() => scheduleCard(card, publishAt, EDITOR))
        const hidden = await publicRevision()
        const shown = { board: BOARD, card, revision: await revisionOf(database, card) }
        const { undo } = await write(() => moveOnBoard(shown, { to: 'published' }, EDITOR))
        const published = await publicRevision()
        assert.ok(published > hidden)
        await write(() => undoChange(BOARD, undo?.id ?? '', EDITOR))
        assert.ok((await publicRevision()) > published, 'the public notices that it is gone')
        const jobs = await read(() =>
          query(
            "select 1 as one from outbox where lane = ? and state = 'waiting'",
            `publish:${card}`
          )
        )
        assert.equal(jobs.length, 1)
      }
    })

    test('a card restored after its time is not scheduled for ever without a list for it', async () => {
      await using tables = await opened()
      const { database } = tables
      const { read, write } = database
      const card = idOf(21)
      await write(() => scheduleCard(card, later(10_000).time, EDITOR))
      const shown = { board: BOARD, card, revision: await revisionOf(database, card) }
      const undo = await write(() => removeOnBoard(shown, EDITOR))
      await write(function* () {
        yield* query("update lists set role = 'draft'")
      })
      await write(() => undoChange(BOARD, undo.id, later(20_000)))
      const [row] = (await read(() => readSnapshot(card))).cards
      assert.equal(row?.publish_at, null)
    })

    test('positions among neighbours with equal or close ones keep the order', async () => {
      await using tables = await opened()
      const { database } = tables
      const { write } = database
      await write(function* () {
        yield* query('update cards set pos = 7 where list = ?', SHOWN)
      })
      const move = async (card: string, target: { before?: string; after?: string }) => {
        const revision = await revisionOf(database, card)
        await write(() =>
          moveOnBoard(
            { board: BOARD, card, revision },
            { to: 'list', list: SHOWN, ...target },
            EDITOR
          )
        )
      }
      await move(idOf(20), { before: idOf(31) })
      assert.deepEqual(await namesIn(database, SHOWN), [
        'Card 1 0',
        'Card 0 0',
        'Card 1 1',
        'Card 1 2'
      ])
      await move(idOf(20), { after: idOf(31) })
      assert.deepEqual(await namesIn(database, SHOWN), [
        'Card 1 0',
        'Card 1 1',
        'Card 0 0',
        'Card 1 2'
      ])
      for (let round = 0; round < 60; round++) {
        await move(idOf(20 + (round % 2)), { before: idOf(30) })
      }
      assert.deepEqual(await namesIn(database, SHOWN), [
        'Card 0 0',
        'Card 0 1',
        'Card 1 0',
        'Card 1 1',
        'Card 1 2'
      ])
      // Neither is in the list any more.
      await move(idOf(30), { before: idOf(22), after: idOf(99) })
      assert.equal((await namesIn(database, SHOWN)).at(-1), 'Card 1 0')
    })

    test('after 30 seconds, or after another change, it cannot be undone and files are released', async () => {
      await using tables = await opened()
      const { database } = tables
      const { read, write } = database
      const removed = async (card: string) => {
        const revision = await revisionOf(database, card)
        return write(() => removeOnBoard({ board: BOARD, card, revision }, EDITOR))
      }
      const undo = await removed(idOf(30))
      await assert.rejects(
        write(() => undoChange(BOARD, undo.id, later(UNDO_MS))),
        { code: 'UNDO_ENDED' }
      )
      assert.equal(await read(() => readUndo(BOARD, MEMBER, undo.endsAt)), undefined)
      const next = await removed(idOf(31))
      assert.deepEqual(await references(database), { a: 0, b: 0 })
      await assert.rejects(
        write(() => undoChange(BOARD, undo.id, EDITOR)),
        { code: 'UNDO_ENDED' }
      )
      const other = { ...EDITOR, viewer: { ...OWNER, member: idOf(77) } }
      await assert.rejects(
        write(() => undoChange(BOARD, next.id, other)),
        { code: 'OBJECT_UNKNOWN' }
      )
      await write(() => removeUndo(next.id))
      await assert.rejects(
        write(() => undoChange(BOARD, next.id, EDITOR)),
        { code: 'UNDO_ENDED' }
      )
    })

    test('a board that is removed releases the files of its deletion', async () => {
      await using tables = await opened()
      const { database } = tables
      const card = idOf(30)
      const revision = await revisionOf(database, card)
      await database.write(() => removeOnBoard({ board: BOARD, card, revision }, EDITOR))
      await database.write(() => removeBoard(BOARD))
      assert.deepEqual(await references(database), { a: 0, b: 0 })
    })

    test('a later change is said, not overwritten', async () => {
      await using tables = await opened()
      const { database } = tables
      const { write } = database
      const shown = { board: BOARD, card: CARD, revision: await revisionOf(database, CARD) }
      const { undo } = await write(() => moveOnBoard(shown, { to: 'published' }, EDITOR))
      await assert.rejects(
        write(() => moveOnBoard(shown, { to: 'archive' }, EDITOR)),
        ({ code, message, data }) => {
          assert.equal(code, 'CARD_CHANGED')
          assert.match(message, /“Card 0 0” was changed by Ada .*is in published now/)
          assert.deepEqual({ ...data.conflict.list }, { id: SHOWN, name: 'published' })
          return true
        }
      )
      await assert.rejects(
        write(() => removeOnBoard(shown, EDITOR)),
        { code: 'CARD_CHANGED' }
      )
      const other = { ...EDITOR, viewer: { ...OWNER, member: MEMBER }, time: later(5).time }
      const again = { ...shown, revision: await revisionOf(database, CARD) }
      await write(function* () {
        yield* query('update cards set pos = 1 where id = ?', CARD)
      })
      await assert.rejects(
        write(() => undoChange(BOARD, undo?.id ?? '', other)),
        { code: 'CARD_CHANGED' }
      )
      await write(function* () {
        yield* query('update lists set closed = 1 where id = ?', SHOWN)
      })
      const removed = await write(() => removeOnBoard(again, EDITOR))
      await assert.rejects(
        write(() => undoChange(BOARD, removed.id, EDITOR)),
        { code: 'UNDO_NOT_POSSIBLE' }
      )
    })

    test('what other cards took meanwhile stays theirs', async () => {
      await using tables = await opened()
      const { database } = tables
      const { read, write } = database
      const card = idOf(30)
      const revision = await revisionOf(database, card)
      const undo = await write(() => removeOnBoard({ board: BOARD, card, revision }, EDITOR))
      await write(function* () {
        yield* addCard(idOf(40), SHOWN, { name: 'Card 1 0' })
        yield* query('delete from labels where id = ?', idOf(50))
      })
      await write(() => undoChange(BOARD, undo.id, EDITOR))
      const snapshot = await read(() => readSnapshot(card))
      assert.deepEqual(snapshot.card_labels, [])
      assert.deepEqual(
        snapshot.slugs.map(({ slug }) => slug),
        ['card-1-0-2']
      )
      assert.equal(snapshot.cards[0]?.slug, 'card-1-0-2')
    })
  })
}
