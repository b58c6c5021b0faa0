import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { FieldParts } from '../present/field.ts'
import type { Viewer } from '../records/viewer.ts'
import { findField } from './find.ts'
import type { FieldRow, OptionRow } from './rows.ts'
import { visibleBoards } from './visible.ts'

/** Of a board by its id, in their order, with their options: two statements. */
export function* readFields(viewer: Viewer, board: string): Transaction<FieldParts[]> {
  const boards = visibleBoards(viewer)
  const from = (table: string) =>
    `select o.* from ${table} o join boards b on b.id = o.board
     where o.board = ? and ${boards.sql} order by o.pos, o.id`
  const fields = yield* query<FieldRow>(from('fields'), board, ...boards.args)
  if (fields.length === 0) return []
  const options = yield* query<OptionRow>(from('options'), board, ...boards.args)
  const byField = Map.groupBy(options, ({ field }) => field)
  return fields.map((field) => ({ field, options: byField.get(field.id) ?? [] }))
}

export function* readField(viewer: Viewer, id: string): Transaction<FieldParts> {
  const field = yield* findField(viewer, id)
  return { field, options: yield* readOptions(field.id) }
}

/** Of a field that the viewer may see. */
export function readOptions(field: string): Transaction<readonly OptionRow[]> {
  return query<OptionRow>('select * from options where field = ? order by pos, id', field)
}
