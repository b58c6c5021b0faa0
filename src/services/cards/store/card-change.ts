import { chunkSize, multiRowSql } from '../../../kernel/database/insert-batching.ts'
import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'
import { writeDocuments } from '../../../kernel/search/table.ts'
import { isPublished } from '../records/publication.ts'
import { touchBoard } from './board-change.ts'
import { SEARCH_TABLE } from './migrations.ts'
import type { CardRow, ListRole } from './rows.ts'
import { searchDocumentOf } from './search-document.ts'
import { chooseSlugs } from './slugs.ts'

export interface CardChange {
  /** Whether the card was in the published part of the board before the change. */
  wasPublic: boolean
}

/** Both databases name the columns of `values` so. */
const SET_SLUGS = `update cards set slug = chosen.column2, published_at = coalesce(published_at, ?)
  from (values (?, ?)) as chosen where cards.id = chosen.column1`

/** A card with what its list says about publication. */
interface PublishedRow extends CardRow {
  list_closed: number
  list_role: ListRole
  owner: string
}

/**
 * Ends a transaction that changed what the public would see of a card: revisions and times of card
 * and board, publication, search document. Do not touch the board again.
 */
export function* afterCardChange(
  card: string,
  time: string,
  { wasPublic }: CardChange
): Transaction<void> {
  yield* query('update cards set revision = revision + 1, changed_at = ? where id = ?', time, card)
  const [row] = yield* updatePublication('c.id = ?', [card], time)
  if (row !== undefined) yield* indexCards([row])
  if (row !== undefined) yield* touchBoard(row.board, time, wasPublic || isPublic(row))
}

export interface CardsChange extends CardChange {
  /** Whether they came from another board; otherwise nothing that is searched has changed. */
  hasNewBoard: boolean
}

/** The same for cards of one board that changed together; `where` has a condition on `cards c`. */
export function* afterCardsChange(
  board: string,
  where: { sql: string; args: readonly SqlValue[] },
  time: string,
  { wasPublic, hasNewBoard }: CardsChange
): Transaction<void> {
  yield* query(
    `update cards as c set revision = revision + 1, changed_at = ? where ${where.sql}`,
    ...[time, ...where.args]
  )
  const rows = yield* updatePublication(where.sql, where.args, time)
  if (hasNewBoard) yield* indexCards(rows)
  yield* touchBoard(board, time, wasPublic || rows.some(isPublic))
}

/**
 * The same if the cards show something else that neither publishes nor hides them and that is not
 * searched, such as the name of a label.
 */
export function* afterShownChange(
  board: string,
  where: { sql: string; args: readonly SqlValue[] },
  time: string
): Transaction<void> {
  yield* query(
    `update cards as c set revision = revision + 1, changed_at = ? where ${where.sql}`,
    ...[time, ...where.args]
  )
  yield* touchBoard(board, time, true)
}

/**
 * After the role or `closed` of a list has changed: its cards may be public now or no more. The
 * caller touches the board.
 */
export function* afterListChange(list: string, time: string): Transaction<void> {
  yield* updatePublication('c.list = ?', [list], time)
}

/** Whether the public sees the card while the board is open. */
export function* isPublicCard(card: CardRow): Transaction<boolean> {
  const [list] = yield* query<{ closed: number; role: ListRole }>(
    'select closed, role from lists where id = ?',
    card.list
  )
  return list !== undefined && isPublished(card, list)
}

/** Slugs and dates of publication; the caller touches the board. */
export function* updatePublication(
  condition: string,
  args: readonly SqlValue[],
  time: string
): Transaction<readonly PublishedRow[]> {
  const rows = yield* query<PublishedRow>(
    `select c.*, l.closed as list_closed, l.role as list_role, b.owner
     from cards c join lists l on l.id = c.list join boards b on b.id = c.board where ${condition}`,
    ...args
  )
  const shown = rows.filter(isPublic)
  const slugs = yield* chooseSlugs(shown)
  const changed = shown.filter(
    ({ id, slug, published_at }) => slugs.get(id) !== slug || published_at === null
  )
  yield* writeSlugs(
    changed.map(({ id }) => [id, slugs.get(id) ?? '']),
    time
  )
  return rows
}

/** Search documents of these cards; those of a thousand long texts take seconds. */
export function* indexCards(rows: readonly PublishedRow[]): Transaction<void> {
  yield* writeDocuments(
    SEARCH_TABLE,
    rows.map((row) => searchDocumentOf(row, row.owner))
  )
}

function* writeSlugs(
  rows: readonly [card: string, slug: string][],
  time: string
): Transaction<void> {
  for (let done = 0; done < rows.length; ) {
    const size = chunkSize(rows.length - done, 2)
    yield* query(multiRowSql(SET_SLUGS, size), ...[time, ...rows.slice(done, done + size).flat()])
    done += size
  }
}

function isPublic(row: PublishedRow): boolean {
  return isPublished(row, { closed: row.list_closed, role: row.list_role })
}
