import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'
import { ObjectUnknown, ValueInvalid } from '../contract.ts'
import type { CoverChange } from '../records/card-cover.ts'
import { touchBoard } from './board-change.ts'
import { addChangeActions } from './card-actions.ts'
import { afterCardChange, isPublicCard } from './card-change.ts'
import { setLabels } from './card-labels.ts'
import { requireMembers } from './card-members.ts'
import type { Editor } from './editor.ts'
import { findAttachment, findBoard, findCard, findList } from './find.ts'
import { readLists } from './lists.ts'
import { moveCard } from './move-card.ts'
import { positionFor, type WantedPosition } from './positions.ts'
import type { CardRow, ListRow } from './rows.ts'

/** Columns that are written as they are. */
export type CardColumns = Partial<
  Pick<
    CardRow,
    | 'name'
    | 'description'
    | 'closed'
    | 'due'
    | 'due_complete'
    | 'due_reminder'
    | 'start'
    | 'is_template'
    | 'card_role'
    | 'location'
    | 'publish_at'
  >
>

/** What a member changes of a card; undefined members stay as they are. */
export interface CardEdit {
  readonly columns: CardColumns
  readonly pos?: WantedPosition | undefined
  readonly board?: string | undefined
  readonly list?: string | undefined
  readonly labels?: readonly string[] | undefined
  readonly members?: readonly string[] | undefined
  readonly cover?: CoverChange | undefined
}

export function* changeCard(
  idOrLink: string,
  edit: CardEdit,
  editor: Editor
): Transaction<CardRow> {
  const { viewer, time } = editor
  const before = yield* findCard(viewer, idOrLink)
  if (isEmpty(edit)) return before
  const wasPublic = yield* isPublicCard(before)
  const after = yield* applyEdit(before, edit, editor)
  if (isMemberChange(edit)) yield* touchBoard(after.board, time, false)
  else
    yield* afterCardChange(before.id, time, {
      wasPublic: wasPublic && before.board === after.board
    })
  return after
}

/** The rows and actions of a change; the caller ends it with `afterCardChange`. */
export function* applyEdit(before: CardRow, edit: CardEdit, editor: Editor): Transaction<CardRow> {
  const { viewer } = editor
  const target = yield* targetList(before, edit, editor)
  const columns: Record<string, SqlValue | undefined> = { ...edit.columns }
  if (edit.members !== undefined) {
    requireMembers(edit.members, viewer.member)
    columns.members = JSON.stringify(edit.members)
  }
  const moved = yield* moveTo(before, target, edit, editor)
  if (edit.cover !== undefined)
    Object.assign(columns, yield* coverColumns(moved, edit.cover, editor))
  yield* writeColumns(before.id, columns)
  if (edit.labels !== undefined) yield* setLabels(moved, edit.labels)
  const after = yield* findCard(viewer, before.id)
  yield* addChangeActions(before, after, editor)
  return after
}

function isEmpty(edit: CardEdit): boolean {
  return isMemberChange(edit) && edit.members === undefined
}

/** Members of a card are not public. */
function isMemberChange({ columns, ...others }: CardEdit): boolean {
  const changed = Object.entries(others).filter(([, value]) => value !== undefined)
  return Object.keys(columns).length === 0 && changed.every(([name]) => name === 'members')
}

export function* writeColumns(
  card: string,
  columns: Readonly<Record<string, SqlValue | undefined>>
): Transaction<void> {
  const names = Object.keys(columns).filter((name) => columns[name] !== undefined)
  if (names.length === 0) return
  yield* query(
    `update cards set ${names.map((name) => `${name} = ?`).join(', ')} where id = ?`,
    ...[...names.map((name) => columns[name] ?? null), card]
  )
}

/** Undefined if the card stays in its list. A board without a list means its first open one. */
function* targetList(
  card: CardRow,
  { board, list }: CardEdit,
  { viewer }: Editor
): Transaction<ListRow | undefined> {
  if (board === undefined && list === undefined) return undefined
  const target = board === undefined ? undefined : yield* findBoard(viewer, board)
  if (list === undefined) {
    if (target === undefined || target.id === card.board) return undefined
    const [first] = yield* readLists(viewer, target.id, 'open')
    if (first === undefined) throw new ValueInvalid('idBoard')
    return first
  }
  const found = yield* findList(viewer, list)
  if (target !== undefined && found.board !== target.id) throw new ValueInvalid('idList')
  return found.id === card.list ? undefined : found
}

function* moveTo(
  card: CardRow,
  list: ListRow | undefined,
  { pos }: CardEdit,
  editor: Editor
): Transaction<CardRow> {
  if (list !== undefined) return yield* moveCard(card, list, pos, editor)
  if (pos === undefined) return card
  const scope = { table: 'cards', parent: card.list, moved: card.id } as const
  const position = yield* positionFor(scope, pos)
  yield* query('update cards set pos = ? where id = ?', position, card.id)
  return { ...card, pos: position }
}

/** A colour replaces an image and the other way round. */
function* coverColumns(
  card: CardRow,
  { color, attachment, size, brightness }: CoverChange,
  { viewer }: Editor
): Transaction<Record<string, SqlValue>> {
  const columns: Record<string, SqlValue> = {}
  if (typeof attachment === 'string') {
    const row = yield* findAttachment(viewer, attachment)
    if (row.card !== card.id) throw new ObjectUnknown()
    if (row.image === null) throw new ValueInvalid('cover')
    Object.assign(columns, { cover_attachment: row.id, cover_color: null })
  } else if (typeof color === 'string') {
    Object.assign(columns, { cover_attachment: null, cover_color: color })
  } else {
    if (attachment === null) columns.cover_attachment = null
    if (color === null) columns.cover_color = null
  }
  if (Object.keys(columns).length > 0) columns.cover_is_manual = 1
  if (size !== undefined) columns.cover_size = size
  if (brightness !== undefined) columns.cover_brightness = brightness
  return columns
}
