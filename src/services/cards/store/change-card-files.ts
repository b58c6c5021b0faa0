import type { Transaction } from '../../../kernel/database/transaction.ts'
import { ObjectUnknown } from '../contract.ts'
import type { StoredUpload } from '../records/stored-upload.ts'
import type { Viewer } from '../records/viewer.ts'
import { addAction } from './actions.ts'
import {
  type AttachmentChange,
  addAttachment,
  changeAttachment,
  checkAttachmentCount,
  removeAttachment
} from './attachments.ts'
import { afterCardChange, isPublicCard } from './card-change.ts'
import { findAttachment, findBoard, findCard } from './find.ts'
import { positionFor, type WantedPosition } from './positions.ts'
import type { AttachmentRow, CardRow } from './rows.ts'

/** A member's change of the attachments of a card, complete with action and revisions. */
export interface FileChange {
  readonly viewer: Viewer
  readonly member: string
  /** Id or short link. */
  readonly card: string
  readonly time: string
  /** Ids of the attachment and of the action. */
  readonly id: string
  readonly actionId: string
}

export interface CardFile {
  readonly name: string
  readonly mediaType: string
  readonly content: { readonly url: string } | StoredUpload
  readonly pos?: WantedPosition | undefined
  readonly alt?: string | undefined
  readonly setCover?: boolean | undefined
  /** Of the card. */
  readonly maxAttachments: number
}

export function* addCardFile(change: FileChange, file: CardFile): Transaction<AttachmentRow> {
  const { viewer, member, id, time } = change
  const { name, mediaType, content, alt, setCover } = file
  const card = yield* findCard(viewer, change.card)
  yield* checkAttachmentCount(card.id, file.maxAttachments)
  const wasPublic = yield* isPublicCard(card)
  const pos = yield* positionFor({ table: 'attachments', parent: card.id }, file.pos)
  const attachment = { id, member, name, mediaType, pos, time, content, alt }
  const row = yield* addAttachment(card, attachment, { setCover })
  yield* afterCardChange(card.id, time, { wasPublic })
  yield* addFileAction('addAttachmentToCard', change, card, row)
  return row
}

export function* changeCardFile(
  change: Omit<FileChange, 'actionId'>,
  { pos: wanted, ...texts }: Omit<AttachmentChange, 'pos'> & { pos?: WantedPosition | undefined }
): Transaction<AttachmentRow> {
  const { card, row } = yield* findCardFile(change)
  const wasPublic = yield* isPublicCard(card)
  const scope = { table: 'attachments', parent: card.id, moved: row.id } as const
  const pos = wanted === undefined ? undefined : yield* positionFor(scope, wanted)
  const changed = yield* changeAttachment(row, { ...texts, pos })
  yield* afterCardChange(card.id, change.time, { wasPublic })
  return changed
}

export function* removeCardFile(change: FileChange): Transaction<void> {
  const { card, row } = yield* findCardFile(change)
  const wasPublic = yield* isPublicCard(card)
  yield* removeAttachment(card, row)
  yield* afterCardChange(card.id, change.time, { wasPublic })
  yield* addFileAction('deleteAttachmentFromCard', change, card, row)
}

/** An attachment of another card is unknown, although the viewer may see it. */
export function* findCardFile({
  viewer,
  card: idOrLink,
  id
}: Pick<FileChange, 'viewer' | 'card' | 'id'>): Transaction<{ card: CardRow; row: AttachmentRow }> {
  const card = yield* findCard(viewer, idOrLink)
  const row = yield* findAttachment(viewer, id)
  if (row.card !== card.id) throw new ObjectUnknown()
  return { card, row }
}

export function* addFileAction(
  type: string,
  { viewer, member, actionId, time }: Omit<FileChange, 'card' | 'id'>,
  card: CardRow,
  { id, name, url }: AttachmentRow
): Transaction<void> {
  const board = yield* findBoard(viewer, card.board)
  const data = { attachment: { id, name, ...(url !== null && { url }) } }
  yield* addAction({ id: actionId, type, member, board, card, data }, time)
}
