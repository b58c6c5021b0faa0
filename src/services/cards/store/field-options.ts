import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ObjectUnknown, ValueInvalid } from '../contract.ts'
import { MAX_OPTIONS } from '../present/field.ts'
import type { Viewer } from '../records/viewer.ts'
import { touchBoard } from './board-change.ts'
import { afterShownChange } from './card-change.ts'
import { checkCount } from './check-count.ts'
import type { Editor } from './editor.ts'
import { findField, findOption } from './find.ts'
import { positionFor, type WantedPosition } from './positions.ts'
import type { FieldRow, OptionRow } from './rows.ts'

const OPTIONS = 'A custom field can have at most %d options'

export interface NewOption {
  readonly text: string
  readonly color: string
  readonly pos: WantedPosition | undefined
}

export function* addOption(
  fieldId: string,
  option: NewOption,
  editor: Editor
): Transaction<OptionRow> {
  const field = yield* findField(editor.viewer, fieldId)
  if (field.type !== 'list') throw new ValueInvalid('type')
  const row = yield* insertOption(field, option, editor)
  yield* touchBoard(field.board, editor.time, true)
  return row
}

/** Cards with the option have no item then. */
export function* removeOption(fieldId: string, id: string, editor: Editor): Transaction<void> {
  const option = yield* findFieldOption(fieldId, id, editor.viewer)
  const sql = 'c.id in (select card from items where option = ?)'
  const where = { sql, args: [option.id] }
  yield* afterShownChange(option.board, where, editor.time)
  yield* query('delete from items where field = ? and option = ?', option.field, option.id)
  yield* query('delete from options where id = ?', option.id)
}

/** An option of another field is unknown, although the viewer may see it. */
export function* findFieldOption(
  fieldId: string,
  id: string,
  viewer: Viewer
): Transaction<OptionRow> {
  const field = yield* findField(viewer, fieldId)
  const option = yield* findOption(viewer, id)
  if (option.field !== field.id) throw new ObjectUnknown()
  return option
}

/** The caller touches the board. */
export function* insertOption(
  field: FieldRow,
  { text, color, pos }: NewOption,
  { nextId }: Editor
): Transaction<OptionRow> {
  yield* checkCount({ table: 'options', parent: field.id }, MAX_OPTIONS, OPTIONS)
  const row = {
    ...{ id: nextId(), board: field.board, field: field.id, text, color },
    pos: yield* positionFor({ table: 'options', parent: field.id }, pos)
  }
  yield* insertRow('options', row)
  return row
}
