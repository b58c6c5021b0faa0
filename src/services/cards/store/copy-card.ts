import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { COMMENT } from '../records/comment.ts'
import { copyAttachments, readAttachments } from './attachments.ts'
import { addCardAction } from './card-actions.ts'
import { addLabels, labelsOf } from './card-labels.ts'
import type { Editor } from './editor.ts'
import type { ActionRow, CardRow, CheckItemRow, ChecklistRow, ItemRow } from './rows.ts'

/** Names of `keepFromSource`. */
export const COPIED_PARTS = [
  'attachments',
  'checklists',
  'customFields',
  'comments',
  'due',
  'start',
  'labels',
  'members'
] as const

export type CopiedPart = (typeof COPIED_PARTS)[number]
type Parts = ReadonlySet<CopiedPart>

/** Columns of the copy; its cover follows with the attachments. */
export function sourceColumns(source: CardRow, parts: Parts = new Set()): Partial<CardRow> {
  return {
    description: source.description,
    location: source.location,
    cover_color: source.cover_color,
    cover_size: source.cover_size,
    cover_brightness: source.cover_brightness,
    cover_is_manual: source.cover_is_manual,
    ...(parts.has('due') && { due: source.due, due_reminder: source.due_reminder }),
    ...(parts.has('start') && { start: source.start }),
    ...(parts.has('members') && { members: source.members })
  }
}

/** Labels and items only within a board: another one has none of them. */
export function* copyParts(
  source: CardRow,
  target: CardRow,
  parts: Parts,
  editor: Editor
): Transaction<void> {
  const isSameBoard = source.board === target.board
  if (parts.has('labels') && isSameBoard) yield* addLabels(target, yield* labelsOf(source.id))
  if (parts.has('customFields') && isSameBoard) yield* copyItems(source, target, editor)
  if (parts.has('attachments')) yield* copyFiles(source, target, editor)
  if (parts.has('checklists')) yield* copyChecklists(source, target, editor)
  if (parts.has('comments')) yield* copyComments(source, target, editor)
}

function* copyItems(source: CardRow, target: CardRow, { nextId }: Editor): Transaction<void> {
  const rows = yield* query<ItemRow>('select * from items where card = ?', source.id)
  for (const row of rows) {
    yield* insertRow('items', { ...row, id: nextId(), card: target.id })
  }
}

function* copyFiles(source: CardRow, target: CardRow, editor: Editor): Transaction<void> {
  const rows = yield* readAttachments(source.id)
  if (rows.length === 0) return
  const ids = rows.map(() => editor.nextId())
  yield* copyAttachments(rows, target, { member: editor.viewer.member, ids })
  const cover = ids[rows.findIndex(({ id }) => id === source.cover_attachment)]
  if (cover === undefined) return
  yield* query('update cards set cover_attachment = ? where id = ?', cover, target.id)
}

function* copyChecklists(source: CardRow, target: CardRow, { nextId }: Editor): Transaction<void> {
  const { id: card, board } = target
  const checklists = yield* query<ChecklistRow>(
    'select * from checklists where card = ?',
    source.id
  )
  const ids = new Map(checklists.map(({ id }) => [id, nextId()]))
  for (const row of checklists) {
    yield* insertRow('checklists', { ...row, id: ids.get(row.id) ?? nextId(), card, board })
  }
  const items = yield* query<CheckItemRow>('select * from check_items where card = ?', source.id)
  for (const row of items) {
    const checklist = ids.get(row.checklist) ?? row.checklist
    yield* insertRow('check_items', { ...row, id: nextId(), checklist, card, board })
  }
}

function* copyComments(source: CardRow, target: CardRow, editor: Editor): Transaction<void> {
  const rows = yield* query<ActionRow>(
    'select * from actions where card = ? and type = ? order by number',
    ...[source.id, COMMENT]
  )
  for (const { data } of rows) {
    yield* addCardAction(target, COMMENT, { text: JSON.parse(data).text }, editor)
  }
}
