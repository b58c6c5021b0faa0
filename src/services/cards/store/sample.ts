import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { Viewer } from '../records/viewer.ts'
import { removeBoard } from './remove-board.ts'
import { visibleBoards } from './visible.ts'

/** Whether nothing was ever stored, not even a sample that was removed later. */
export function* isFirstStart(): Transaction<boolean> {
  const marks = yield* query('select 1 as found from first_start limit 1')
  if (marks.length > 0) return false
  const boards = yield* query('select 1 as found from boards limit 1')
  return boards.length === 0
}

/** From now on no sample is stored. */
export function* markFirstStart(time: string): Transaction<void> {
  yield* query(
    'insert into first_start (id, created_at) values (1, ?) on conflict (id) do nothing',
    time
  )
}

/** Whether there was one; with a viewer only one that the viewer may see. */
export function* removeSample(viewer?: Viewer): Transaction<boolean> {
  const visible = viewer === undefined ? { sql: '1 = 1', args: [] } : visibleBoards(viewer)
  const boards = yield* query<{ id: string }>(
    `select b.id from boards b where b.is_sample = 1 and ${visible.sql}`,
    ...visible.args
  )
  for (const { id } of boards) yield* removeBoard(id)
  return boards.length > 0
}
