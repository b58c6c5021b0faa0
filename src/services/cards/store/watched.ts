import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ObjectUnknown } from '../contract.ts'
import { isShortLink } from '../records/ids.ts'
import type { Viewer } from '../records/viewer.ts'
import { requireId } from './find.ts'
import type { ModelType } from './rows.ts'
import { visibleBoards } from './visible.ts'

/** What a webhook watches. */
export interface Watched {
  id: string
  type: ModelType
}

type Member = Viewer & { kind: 'member' }

/** A board, list or card that the member's token sees, or the member; others are unknown. */
export function* findWatched(viewer: Member, idOrLink: string): Transaction<Watched> {
  const found = yield* readWatched(viewer, idOrLink)
  if (found === undefined) throw new ObjectUnknown()
  return found
}

export function* readWatched(viewer: Member, idOrLink: string): Transaction<Watched | undefined> {
  const isLink = isShortLink(idOrLink)
  const id = isLink ? idOrLink : requireId(idOrLink)
  if (id === viewer.member) return { id, type: 'member' }
  const boards = visibleBoards(viewer)
  const column = isLink ? 'short_link' : 'id'
  const [row] = yield* query<Watched>(
    `select b.id, 'board' as type from boards b where b.${column} = ? and ${boards.sql}
     union all select l.id, 'list' as type from lists l join boards b on b.id = l.board
       where l.id = ? and ${boards.sql}
     union all select c.id, 'card' as type from cards c join boards b on b.id = c.board
       where c.${column} = ? and ${boards.sql}`,
    ...[id, ...boards.args, id, ...boards.args, id, ...boards.args]
  )
  return row
}

/** Whether the token of the member sees the board. */
export function* seesBoard(viewer: Member, board: string): Transaction<boolean> {
  const boards = visibleBoards(viewer)
  const rows = yield* query(
    `select 1 as found from boards b where b.id = ? and ${boards.sql}`,
    ...[board, ...boards.args]
  )
  return rows.length > 0
}
