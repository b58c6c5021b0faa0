import type { BoardRow, ListRow } from '../../store/rows.ts'

/** What all cards of a page share. */
export interface TileView {
  readonly board: BoardRow
  readonly lists: readonly ListRow[]
  readonly root: string
  /** Opens images of drafts. */
  readonly imageToken: string
  readonly canEdit: boolean
  /** URL of forms that move a card. */
  readonly moveAction: string
  /** Query of the page with its question mark. */
  readonly query: string
}
