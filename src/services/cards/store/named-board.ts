import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { BoardAmbiguous, BoardMissing, BoardNameUnknown, BoardNotChosen } from '../contract.ts'
import type { BoardRow } from './rows.ts'

/** Boards that an error names. */
const MAX_NAMED = 10

/** For operators: by id, short link or slug, of all members; without a name the only open one. */
export function* findNamedBoard(name: string | undefined): Transaction<BoardRow> {
  if (name === undefined) return yield* findOnlyBoard()
  const [board, other] = yield* query<BoardRow>(
    'select * from boards where id = ? or short_link = ? or slug = ? order by id limit 2',
    ...[name.toLowerCase(), name, name]
  )
  if (board === undefined) throw new BoardNameUnknown(name)
  // Boards of several members may have the same slug.
  if (other !== undefined) throw new BoardAmbiguous(name)
  return board
}

function* findOnlyBoard(): Transaction<BoardRow> {
  const boards = yield* query<BoardRow>(
    'select * from boards where closed = 0 order by id limit ?',
    MAX_NAMED + 1
  )
  const [board, other] = boards
  if (board === undefined) throw new BoardMissing()
  if (other === undefined) return board
  const slugs = boards.slice(0, MAX_NAMED).map(({ slug }) => slug)
  throw new BoardNotChosen(slugs.join(', ') + (boards.length > MAX_NAMED ? ', …' : ''))
}

/** All boards, at most `limit`. */
export function someBoards(limit: number): Transaction<readonly BoardRow[]> {
  return query<BoardRow>('select * from boards order by id limit ?', limit)
}
