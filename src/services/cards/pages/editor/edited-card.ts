import type { CardContext } from '../../context.ts'
import type { AuthoredAction } from '../../present/action.ts'
import type { CardParts } from '../../records/card-parts.ts'
import { COMMENT } from '../../records/comment.ts'
import { readBoardParts } from '../../store/content.ts'
import { findBoard } from '../../store/find.ts'
import { readLists } from '../../store/lists.ts'
import { readActions } from '../../store/read-actions.ts'
import { readCard } from '../../store/read-cards.ts'
import { createImageToken } from '../access/image-token.ts'
import type { MemberViewer } from '../access/signed-in.ts'
import type { EditedBoard } from './card-form.ts'

const INCLUDE = { labels: true, items: true, attachments: true, checklists: true }
/** Older ones are in the API. */
const MAX_COMMENTS = 50

export interface EditedCard {
  readonly parts: CardParts
  readonly on: EditedBoard
  /** The newest first. */
  readonly comments: readonly AuthoredAction[]
  /** For URLs of images that are not public. */
  readonly imageToken: string
}

/** Throws the same error for unknown cards and those of others. */
export async function readEditedCard(
  context: CardContext,
  viewer: MemberViewer,
  link: string
): Promise<EditedCard> {
  const read = await context.store.read(function* () {
    const parts = yield* readCard(viewer, link, INCLUDE)
    const board = yield* findBoard(viewer, parts.card.board)
    const selection = { card: parts.card.id, filter: [COMMENT], limit: MAX_COMMENTS }
    const comments = yield* readActions(viewer, selection)
    const shared = yield* readBoardParts(viewer, board.id)
    // The list of the card may be archived.
    const all = yield* readLists(viewer, board.id, 'all')
    const lists = all.filter(({ id, closed }) => closed === 0 || id === parts.card.list)
    return { parts, comments, on: { ...shared, lists, board } }
  })
  return { ...read, imageToken: await createImageToken(context, read.on.board.id) }
}

/** A board that gets a new card. */
export async function readEditedBoard(
  { store }: CardContext,
  viewer: MemberViewer,
  link: string
): Promise<EditedBoard> {
  return store.read(function* () {
    const board = yield* findBoard(viewer, link)
    return { ...(yield* readBoardParts(viewer, board.id)), board }
  })
}
