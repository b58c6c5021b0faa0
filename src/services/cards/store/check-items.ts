import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ObjectUnknown } from '../contract.ts'
import type { Viewer } from '../records/viewer.ts'
import { touchBoard } from './board-change.ts'
import { addCardAction } from './card-actions.ts'
import { checkCount } from './check-count.ts'
import type { Editor } from './editor.ts'
import { findCard, findCheckItem, findChecklist } from './find.ts'
import { positionFor, type WantedPosition } from './positions.ts'
import type { CheckItemRow } from './rows.ts'

/** Of one checklist. */
const MAX_ITEMS = 200
const ITEMS = 'A checklist can have at most %d items'

export interface NewCheckItem {
  readonly name: string
  readonly isComplete: boolean
  readonly due: string | null
  readonly pos: WantedPosition | undefined
}

export function* addCheckItem(
  id: string,
  { name, isComplete, due, pos }: NewCheckItem,
  { viewer, time, nextId }: Editor
): Transaction<CheckItemRow> {
  const { id: checklist, board, card } = yield* findChecklist(viewer, id)
  yield* checkCount({ table: 'check_items', parent: checklist }, MAX_ITEMS, ITEMS)
  const item = {
    ...{ id: nextId(), board, card, checklist, name, is_complete: isComplete ? 1 : 0, due },
    pos: yield* positionFor({ table: 'check_items', parent: checklist }, pos)
  }
  yield* insertRow('check_items', item)
  yield* touchBoard(board, time, false)
  return item
}

export interface CheckItemChange {
  readonly name?: string | undefined
  readonly isComplete?: boolean | undefined
  readonly due?: string | null | undefined
  readonly pos?: WantedPosition | undefined
  /** Of the same card. */
  readonly checklist?: string | undefined
}

/** Ids of the objects that the path names before the item. */
export interface ItemOwner {
  readonly card?: string
  readonly checklist?: string
}

export function* changeCheckItem(
  owner: ItemOwner,
  id: string,
  change: CheckItemChange,
  editor: Editor
): Transaction<CheckItemRow> {
  const { viewer, time } = editor
  const item = yield* findItemOf(viewer, owner, id)
  const target =
    change.checklist === undefined ? undefined : yield* findChecklist(viewer, change.checklist)
  if (target !== undefined && target.card !== item.card) throw new ObjectUnknown()
  const checklist = target?.id ?? item.checklist
  const isMoved = change.pos !== undefined || checklist !== item.checklist
  const scope = { table: 'check_items', parent: checklist, moved: item.id } as const
  const changed: CheckItemRow = {
    ...item,
    checklist,
    name: change.name ?? item.name,
    is_complete: change.isComplete === undefined ? item.is_complete : Number(change.isComplete),
    due: change.due === undefined ? item.due : change.due,
    pos: isMoved ? yield* positionFor(scope, change.pos) : item.pos
  }
  yield* query(
    'update check_items set checklist = ?, name = ?, is_complete = ?, due = ?, pos = ? where id = ?',
    ...[checklist, changed.name, changed.is_complete, changed.due, changed.pos, item.id]
  )
  if (changed.is_complete !== item.is_complete) {
    const state = changed.is_complete === 1 ? 'complete' : 'incomplete'
    const data = { checkItem: { id: item.id, name: changed.name, state } }
    const card = yield* findCard(viewer, item.card)
    yield* addCardAction(card, 'updateCheckItemStateOnCard', data, editor)
  }
  yield* touchBoard(item.board, time, false)
  return changed
}

export function* removeCheckItem(
  owner: { readonly card?: string; readonly checklist?: string },
  id: string,
  { viewer, time }: Editor
): Transaction<void> {
  const item = yield* findItemOf(viewer, owner, id)
  yield* query('delete from check_items where id = ?', item.id)
  yield* touchBoard(item.board, time, false)
}

/** An item of another card or checklist is unknown, although the viewer may see it. */
export function* findItemOf(
  viewer: Viewer,
  owner: ItemOwner,
  id: string
): Transaction<CheckItemRow> {
  const card = owner.card === undefined ? undefined : yield* findCard(viewer, owner.card)
  const checklist =
    owner.checklist === undefined ? undefined : yield* findChecklist(viewer, owner.checklist)
  const item = yield* findCheckItem(viewer, id)
  const isOther =
    (card !== undefined && item.card !== card.id) ||
    (checklist !== undefined && item.checklist !== checklist.id)
  if (isOther) throw new ObjectUnknown()
  return item
}
