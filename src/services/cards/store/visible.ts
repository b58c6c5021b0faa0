import type { SqlValue } from '../../../kernel/database/transaction.ts'
import { seesPublishedOnly, type Viewer } from '../records/viewer.ts'

/** A condition of a statement, with the values of its `?`. */
export interface Condition {
  sql: string
  args: readonly SqlValue[]
}

/** Boards that the viewer may see; `board` is the alias of the table in the statement. */
export function visibleBoards(viewer: Viewer, board = 'b'): Condition {
  switch (viewer.kind) {
    case 'member': {
      if (viewer.boards === undefined) return { sql: `${board}.owner = ?`, args: [viewer.member] }
      if (viewer.boards.length === 0) return { sql: '1 = 0', args: [] }
      const marks = viewer.boards.map(() => '?').join(', ')
      return {
        sql: `${board}.owner = ? and ${board}.id in (${marks})`,
        args: [viewer.member, ...viewer.boards]
      }
    }
    case 'publishable':
    case 'preview':
      return { sql: `${board}.id = ? and ${board}.closed = 0`, args: [viewer.board] }
    case 'anonymous':
      return { sql: `${board}.permission = 'public' and ${board}.closed = 0`, args: [] }
  }
}

/** Lists that the viewer may see on a visible board. */
export function visibleLists(viewer: Viewer, list = 'l'): Condition {
  return seesPublishedOnly(viewer)
    ? { sql: `${list}.role = 'published' and ${list}.closed = 0`, args: [] }
    : { sql: '1 = 1', args: [] }
}

/** Cards that the viewer may see on a visible board, in a statement with the card's list. */
export function visibleCards(viewer: Viewer, card = 'c', list = 'l'): Condition {
  if (seesPublishedOnly(viewer)) {
    return {
      sql: `${visibleLists(viewer, list).sql} and ${publishedCards(card)}`,
      args: []
    }
  }
  return viewer.kind === 'preview' && viewer.card !== undefined
    ? { sql: `${card}.id = ?`, args: [viewer.card] }
    : { sql: '1 = 1', args: [] }
}

/** Those that the public sees in a list of the role `published`, as `isPublished` tells. */
export function publishedCards(card = 'c'): string {
  return `${card}.closed = 0 and ${card}.is_template = 0 and ${card}.publish_at is null`
}
