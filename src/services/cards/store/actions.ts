import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { COMMENT } from '../records/comment.ts'
import { enqueueAction } from '../webhooks/enqueue-action.ts'
import type { BoardRow, CardRow, ListRow } from './rows.ts'

/** Actions of a board that are stored, besides comments. */
const MAX_ACTIONS = 5_000
/** So many more are removed at once. */
const EXCESS = 100

export interface NewAction {
  id: string
  type: string
  member: string
  board: Pick<BoardRow, 'id' | 'name' | 'short_link'>
  card?: Pick<CardRow, 'id' | 'name' | 'number' | 'short_link'> | undefined
  list?: Pick<ListRow, 'id' | 'name'> | undefined
  /** Besides the references to board, card and list. */
  data?: Readonly<Record<string, unknown>>
}

/**
 * Also for the webhooks that watch what it is about. The oldest actions of the board that are no
 * comments are removed if there are too many.
 */
export function* addAction(action: NewAction, time: string): Transaction<void> {
  const { id, type, member, board, card, list, data } = action
  const references = {
    board: { id: board.id, name: board.name, shortLink: board.short_link },
    ...(card && { card: cardReference(card) }),
    ...(list && { list: { id: list.id, name: list.name } })
  }
  const row = {
    id,
    board: board.id,
    card: card?.id ?? null,
    list: list?.id ?? null,
    member,
    type,
    data: JSON.stringify({ ...references, ...data }),
    created_at: time
  }
  yield* insertRow('actions', row)
  yield* enqueueAction(row, data)
  if (type !== COMMENT) yield* countAction(board.id)
}

export function cardReference(
  card: Pick<CardRow, 'id' | 'name' | 'number' | 'short_link'>
): object {
  return { id: card.id, name: card.name, idShort: card.number, shortLink: card.short_link }
}

function* countAction(board: string): Transaction<void> {
  const [row] = yield* query<{ action_count: number }>(
    'update boards set action_count = action_count + 1 where id = ? returning action_count',
    board
  )
  if ((row?.action_count ?? 0) < MAX_ACTIONS + EXCESS) return
  yield* query(
    `delete from actions where board = ? and type <> '${COMMENT}' and number <= (
       select number from actions where board = ? and type <> '${COMMENT}'
       order by number desc limit 1 offset ${MAX_ACTIONS})`,
    ...[board, board]
  )
  yield* query('update boards set action_count = ? where id = ?', MAX_ACTIONS, board)
}

/** After the actions of a card were inserted, or before they are deleted. */
export function* countCardActions(board: string, card: string, sign: 1 | -1): Transaction<void> {
  yield* query(
    `update boards set action_count = action_count + ? * (
       select count(*) from actions where card = ? and type <> '${COMMENT}') where id = ?`,
    ...[sign, card, board]
  )
}
