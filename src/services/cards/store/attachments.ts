import {
  insertRow,
  query,
  queryAutocommit,
  type Transaction
} from '../../../kernel/database/transaction.ts'
import type { StoredFile } from '../../../kernel/files/files.ts'
import { addReferences, releaseReferences } from '../../../kernel/files/table.ts'
import { LimitReached, ObjectUnknown } from '../contract.ts'
import type { StoredUpload } from '../records/stored-upload.ts'
import type { AttachmentRow, CardRow } from './rows.ts'

// The caller tells the board about the change: `afterCardChange`, once for its transaction.

export interface NewAttachment {
  readonly id: string
  readonly member: string
  readonly name: string
  /** What the client says; only shown to clients. */
  readonly mediaType: string
  readonly pos: number
  readonly time: string
  /** A link or a file. */
  readonly content: { readonly url: string } | StoredUpload
  readonly alt?: string | undefined
}

export interface CoverWish {
  /** By default the first image of a card becomes its cover. */
  readonly setCover?: boolean | undefined
}

/** The row and references to its files, which are stored already. */
export function* addAttachment(
  card: CardRow,
  attachment: NewAttachment,
  { setCover }: CoverWish = {}
): Transaction<AttachmentRow> {
  const row = rowOf(card, attachment)
  yield* insertRow('attachments', { ...row })
  yield* addReferences(filesOf(row))
  if (row.image !== null && setCover !== false) {
    const hasCover = card.cover_attachment !== null || card.cover_color !== null
    const isFree = !hasCover && card.cover_is_manual === 0
    if (setCover === true || isFree) yield* setImageCover(card.id, row.id, setCover === true)
  }
  return row
}

function rowOf(card: CardRow, attachment: NewAttachment): AttachmentRow {
  const { id, member, name, mediaType, pos, time, content, alt = null } = attachment
  const shared = { id, board: card.board, card: card.id, member, name, media_type: mediaType }
  return {
    ...shared,
    url: 'url' in content ? content.url : null,
    pos,
    created_at: time,
    ...uploadColumns('hash' in content ? content : undefined),
    alt
  }
}

/** Columns of an upload; all are null without one. */
export function uploadColumns(upload: StoredUpload | undefined) {
  const image = upload?.image
  return {
    file_name: upload?.fileName ?? null,
    bytes: upload?.size ?? null,
    hash: upload?.hash ?? null,
    image: image?.hash ?? null,
    image_type: image?.mediaType ?? null,
    image_bytes: image?.size ?? null,
    width: image?.width ?? null,
    height: image?.height ?? null,
    color: image?.color ?? null
  } satisfies Partial<AttachmentRow>
}

type FileColumns = Pick<AttachmentRow, 'hash' | 'bytes' | 'image' | 'image_bytes'>

/** Those that the row refers to. */
export function filesOf({ hash, bytes, image, image_bytes }: FileColumns): StoredFile[] {
  return [
    ...(hash === null ? [] : [{ hash, size: bytes ?? 0 }]),
    ...(image === null ? [] : [{ hash: image, size: image_bytes ?? 0 }])
  ]
}

/** Throws if the card has as many attachments as it may have. */
export function* checkAttachmentCount(card: string, max: number): Transaction<void> {
  const [row] = yield* query<{ count: number }>(
    'select count(*) as count from attachments where card = ?',
    card
  )
  if ((row?.count ?? 0) < max) return
  throw new LimitReached(`A card can have at most ${max} attachments`)
}

/** In the order of their positions. */
export function readAttachments(card: string): Transaction<readonly AttachmentRow[]> {
  return query<AttachmentRow>('select * from attachments where card = ? order by pos, id', card)
}

/** A file whose URL is signed, so that no viewer is needed. */
export function* readSignedFile(card: string, id: string): Transaction<AttachmentRow> {
  const [row] = yield* queryAutocommit<AttachmentRow>(
    'select * from attachments where id = ? and card = ?',
    ...[id, card]
  )
  if (row === undefined) throw new ObjectUnknown()
  return row
}

export interface AttachmentChange {
  readonly name?: string | undefined
  readonly alt?: string | null | undefined
  readonly pos?: number | undefined
}

export function* changeAttachment(
  row: AttachmentRow,
  { name = row.name, alt = row.alt, pos = row.pos }: AttachmentChange
): Transaction<AttachmentRow> {
  yield* query(
    'update attachments set name = ?, alt = ?, pos = ? where id = ?',
    ...[name, alt, pos, row.id]
  )
  return { ...row, name, alt, pos }
}

/** The next image becomes the cover, unless a member has chosen the removed one. */
export function* removeAttachment(card: CardRow, row: AttachmentRow): Transaction<void> {
  yield* query('delete from attachments where id = ?', row.id)
  yield* releaseReferences(filesOf(row).map(({ hash }) => hash))
  if (card.cover_attachment !== row.id) return
  const isAutomatic = card.cover_is_manual === 0
  const [next] = isAutomatic
    ? yield* query<{ id: string }>(
        'select id from attachments where card = ? and image is not null order by pos, id limit 1',
        card.id
      )
    : []
  yield* setImageCover(card.id, next?.id ?? null, false)
}

/** `attachment` is one with an image, or null for no cover. A coloured cover ends. */
export function* setImageCover(
  card: string,
  attachment: string | null,
  isManual: boolean
): Transaction<void> {
  yield* query(
    'update cards set cover_attachment = ?, cover_is_manual = ?, cover_color = null where id = ?',
    ...[attachment, isManual ? 1 : 0, card]
  )
}

/** For the removal of cards or boards, before the rows that attachments refer to. */
export function* removeAttachmentsOf(owner: 'card' | 'board', id: string): Transaction<void> {
  const rows = yield* query<FileColumns>(
    `select hash, bytes, image, image_bytes from attachments where ${owner} = ?`,
    id
  )
  if (rows.length === 0) return
  yield* query(`delete from attachments where ${owner} = ?`, id)
  yield* releaseReferences(rows.flatMap(filesOf).map(({ hash }) => hash))
}

/** Copies of the rows, with references and ids of their own. */
export function* copyAttachments(
  rows: readonly AttachmentRow[],
  target: CardRow,
  { member, ids }: { member: string; ids: readonly string[] }
): Transaction<readonly AttachmentRow[]> {
  const copies = rows.map((row, index) => ({
    ...row,
    id: ids[index] ?? row.id,
    board: target.board,
    card: target.id,
    member
  }))
  for (const copy of copies) yield* insertRow('attachments', copy)
  yield* addReferences(copies.flatMap(filesOf))
  return copies
}
