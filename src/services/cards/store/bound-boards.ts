import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { BoardUnknown } from '../contract.ts'
import type { BoardRow } from './rows.ts'

/** Ids per statement. */
const GROUP = 50

/** Ids of a member's boards by id, short link or slug; throws for a name without a board. */
export function* findBoundBoards(member: string, names: readonly string[]): Transaction<string[]> {
  const ids = new Set<string>()
  for (const name of names) {
    const [row] = yield* query<Pick<BoardRow, 'id'>>(
      'select id from boards where owner = ? and (id = ? or short_link = ? or slug = ?) limit 1',
      ...[member, name.toLowerCase(), name, name]
    )
    if (row === undefined) throw new BoardUnknown(name)
    ids.add(row.id)
  }
  return [...ids]
}

/** Slugs by id. */
export function* readBoardSlugs(ids: readonly string[]): Transaction<Map<string, string>> {
  const slugs = new Map<string, string>()
  for (const group of fullGroupsOf(ids, GROUP)) {
    const rows = yield* query<Pick<BoardRow, 'id' | 'slug'>>(
      `select id, slug from boards where id in (${placeholders(GROUP)})`,
      ...group
    )
    for (const { id, slug } of rows) slugs.set(id, slug)
  }
  return slugs
}
