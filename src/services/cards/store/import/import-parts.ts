import { insertRows } from '../../../../kernel/database/insert-rows.ts'
import { query, type SqlValue, type Transaction } from '../../../../kernel/database/transaction.ts'
import type {
  ImportedBoard,
  ImportedField,
  ImportedLabel,
  ImportedList
} from '../../import-export/imported.ts'
import { mappedColumn } from '../../records/field-mapping.ts'
import { roleOfName } from '../../records/list-role.ts'
import { touchBoard } from '../board-change.ts'
import { afterListChange } from '../card-change.ts'
import type { BoardRow, FieldRow, ListRow } from '../rows.ts'
import { ID_USED, type ImportResult } from './results.ts'
import { differences, rowsById, updateRow } from './stored-rows.ts'

export interface PartsImport {
  board: string
  lists: readonly ImportedList[]
  labels: readonly ImportedLabel[]
  fields: readonly ImportedField[]
  /** Of exports of nonet; undefined otherwise. */
  mapping?: Pick<ImportedBoard, 'completedField' | 'urlField'> | undefined
  /** Whether the board itself was changed. */
  isChanged: boolean
  dryRun: boolean
}

export interface PartsOutcome {
  lists: ImportResult[]
  labels: ImportResult[]
  fields: ImportResult[]
}

type Part = { id: string; columns: Readonly<Record<string, SqlValue>> }

/** Lists, labels and custom fields, each as far as it differs. */
export function* importParts(request: PartsImport, time: string): Transaction<PartsOutcome> {
  const { board, dryRun } = request
  const lists = yield* importTable('lists', board, request.lists.map(listPart), dryRun)
  const labels = yield* importTable('labels', board, request.labels.map(labelPart), dryRun)
  const fields = yield* importTable('fields', board, request.fields.map(fieldPart), dryRun)
  const known = request.fields.filter((_, index) => isStored(fields[index]))
  const options = known.flatMap((field) => field.options.map((one) => optionPart(one, field.id)))
  const optionResults = yield* importTable('options', board, options, dryRun)
  if (!dryRun) {
    const isMapped = yield* mapFields(request, fields)
    for (const [index, list] of request.lists.entries()) {
      if (lists[index] === 'updated') yield* afterListChange(list.id, time)
    }
    const all = [...lists, ...labels, ...fields, ...optionResults]
    if (request.isChanged || isMapped || all.some((one) => one === 'added' || one === 'updated')) {
      yield* touchBoard(board, time, true)
    }
  }
  return { lists, labels, fields }
}

function isStored(result: ImportResult | undefined): boolean {
  return typeof result === 'string'
}

function listPart({ id, name, isClosed, pos, role }: ImportedList): Part {
  const columns = { name, closed: isClosed ? 1 : 0, pos }
  return { id, columns: role === undefined ? columns : { ...columns, role } }
}

function labelPart({ id, name, color }: ImportedLabel): Part {
  return { id, columns: { name, color } }
}

function fieldPart({ id, name, type, pos, cardFront, group }: ImportedField): Part {
  const columns = { name, type, pos, card_front: cardFront ? 1 : 0 }
  return { id, columns: group === undefined ? columns : { ...columns, field_group: group } }
}

function optionPart(
  { id, text, color, pos }: ImportedField['options'][number],
  field: string
): Part {
  return { id, columns: { field, text, color, pos } }
}

/** What new rows have that the file does not tell. */
const ADDED: Readonly<Record<string, (part: Part) => Readonly<Record<string, SqlValue>>>> = {
  lists: ({ columns }) => ({ role: roleOfName(String(columns.name)) }),
  fields: ({ id }) => ({ field_group: id.padEnd(64, '0') })
}

function* importTable(
  table: 'lists' | 'labels' | 'fields' | 'options',
  board: string,
  parts: readonly Part[],
  dryRun: boolean
): Transaction<ImportResult[]> {
  const stored = yield* rowsById<{ id: string; board: string }>(
    table,
    parts.map(({ id }) => id)
  )
  const results: ImportResult[] = []
  const added: Record<string, SqlValue>[] = []
  for (const part of parts) {
    const row = stored.get(part.id)
    if (row === undefined) {
      added.push({ id: part.id, board, ...ADDED[table]?.(part), ...part.columns })
      results.push('added')
    } else if (row.board !== board) results.push({ skipped: ID_USED })
    else {
      // The type of a field decides how its values are stored.
      const { type, ...columns } = part.columns
      const isChanged = Object.keys(differences(row, columns)).length > 0
      if (isChanged && !dryRun) yield* updateRow(table, row, columns)
      results.push(isChanged ? 'updated' : 'unchanged')
    }
  }
  if (!dryRun) yield* insertRows(table, added)
  return results
}

/** The fields of the two properties of the content API. */
function* mapFields(
  { board, fields, mapping }: PartsImport,
  results: readonly ImportResult[]
): Transaction<boolean> {
  const [row] = yield* query<BoardRow>('select * from boards where id = ?', board)
  if (row === undefined) return false
  const own = yield* query<FieldRow>('select * from fields where board = ?', board)
  const isOwn = (id: string | null | undefined) => own.some((field) => field.id === id)
  const wanted: Record<'completed_field' | 'url_field', string | null> = {
    completed_field: row.completed_field,
    url_field: row.url_field
  }
  if (mapping !== undefined) {
    const { completedField = null, urlField = null } = mapping
    wanted.completed_field = isOwn(completedField) ? completedField : null
    wanted.url_field = isOwn(urlField) ? urlField : null
  } else {
    for (const [index, field] of fields.entries()) {
      const column = results[index] === 'added' ? mappedColumn(field) : undefined
      if (column !== undefined) wanted[column] ??= field.id
    }
  }
  return yield* updateRow('boards', row, wanted)
}

/** Lists of the board by id, for its cards. */
export function* listsOf(board: string): Transaction<Map<string, ListRow>> {
  const rows = yield* query<ListRow>('select * from lists where board = ?', board)
  return new Map(rows.map((row) => [row.id, row]))
}
