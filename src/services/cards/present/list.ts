import type { ListRow } from '../store/rows.ts'

/** Of a list that is sent alone. */
export const LIST_FIELDS = ['id', 'name', 'closed', 'pos', 'idBoard'] as const
/** In the lists of a board. */
export const BOARD_LIST_FIELDS = [...LIST_FIELDS, 'softLimit', 'subscribed', 'color', 'type']

/** All fields of a list of Trello's API. */
export function presentList({ id, name, closed, pos, board }: ListRow): Record<string, unknown> {
  return {
    id,
    name,
    closed: closed === 1,
    pos,
    idBoard: board,
    softLimit: null,
    subscribed: false,
    color: null,
    type: null,
    datasource: { filter: false },
    creationMethod: null
  }
}
