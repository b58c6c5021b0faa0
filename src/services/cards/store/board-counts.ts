import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ANONYMOUS, type Viewer } from '../records/viewer.ts'
import { visibleBoards, visibleCards } from './visible.ts'

export interface BoardCounts {
  /** Open cards in open lists. */
  cards: number
  /** Of these, what the public sees if the board is public. */
  published: number
}

/** By board; those without cards are left out. */
export function* countCards(viewer: Viewer): Transaction<ReadonlyMap<string, BoardCounts>> {
  const boards = visibleBoards(viewer)
  const shown = visibleCards(ANONYMOUS)
  const rows = yield* query<BoardCounts & { board: string }>(
    `select c.board, count(*) as cards, count(case when ${shown.sql} then 1 end) as published
     from cards c join lists l on l.id = c.list join boards b on b.id = c.board
     where c.closed = 0 and l.closed = 0 and ${boards.sql} group by c.board`,
    ...[...shown.args, ...boards.args]
  )
  return new Map(rows.map(({ board, ...counts }) => [board, counts]))
}
