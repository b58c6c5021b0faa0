import { createHash } from 'node:crypto'
import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { mappedColumn } from '../records/field-mapping.ts'
import { addAction } from './actions.ts'
import { touchBoard } from './board-change.ts'
import { afterShownChange } from './card-change.ts'
import { checkCount } from './check-count.ts'
import type { Editor } from './editor.ts'
import { insertOption, type NewOption } from './field-options.ts'
import { findBoard, findField } from './find.ts'
import { positionFor, type WantedPosition } from './positions.ts'
import type { BoardRow, FieldRow, FieldType } from './rows.ts'

/** Of one board. */
const MAX_FIELDS = 50
const FIELDS = 'A board can have at most %d custom fields'

export interface NewField {
  readonly board: string
  readonly name: string
  readonly type: FieldType
  readonly pos: WantedPosition | undefined
  readonly isOnFront: boolean
  readonly options: readonly NewOption[]
}

/** The content API shows the first date of completion and the first URL that a board gets. */
export function* addField(request: NewField, editor: Editor): Transaction<FieldRow> {
  const { viewer, time, nextId } = editor
  const board = yield* findBoard(viewer, request.board)
  yield* checkCount({ table: 'fields', parent: board.id }, MAX_FIELDS, FIELDS)
  const { name, type } = request
  const field: FieldRow = {
    id: nextId(),
    board: board.id,
    name,
    type,
    pos: yield* positionFor({ table: 'fields', parent: board.id }, request.pos),
    card_front: request.isOnFront ? 1 : 0,
    field_group: createHash('sha256').update(`${board.id} ${name} ${type}`).digest('hex')
  }
  yield* insertRow('fields', { ...field })
  for (const option of request.options) yield* insertOption(field, option, editor)
  const column = mappedColumn(field)
  if (column !== undefined) {
    yield* query(
      `update boards set ${column} = ? where id = ? and ${column} is null`,
      ...[field.id, board.id]
    )
  }
  yield* addFieldAction('createCustomField', board, field, editor)
  yield* touchBoard(board.id, time, true)
  return field
}

export interface FieldChange {
  readonly name?: string | undefined
  readonly pos?: WantedPosition | undefined
  readonly isOnFront?: boolean | undefined
}

export function* changeField(id: string, change: FieldChange, editor: Editor): Transaction<void> {
  const field = yield* findField(editor.viewer, id)
  const board = yield* findBoard(editor.viewer, field.board)
  const scope = { table: 'fields', parent: board.id, moved: field.id } as const
  const pos = change.pos === undefined ? field.pos : yield* positionFor(scope, change.pos)
  const front = change.isOnFront === undefined ? field.card_front : Number(change.isOnFront)
  const name = change.name ?? field.name
  yield* query(
    'update fields set name = ?, pos = ?, card_front = ? where id = ?',
    ...[name, pos, front, field.id]
  )
  yield* addFieldAction('updateCustomField', board, { ...field, name }, editor)
  yield* afterFieldChange(field, editor.time)
}

/** With its items on all cards; a property of the content API that it was is empty then. */
export function* removeField(id: string, editor: Editor): Transaction<void> {
  const field = yield* findField(editor.viewer, id)
  const board = yield* findBoard(editor.viewer, field.board)
  yield* afterFieldChange(field, editor.time)
  for (const column of ['completed_field', 'url_field']) {
    const sql = `update boards set ${column} = null where id = ? and ${column} = ?`
    yield* query(sql, board.id, field.id)
  }
  for (const table of ['items', 'options']) {
    yield* query(`delete from ${table} where field = ?`, field.id)
  }
  yield* query('delete from fields where id = ?', field.id)
  yield* addFieldAction('deleteCustomField', board, field, editor)
}

function* afterFieldChange(field: FieldRow, time: string): Transaction<void> {
  const sql = 'c.id in (select card from items where field = ?)'
  yield* afterShownChange(field.board, { sql, args: [field.id] }, time)
}

function* addFieldAction(
  type: string,
  board: BoardRow,
  { id, name, type: fieldType }: FieldRow,
  { viewer, time, nextId }: Editor
): Transaction<void> {
  const data = { customField: { id, name, type: fieldType } }
  yield* addAction({ id: nextId(), type, member: viewer.member, board, data }, time)
}
