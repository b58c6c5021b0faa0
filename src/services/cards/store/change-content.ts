import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { BoardSettings, CardSettings } from '../content/write-input.ts'
import { ContentInvalid, ObjectUnknown, SlugUsed } from '../contract.ts'
import type { Viewer } from '../records/viewer.ts'
import { touchBoard } from './board-change.ts'
import { afterCardChange, afterListChange, isPublicCard } from './card-change.ts'
import { findContentBoard, findContentCard } from './content.ts'
import type { Editor } from './editor.ts'
import { findList } from './find.ts'
import type { CardRow, FieldType, ListRole } from './rows.ts'
import { scheduleCard } from './schedule-card.ts'

/** Returns the id of the board. */
export function* changeContentBoard(
  viewer: Viewer,
  name: string,
  settings: BoardSettings,
  time: string
): Transaction<string> {
  const board = yield* findContentBoard(viewer, name)
  const changed = {
    time_zone: settings.timeZone ?? board.time_zone,
    slug: settings.slug ?? board.slug,
    completed_field:
      settings.completedField === undefined ? board.completed_field : settings.completedField,
    url_field: settings.urlField === undefined ? board.url_field : settings.urlField
  }
  yield* requireField(board.id, 'completedField', settings.completedField, 'date')
  yield* requireField(board.id, 'urlField', settings.urlField, 'text')
  if (changed.slug !== board.slug) yield* requireFreeSlug(board.owner, changed.slug)
  const columns = ['time_zone', 'slug', 'completed_field', 'url_field'] as const
  if (columns.every((column) => changed[column] === board[column])) return board.id
  yield* query(
    `update boards set ${columns.map((column) => `${column} = ?`).join(', ')} where id = ?`,
    ...[...columns.map((column) => changed[column]), board.id]
  )
  yield* touchBoard(board.id, time, true)
  return board.id
}

function* requireField(
  board: string,
  name: string,
  field: string | null | undefined,
  type: FieldType
): Transaction<void> {
  if (field === undefined || field === null) return
  const rows = yield* query(
    'select id from fields where id = ? and board = ? and type = ?',
    field,
    board,
    type
  )
  if (rows.length === 0) {
    throw new ContentInvalid(
      `${name} must be the id of a custom field of the board with the type ${type}`
    )
  }
}

function* requireFreeSlug(owner: string, slug: string): Transaction<void> {
  const rows = yield* query('select id from boards where owner = ? and slug = ?', owner, slug)
  if (rows.length > 0) throw new SlugUsed(slug)
}

/** Returns the id of the board. */
export function* changeListRole(
  viewer: Viewer,
  name: string,
  id: string,
  role: ListRole,
  time: string
): Transaction<string> {
  const board = yield* findContentBoard(viewer, name)
  const list = yield* findList(viewer, id)
  if (list.board !== board.id) throw new ObjectUnknown()
  if (list.role === role) return board.id
  yield* query('update lists set role = ? where id = ?', role, list.id)
  yield* afterListChange(list.id, time)
  const isPublic = list.closed === 0 && [list.role, role].includes('published')
  yield* touchBoard(board.id, time, isPublic)
  return board.id
}

/** Returns the ids of board and card. */
export function* changeContentCard(
  name: string,
  idOrSlug: string,
  settings: CardSettings,
  editor: Editor
): Transaction<{ board: string; card: string }> {
  const { viewer, time } = editor
  const board = yield* findContentBoard(viewer, name)
  const found = yield* findContentCard(viewer, board.id, idOrSlug)
  if (found === undefined) throw new ObjectUnknown()
  const [card] = yield* query<CardRow>('select * from cards where id = ?', found.id)
  if (card === undefined) throw new ObjectUnknown()
  const wasPublic = yield* isPublicCard(card)
  const isSlugChanged = settings.slug !== undefined && settings.slug !== card.slug
  if (isSlugChanged) yield* setSlug(card, settings.slug ?? '')
  for (const { id, alt } of settings.images ?? []) yield* describeImage(card.id, id, alt)
  const hasChanged = isSlugChanged || (settings.images ?? []).length > 0
  if (hasChanged) yield* afterCardChange(card.id, time, { wasPublic })
  if (settings.publishAt !== undefined) yield* scheduleCard(card.id, settings.publishAt, editor)
  return { board: board.id, card: card.id }
}

/** Former slugs of the card stay, and lead to it. */
export function* setSlug(
  { id, board }: Pick<CardRow, 'id' | 'board'>,
  slug: string
): Transaction<void> {
  const [row] = yield* query<{ card: string }>(
    'select card from slugs where board = ? and slug = ?',
    ...[board, slug]
  )
  if (row !== undefined && row.card !== id) throw new SlugUsed(slug)
  if (row === undefined) yield* insertRow('slugs', { board, slug, card: id })
  yield* query('update cards set slug = ?, slug_is_set = 1 where id = ?', slug, id)
}

export function* describeImage(card: string, id: string, alt: string): Transaction<void> {
  const rows = yield* query(
    'update attachments set alt = ? where id = ? and card = ? and image is not null returning id',
    ...[alt === '' ? null : alt, id, card]
  )
  if (rows.length === 0) throw new ContentInvalid(`images: the card has no image ${id}`)
}
