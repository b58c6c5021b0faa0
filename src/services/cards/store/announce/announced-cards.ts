import { query, type Transaction } from '../../../../kernel/database/transaction.ts'
import type { PublicationChanges } from '../../records/publication-event.ts'
import { type Condition, visibleCards } from '../visible.ts'

/** Cards of a board as a publishable key sees them, in `cards c` and `lists l`. */
function shownCards(board: string): Condition {
  const viewer = { kind: 'publishable', board } as const
  const cards = visibleCards(viewer)
  return {
    sql: `from cards c join lists l on l.id = c.list join boards b on b.id = c.board
      left join announced a on a.board = c.board and a.card = c.id
      where c.board = ? and b.closed = 0 and ${cards.sql}`,
    args: [board, ...cards.args]
  }
}

/** Announced cards of the board that the public no longer sees there. */
function hiddenCards(board: string): Condition {
  const cards = visibleCards({ kind: 'publishable', board })
  return {
    sql: `board = ? and not exists (
      select 1 from cards c join lists l on l.id = c.list join boards b on b.id = c.board
      where c.id = announced.card and c.board = announced.board and b.closed = 0 and ${cards.sql})`,
    args: [board, ...cards.args]
  }
}

const IS_NEW = 'a.card is null'
const IS_CHANGED = 'a.revision <> c.revision'

/** What the public sees now and what was announced last; each in the order of the ids. */
export function* readChanges(board: string): Transaction<PublicationChanges> {
  const shown = shownCards(board)
  const select = 'select c.id, c.slug, c.name as title'
  const hidden = hiddenCards(board)
  return {
    published: yield* query(`${select} ${shown.sql} and ${IS_NEW} order by c.id`, ...shown.args),
    unpublished: yield* query(
      `select card as id, slug, title from announced where ${hidden.sql} order by card`,
      ...hidden.args
    ),
    updated: yield* query(`${select} ${shown.sql} and ${IS_CHANGED} order by c.id`, ...shown.args)
  }
}

/** Stores what the public sees now as announced. */
export function* storeAnnounced(board: string): Transaction<void> {
  const hidden = hiddenCards(board)
  yield* query(`delete from announced where ${hidden.sql}`, ...hidden.args)
  const shown = shownCards(board)
  yield* query(
    `insert into announced (board, card, slug, title, revision)
     select c.board, c.id, c.slug, c.name, c.revision ${shown.sql} and (${IS_NEW} or ${IS_CHANGED})
     on conflict (board, card) do update
     set slug = excluded.slug, title = excluded.title, revision = excluded.revision`,
    ...shown.args
  )
}
