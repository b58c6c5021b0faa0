import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ListArchived, NoSuchList, ObjectUnknown } from '../contract.ts'
import { type CardEdit, changeCard } from './change-card.ts'
import { requireRevision } from './conflict.ts'
import type { Editor } from './editor.ts'
import { findBoard, findCard, findList } from './find.ts'
import { readLists } from './lists.ts'
import { positionBeside, type WantedPosition } from './positions.ts'
import { removeCardWithUndo } from './remove-card.ts'
import type { CardRow, ListRole, ListRow } from './rows.ts'
import { type CardSpot, storeUndo, type Undo, type UndoAbout } from './undo.ts'

/** A card as a page of its board showed it. */
export interface ShownCard {
  readonly board: string
  readonly card: string
  readonly revision: number
}

export type BoardMove =
  /** Beside the first of the two cards that is in the list, otherwise at its end. */
  | {
      readonly to: 'list'
      readonly list: string
      readonly before?: string
      readonly after?: string
    }
  | { readonly to: 'top' | 'up' | 'down' | 'archive' | 'board' }
  /** To the first open list with the role. */
  | { readonly to: 'published' | 'draft' }

export interface MoveResult {
  readonly card: CardRow
  /** Undefined if the card was there already. */
  readonly undo: Undo | undefined
}

/** Moves a card on its board, so that it can be undone. */
export function* moveOnBoard(
  shown: ShownCard,
  move: BoardMove,
  editor: Editor
): Transaction<MoveResult> {
  const before = yield* findShown(shown, editor)
  const target = yield* resolveMove(before, move, editor)
  if (target === undefined) return { card: before, undo: undefined }
  const beside = yield* neighboursOf(before)
  yield* changeCard(before.id, target.edit, editor)
  const card = yield* findCard(editor.viewer, before.id)
  const data = { card: card.id, from: spotOf(before), to: spotOf(card), ...beside }
  const undo = yield* storeUndo(card.board, target.about, { kind: 'move', data }, editor)
  return { card, undo }
}

export function* removeOnBoard(shown: ShownCard, editor: Editor): Transaction<Undo> {
  const card = yield* findShown(shown, editor)
  return yield* removeCardWithUndo(card, editor)
}

function* findShown({ board, card, revision }: ShownCard, { viewer }: Editor) {
  const { id } = yield* findBoard(viewer, board)
  const found = yield* findCard(viewer, card)
  if (found.board !== id) throw new ObjectUnknown()
  yield* requireRevision(found, revision)
  return found
}

export function spotOf({ list, pos, closed, publish_at }: CardRow): CardSpot {
  return { list, pos, closed, publish_at }
}

interface Target {
  edit: CardEdit
  about: UndoAbout
}

function* resolveMove(
  card: CardRow,
  move: BoardMove,
  editor: Editor
): Transaction<Target | undefined> {
  const { name } = card
  if (move.to === 'archive' || move.to === 'board') {
    const closed = Number(move.to === 'archive')
    if (card.closed === closed) return undefined
    const change = closed === 1 ? 'archived' : 'restored'
    return { edit: { columns: { closed } }, about: { name, change } }
  }
  if (move.to === 'published' || move.to === 'draft') return yield* toRole(card, move.to, editor)
  const list = yield* findList(editor.viewer, move.to === 'list' ? move.list : card.list)
  if (list.board !== card.board) throw new ObjectUnknown()
  if (list.closed === 1) throw new ListArchived(list.name)
  const pos = yield* positionOf(card, list, move)
  if (pos === undefined) return undefined
  const columns = card.closed === 1 ? { closed: 0 } : {}
  return { edit: { columns, list: list.id, pos }, about: movedTo(card, list) }
}

function movedTo({ name }: CardRow, list: ListRow): UndoAbout {
  return { name, change: 'moved', list: list.name }
}

/** A scheduled card that is in a published list stays there and is public from now on. */
function* toRole(
  card: CardRow,
  role: ListRole,
  { viewer }: Editor
): Transaction<Target | undefined> {
  const lists = yield* readLists(viewer, card.board, 'open')
  const isThere = lists.some(({ id, role: own }) => id === card.list && own === role)
  const isScheduled = card.publish_at !== null
  if (isThere && !isScheduled && card.closed === 0) return undefined
  const list = lists.find((one) => (isThere ? one.id === card.list : one.role === role))
  if (list === undefined) throw new NoSuchList(role)
  const columns = { closed: 0, ...(isScheduled && { publish_at: null }) }
  const edit: CardEdit = isThere ? { columns } : { columns, list: list.id, pos: 'bottom' }
  return { edit, about: movedTo(card, list) }
}

interface Neighbour {
  id: string
  pos: number
}

function* positionOf(
  card: CardRow,
  list: ListRow,
  move: BoardMove
): Transaction<WantedPosition | undefined> {
  const scope = { table: 'cards', parent: list.id, moved: card.id } as const
  if (move.to === 'list') {
    for (const side of ['before', 'after'] as const) {
      const beside = yield* cardIn(list.id, move[side])
      if (beside !== undefined && beside.id !== card.id) {
        return yield* positionBeside(scope, beside, side)
      }
    }
    return 'bottom'
  }
  if (move.to === 'top') return 'top'
  const side = move.to === 'up' ? 'before' : 'after'
  const beside = yield* nextOpen(card, side)
  return beside && (yield* positionBeside(scope, beside, side))
}

function* cardIn(list: string, id: string | undefined): Transaction<Neighbour | undefined> {
  if (id === undefined) return undefined
  const [row] = yield* query<Neighbour>(
    'select id, pos from cards where id = ? and list = ?',
    ...[id, list]
  )
  return row
}

function* nextOpen(
  { list, pos, id }: CardRow,
  side: 'before' | 'after',
  condition = 'closed = 0'
): Transaction<Neighbour | undefined> {
  const [sign, order] = side === 'before' ? ['<', 'desc'] : ['>', 'asc']
  const [row] = yield* query<Neighbour>(
    `select id, pos from cards where list = ? and ${condition}
       and (pos ${sign} ? or (pos = ? and id ${sign} ?)) order by pos ${order}, id ${order} limit 1`,
    ...[list, pos, pos, id]
  )
  return row
}

/** Archived ones too. */
function* neighboursOf(
  card: CardRow
): Transaction<{ previous: string | null; next: string | null }> {
  const previous = yield* nextOpen(card, 'before', '1 = 1')
  const next = yield* nextOpen(card, 'after', '1 = 1')
  return { previous: previous?.id ?? null, next: next?.id ?? null }
}
