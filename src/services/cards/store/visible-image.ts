import { validTokenSql } from '../../../kernel/credentials/table.ts'
import { queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'
import type { Viewer } from '../records/viewer.ts'
import { type Condition, visibleBoards, visibleCards } from './visible.ts'

export interface VisibleImage {
  readonly hash: string
  readonly mediaType: string
  readonly size: number
  readonly width: number
  readonly height: number
}

interface ImageRow {
  image_type: string
  image_bytes: number
  width: number
  height: number
}

/**
 * An image of an attachment that the viewer may see. The elements of pages that show images send no
 * key, so without a credential it may also be of a board with a valid publishable key.
 */
export function* readVisibleImage(
  viewer: Viewer,
  hash: string,
  now: number
): Transaction<VisibleImage | undefined> {
  const boards = viewer.kind === 'anonymous' ? publicBoards(now) : visibleBoards(viewer)
  const cards = visibleCards(viewer)
  const [row] = yield* queryAutocommit<ImageRow>(
    `select a.image_type, a.image_bytes, a.width, a.height from attachments a
     join cards c on c.id = a.card join lists l on l.id = c.list join boards b on b.id = c.board
     where a.image = ? and ${boards.sql} and ${cards.sql} limit 1`,
    ...[hash, ...boards.args, ...cards.args]
  )
  if (row === undefined) return undefined
  const { image_type: mediaType, image_bytes: size, width, height } = row
  return { hash, mediaType, size, width, height }
}

/** A publishable key has one scope and one board, so its columns can be compared as texts. */
function publicBoards(now: number): Condition {
  return {
    sql: `b.closed = 0 and (b.permission = 'public' or exists (
      select 1 from credentials k where k.scopes = '["published"]'
      and k.bindings = '["board:' || b.id || '"]' and ${validTokenSql('k')}))`,
    args: [now, now]
  }
}
