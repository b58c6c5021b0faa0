import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ObjectUnknown } from '../contract.ts'
import { readAttachments, removeAttachment } from './attachments.ts'
import { addFileAction } from './change-card-files.ts'
import { describeImage } from './change-content.ts'
import type { Editor } from './editor.ts'
import { findCard } from './find.ts'
import type { AttachmentRow, CardRow } from './rows.ts'

const STEP = 16_384

export interface ImageChanges {
  /** Ids of attachments. */
  readonly removed: readonly string[]
  readonly alts: readonly { readonly id: string; readonly alt: string }[]
  /** Ids of images that change their order among each other; others stay where they are. */
  readonly order: readonly string[] | undefined
}

/** The caller ends the change with `afterCardChange`. */
export function* saveImages(
  card: Pick<CardRow, 'id'>,
  { removed, alts, order }: ImageChanges,
  editor: Editor
): Transaction<void> {
  for (const { id, alt } of alts) yield* describeImage(card.id, id, alt)
  for (const id of removed) yield* removeFile(card.id, id, editor)
  if (order !== undefined) yield* setOrder(card.id, order)
}

function* removeFile(cardId: string, id: string, editor: Editor): Transaction<void> {
  const { viewer, time, nextId } = editor
  // Read again: the one before may have been the cover.
  const card = yield* findCard(viewer, cardId)
  const row = (yield* readAttachments(card.id)).find((one) => one.id === id)
  if (row === undefined) throw new ObjectUnknown()
  yield* removeAttachment(card, row)
  const change = { viewer, member: viewer.member, time, actionId: nextId() }
  yield* addFileAction('deleteAttachmentFromCard', change, card, row)
}

function* setOrder(card: string, order: readonly string[]): Transaction<void> {
  const rows = yield* readAttachments(card)
  const sorted = sortAttachments(rows, order)
  for (const [index, { id }] of sorted.entries()) {
    yield* query('update attachments set pos = ? where id = ?', (index + 1) * STEP, id)
  }
}

/** Those of `order` take their positions in the new order. */
function sortAttachments(
  rows: readonly AttachmentRow[],
  order: readonly string[]
): readonly AttachmentRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const waiting = order.flatMap((id) => byId.get(id) ?? [])
  const moved = new Set(waiting.map(({ id }) => id))
  return rows.map((row) => (moved.has(row.id) ? (waiting.shift() ?? row) : row))
}
