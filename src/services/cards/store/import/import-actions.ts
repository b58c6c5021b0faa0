import { insertRow, query, type Transaction } from '../../../../kernel/database/transaction.ts'
import type { ImportedAction } from '../../import-export/imported.ts'
import { COMMENT } from '../../records/comment.ts'
import { touchBoard } from '../board-change.ts'
import type { ActionRow, BoardRow } from '../rows.ts'
import { ID_USED, type ImportResult } from './results.ts'
import { rowsById } from './stored-rows.ts'

export interface ActionsImport {
  board: string
  /** From the oldest to the newest. */
  actions: readonly ImportedAction[]
  dryRun: boolean
}

/** Those that are not stored yet; a stored comment gets the text of the file. */
export function* importActions(
  { board: id, actions, dryRun }: ActionsImport,
  time: string
): Transaction<ImportResult[]> {
  const [board] = yield* query<BoardRow>('select * from boards where id = ?', id)
  if (board === undefined) return []
  const stored = yield* rowsById<ActionRow>(
    'actions',
    actions.map((action) => action.id)
  )
  const results = actions.map((action): ImportResult => {
    const row = stored.get(action.id)
    if (row === undefined) return 'added'
    if (row.board !== id) return { skipped: ID_USED }
    return row.data === action.data ? 'unchanged' : 'updated'
  })
  if (dryRun) return results
  let count = 0
  for (const [index, action] of actions.entries()) {
    if (results[index] === 'added') {
      yield* addImportedAction(board, action)
      if (action.type !== COMMENT) count++
    } else if (results[index] === 'updated') {
      yield* query('update actions set data = ? where id = ?', action.data, action.id)
    }
  }
  if (count > 0) {
    yield* query('update boards set action_count = action_count + ? where id = ?', count, id)
  }
  if (results.some((one) => one === 'added' || one === 'updated')) {
    yield* touchBoard(id, time, false)
  }
  return results
}

function addImportedAction(board: BoardRow, action: ImportedAction): Transaction<void> {
  const { id, type, card = null, list = null, data, createdAt } = action
  return insertRow('actions', {
    ...{ id, board: board.id, card, list, member: board.owner, type, data, created_at: createdAt }
  })
}
