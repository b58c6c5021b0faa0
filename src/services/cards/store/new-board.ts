import type { Transaction } from '../../../kernel/database/transaction.ts'
import { DEFAULT_LABEL_COLORS } from '../records/label-colors.ts'
import { addBoard } from './boards.ts'
import { addField } from './custom-fields.ts'
import type { Editor } from './editor.ts'
import { insertLabel } from './labels.ts'
import { insertList } from './lists.ts'
import type { BoardRow } from './rows.ts'
import { markFirstStart } from './sample.ts'

/** Their names tell their roles (`roleOfName`). */
const LISTS = ['Draft', 'Published', 'Archive'] as const
/** Their names tell what the content API calls them (`mappedColumn`). */
const FIELDS = [
  { name: 'Completed', type: 'date' },
  { name: 'URL', type: 'text' }
] as const

/** A board for a portfolio, ready for its first card. */
export function* addPortfolioBoard(
  { name, permission }: Pick<BoardRow, 'name' | 'permission'>,
  editor: Editor
): Transaction<BoardRow> {
  const { viewer, time, nextId } = editor
  yield* markFirstStart(time)
  const ids = { id: nextId(), owner: viewer.member, actionId: nextId() }
  const board = yield* addBoard({ ...ids, name, description: '', permission, prefs: {} }, time)
  for (const list of LISTS) {
    yield* insertList(board.id, { id: nextId(), name: list, pos: 'bottom' })
  }
  for (const color of DEFAULT_LABEL_COLORS) {
    yield* insertLabel(board.id, { id: nextId(), name: '', color })
  }
  for (const field of FIELDS) {
    const more = { pos: undefined, isOnFront: true, options: [] }
    yield* addField({ board: board.id, ...field, ...more }, editor)
  }
  return board
}
