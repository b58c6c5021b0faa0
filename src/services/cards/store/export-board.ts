import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { AuthoredAction } from '../present/action.ts'
import type { ChecklistParts } from '../records/card-parts.ts'
import type { CheckItemRow, ChecklistRow } from './rows.ts'

// Pages of a board for an export. Each is a read of its own, so that memory is bounded.

const GROUP = 50

export function* countCards(board: string): Transaction<number> {
  const [row] = yield* query<{ count: number }>(
    'select count(*) as count from cards where board = ?',
    board
  )
  return row?.count ?? 0
}

/** Time of the last change of a card and of the last action; null without any. */
export function* lastActivity(board: string): Transaction<string | null> {
  const [row] = yield* query<{ card: string | null; action: string | null }>(
    `select (select max(changed_at) from cards where board = ?) as card,
       (select max(created_at) from actions where board = ?) as action`,
    ...[board, board]
  )
  const { card = null, action = null } = row ?? {}
  return (action ?? '') > (card ?? '') ? action : card
}

/** The newest first; `before` is the number of the last action of the page before. */
export function actionsBefore(
  board: string,
  before: number,
  limit: number
): Transaction<readonly AuthoredAction[]> {
  return query<AuthoredAction>(
    `select a.*, m.user_name, m.full_name from actions a left join members m on m.id = a.member
     where a.board = ? and a.number < ? order by a.number desc limit ?`,
    ...[board, before, limit]
  )
}

/** In the order of their ids. */
export function* checklistsAfter(
  board: string,
  after: string,
  limit: number
): Transaction<ChecklistParts[]> {
  const rows = yield* query<ChecklistRow>(
    'select * from checklists where board = ? and id > ? order by id limit ?',
    ...[board, after, limit]
  )
  const items: CheckItemRow[] = []
  for (const group of fullGroupsOf(
    rows.map(({ id }) => id),
    GROUP
  )) {
    items.push(
      ...(yield* query<CheckItemRow>(
        `select * from check_items where checklist in (${placeholders(GROUP)}) order by pos, id`,
        ...group
      ))
    )
  }
  const byChecklist = Map.groupBy(items, ({ checklist }) => checklist)
  return rows.map((checklist) => ({ checklist, items: byChecklist.get(checklist.id) ?? [] }))
}

/** Slugs of cards besides their present ones, by card, each in order. */
export function* formerSlugs(cards: readonly string[]): Transaction<Map<string, string[]>> {
  const former = new Map<string, string[]>()
  for (const group of fullGroupsOf(cards, GROUP)) {
    const rows = yield* query<{ card: string; slug: string }>(
      `select s.card, s.slug from slugs s join cards c on c.id = s.card
       where s.card in (${placeholders(GROUP)}) and (c.slug is null or s.slug <> c.slug)`,
      ...group
    )
    for (const { card, slug } of rows) former.set(card, [...(former.get(card) ?? []), slug])
  }
  for (const slugs of former.values()) slugs.sort()
  return former
}
