import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { addCardRows, type NewCardFile } from './add-card.ts'
import { addAttachment, checkAttachmentCount } from './attachments.ts'
import { afterCardChange, isPublicCard } from './card-change.ts'
import { addLabels } from './card-labels.ts'
import { applyEdit, type CardEdit } from './change-card.ts'
import { addFileAction } from './change-card-files.ts'
import { setSlug } from './change-content.ts'
import { type ItemChange, setItems } from './change-items.ts'
import { requireRevision } from './conflict.ts'
import { addField } from './custom-fields.ts'
import type { Editor } from './editor.ts'
import { findBoard, findCard } from './find.ts'
import { addLabel } from './labels.ts'
import { positionFor } from './positions.ts'
import { applySchedule } from './publish-card.ts'
import type { CardRow, FieldType } from './rows.ts'
import { type ImageChanges, saveImages } from './save-images.ts'
import { addPublication, removePublication, requireSchedulable } from './schedule-card.ts'

/** Everything that a form changes of a card; undefined members stay as they are. */
export interface CardSave {
  readonly edit: CardEdit
  /** Values of custom fields. */
  readonly items: readonly ItemChange[]
  /** Values of fields that the board gets with them. */
  readonly newFields: readonly NewFieldValue[]
  /** A label that the board gets with it. */
  readonly newLabel?: { readonly name: string; readonly color: string | null } | undefined
  /** Null: chosen from the title when the card is public. */
  readonly slug?: string | null | undefined
  readonly images?: ImageChanges | undefined
  /** Time of publication in ISO 8601; null ends the schedule. */
  readonly publishAt?: string | null | undefined
  /** Uploads that are stored already. */
  readonly files?: readonly NewCardFile[] | undefined
}

export interface NewFieldValue {
  readonly name: string
  readonly type: FieldType
  readonly value: object
}

/**
 * One change of the card with one new revision. Throws if the card has another revision than the
 * one that the member saw.
 */
export function* saveCard(
  idOrLink: string,
  revision: number,
  save: CardSave,
  editor: Editor
): Transaction<CardRow> {
  const before = yield* findCard(editor.viewer, idOrLink)
  yield* requireRevision(before, revision)
  if (isEmpty(save)) return before
  const wasPublic = yield* isPublicCard(before)
  yield* applySave(before, save, editor)
  // All labels of a board are public.
  const isShown = wasPublic || save.newLabel !== undefined
  yield* afterCardChange(before.id, editor.time, { wasPublic: isShown })
  return yield* endSave(before.id, save, editor)
}

/** The rows and actions; the caller ends the change with `afterCardChange`. */
export function* applySave(card: CardRow, save: CardSave, editor: Editor): Transaction<void> {
  const after = yield* applyEdit(card, save.edit, editor)
  if (save.newLabel !== undefined) yield* addNewLabel(after, save.newLabel, editor)
  yield* setItems(after, save.items, editor)
  for (const { name, type, value } of save.newFields) {
    const request = { board: after.board, name, type, pos: undefined, isOnFront: true, options: [] }
    const field = yield* addField(request, editor)
    yield* setItems(after, [{ field: field.id, value }], editor)
  }
  if (save.slug === null) {
    yield* query('update cards set slug = null, slug_is_set = 0 where id = ?', after.id)
  } else if (save.slug !== undefined) yield* setSlug(after, save.slug)
  if (save.images !== undefined) yield* saveImages(after, save.images, editor)
  for (const file of save.files ?? []) yield* addFile(after.id, file, editor)
  if (save.publishAt !== undefined) yield* saveSchedule(after.id, save.publishAt, editor)
}

/** Last in the transaction: others with jobs wait for its end. */
function* endSave(id: string, save: CardSave, { viewer, time }: Editor): Transaction<CardRow> {
  const card = yield* findCard(viewer, id)
  const { publish_at: publishAt } = card
  if (save.publishAt === undefined) return card
  if (publishAt === null) yield* removePublication(id)
  else yield* addPublication({ card: id, publishAt }, time)
  return card
}

/** At a time that is past the card is published at once. */
function* saveSchedule(id: string, publishAt: string | null, editor: Editor): Transaction<void> {
  const card = yield* findCard(editor.viewer, id)
  const list = publishAt === null ? undefined : yield* requireSchedulable(card, publishAt, editor)
  const isPast = publishAt !== null && publishAt <= editor.time
  const time = isPast ? null : publishAt
  if (time !== card.publish_at) yield* applySchedule(card, time, editor)
  if (isPast) yield* applyEdit(card, { columns: {}, list: list?.id }, editor)
}

/** An upload that is stored already, with its action. */
function* addFile(cardId: string, file: NewCardFile, editor: Editor): Transaction<string> {
  const { viewer, time, nextId, maxAttachments } = editor
  yield* checkAttachmentCount(cardId, maxAttachments)
  // Read again: the one before may have become the cover.
  const card = yield* findCard(viewer, cardId)
  const pos = yield* positionFor({ table: 'attachments', parent: cardId }, 'bottom')
  const member = viewer.member
  const row = yield* addAttachment(card, { ...file, id: nextId(), member, pos, time })
  yield* addFileAction(
    'addAttachmentToCard',
    { viewer, member, time, actionId: nextId() },
    card,
    row
  )
  return row.id
}

export interface AddedFiles {
  /** Revision of the card before. */
  readonly before: number
  readonly card: CardRow
  /** Ids of the attachments. */
  readonly added: readonly string[]
}

/** Uploads that are stored already; others may change the card at the same time. */
export function* addFiles(
  idOrLink: string,
  files: readonly NewCardFile[],
  editor: Editor
): Transaction<AddedFiles> {
  const card = yield* findCard(editor.viewer, idOrLink)
  const wasPublic = yield* isPublicCard(card)
  const added: string[] = []
  for (const file of files) added.push(yield* addFile(card.id, file, editor))
  yield* afterCardChange(card.id, editor.time, { wasPublic })
  return { before: card.revision, card: yield* findCard(editor.viewer, card.id), added }
}

/** A new card, complete with its first revision. */
export function* createCard(list: string, save: CardSave, editor: Editor): Transaction<CardRow> {
  const { columns, labels = [] } = save.edit
  const { name, ...others } = columns
  const card = yield* addCardRows(
    {
      ...{ list, name, columns: others, labels, pos: undefined, members: [] },
      ...{ cover: undefined, attachment: undefined, source: undefined }
    },
    editor
  )
  yield* applySave(card, { ...save, edit: { columns: {} } }, editor)
  yield* afterCardChange(card.id, editor.time, { wasPublic: save.newLabel !== undefined })
  return yield* endSave(card.id, save, editor)
}

function isEmpty({ edit, items, newFields, files = [], ...others }: CardSave): boolean {
  const { columns, ...otherEdits } = edit
  return (
    Object.keys(columns).length === 0 &&
    items.length + newFields.length + files.length === 0 &&
    [...Object.values(otherEdits), ...Object.values(others)].every((value) => value === undefined)
  )
}

function* addNewLabel(
  card: CardRow,
  label: NonNullable<CardSave['newLabel']>,
  { viewer, time, nextId }: Editor
): Transaction<void> {
  const board = yield* findBoard(viewer, card.board)
  const author = { member: viewer.member, actionId: nextId(), time }
  const { id } = yield* addLabel(board, { id: nextId(), ...label }, author)
  yield* addLabels(card, [id])
}
