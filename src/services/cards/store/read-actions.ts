import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { AuthoredAction } from '../present/action.ts'
import type { Viewer } from '../records/viewer.ts'
import { type Condition, visibleBoards } from './visible.ts'

export interface ActionSelection {
  /** One of the three, by id. */
  board?: string | undefined
  list?: string | undefined
  card?: string | undefined
  ids?: readonly [string] | undefined
  limit: number
  /** Only actions with ids after and before these. */
  since?: string | undefined
  before?: string | undefined
  /** Types, such as `updateCard` or `updateCard:closed`; all if undefined. */
  filter?: readonly string[] | undefined
}

const TYPE = /^(\w+)(?::(\w+))?$/

/** The newest first. */
export function readActions(
  viewer: Viewer,
  selection: ActionSelection
): Transaction<readonly AuthoredAction[]> {
  const { board, list, card, ids, since, before, filter, limit } = selection
  const conditions = [
    visibleBoards(viewer),
    ...equals('a.board', board),
    ...equals('a.list', list),
    ...equals('a.card', card),
    ...equals('a.id', ids?.[0]),
    ...(since === undefined ? [] : [{ sql: 'a.id > ?', args: [since] }]),
    ...(before === undefined ? [] : [{ sql: 'a.id < ?', args: [before] }]),
    ...(filter === undefined ? [] : [ofTypes(filter)])
  ]
  return query<AuthoredAction>(
    `select a.*, m.user_name, m.full_name from actions a join boards b on b.id = a.board
     left join members m on m.id = a.member
     where ${conditions.map(({ sql }) => sql).join(' and ')} order by a.number desc limit ?`,
    ...[...conditions.flatMap(({ args }) => args), limit]
  )
}

function equals(column: string, value: string | undefined): Condition[] {
  return value === undefined ? [] : [{ sql: `${column} = ?`, args: [value] }]
}

/** The field of a change is the only member of `old`. */
function ofTypes(types: readonly string[]): Condition {
  const parts = types.flatMap((text): Condition[] => {
    const [, type, field] = TYPE.exec(text) ?? []
    if (type === undefined) return []
    if (field === undefined) return [{ sql: 'a.type = ?', args: [type] }]
    return [{ sql: '(a.type = ? and a.data like ?)', args: [type, `%"old":{"${field}":%`] }]
  })
  if (parts.length === 0) return { sql: '1 = 0', args: [] }
  return {
    sql: `(${parts.map(({ sql }) => sql).join(' or ')})`,
    args: parts.flatMap(({ args }) => args)
  }
}
