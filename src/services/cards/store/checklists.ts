import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ObjectUnknown } from '../contract.ts'
import type { ChecklistParts } from '../records/card-parts.ts'
import type { Viewer } from '../records/viewer.ts'
import { touchBoard } from './board-change.ts'
import { addCardAction } from './card-actions.ts'
import { readChecklists } from './card-details.ts'
import { checkCount } from './check-count.ts'
import type { Editor } from './editor.ts'
import { findCard, findChecklist } from './find.ts'
import { positionFor, type WantedPosition } from './positions.ts'
import type { CheckItemRow, ChecklistRow } from './rows.ts'

// Checklists are not public, so that their changes do not touch the published part of a board.

/** Of one card. */
const MAX_CHECKLISTS = 100
const CHECKLISTS = 'A card can have at most %d checklists'

export function* readCardChecklists(
  viewer: Viewer,
  idOrLink: string
): Transaction<readonly ChecklistParts[]> {
  const card = yield* findCard(viewer, idOrLink)
  const byCard = yield* readChecklists({
    sql: 'select id from cards where id = ?',
    args: [card.id]
  })
  return byCard.get(card.id) ?? []
}

export function* readChecklist(viewer: Viewer, id: string): Transaction<ChecklistParts> {
  const checklist = yield* findChecklist(viewer, id)
  const items = yield* query<CheckItemRow>(
    'select * from check_items where checklist = ? order by pos, id',
    checklist.id
  )
  return { checklist, items }
}

export interface NewChecklist {
  readonly card: string
  readonly name: string
  readonly pos: WantedPosition | undefined
  /** A checklist whose items are copied. */
  readonly source: string | undefined
}

export function* addChecklist(request: NewChecklist, editor: Editor): Transaction<string> {
  const { viewer, time, nextId } = editor
  const card = yield* findCard(viewer, request.card)
  const source =
    request.source === undefined ? undefined : yield* readChecklist(viewer, request.source)
  yield* checkCount({ table: 'checklists', parent: card.id }, MAX_CHECKLISTS, CHECKLISTS)
  const checklist: ChecklistRow = {
    id: nextId(),
    board: card.board,
    card: card.id,
    name: request.name === '' ? (source?.checklist.name ?? 'Checklist') : request.name,
    pos: yield* positionFor({ table: 'checklists', parent: card.id }, request.pos)
  }
  yield* insertRow('checklists', { ...checklist })
  for (const item of source?.items ?? []) {
    const { id: checklistId, card: cardId, board } = checklist
    yield* insertRow('check_items', {
      ...{ ...item, id: nextId(), checklist: checklistId, card: cardId, board }
    })
  }
  yield* addCardAction(card, 'addChecklistToCard', dataOf(checklist), editor)
  yield* touchBoard(card.board, time, false)
  return checklist.id
}

export function* changeChecklist(
  id: string,
  change: { readonly name?: string | undefined; readonly pos?: WantedPosition | undefined },
  { viewer, time }: Editor
): Transaction<void> {
  const checklist = yield* findChecklist(viewer, id)
  const scope = { table: 'checklists', parent: checklist.card, moved: checklist.id } as const
  const pos = change.pos === undefined ? checklist.pos : yield* positionFor(scope, change.pos)
  yield* query(
    'update checklists set name = ?, pos = ? where id = ?',
    ...[change.name ?? checklist.name, pos, checklist.id]
  )
  yield* touchBoard(checklist.board, time, false)
}

/** `cardId`: only a checklist of this card. */
export function* removeChecklist(
  id: string,
  cardId: string | undefined,
  editor: Editor
): Transaction<void> {
  const checklist = yield* findChecklist(editor.viewer, id)
  const card = yield* findCard(editor.viewer, cardId ?? checklist.card)
  if (checklist.card !== card.id) throw new ObjectUnknown()
  yield* query('delete from check_items where checklist = ?', checklist.id)
  yield* query('delete from checklists where id = ?', checklist.id)
  yield* addCardAction(card, 'removeChecklistFromCard', dataOf(checklist), editor)
  yield* touchBoard(checklist.board, editor.time, false)
}

function dataOf({ id, name }: ChecklistRow): Record<string, object> {
  return { checklist: { id, name } }
}
