import type { Transaction } from '../../../kernel/database/transaction.ts'
import { addAction, cardReference } from './actions.ts'
import type { Editor } from './editor.ts'
import { findBoard, findList } from './find.ts'
import type { CardRow, ListRow } from './rows.ts'

/** Names of the fields in actions, by column. */
const FIELDS: readonly [column: keyof CardRow, field: string, isFlag?: true][] = [
  ['name', 'name'],
  ['description', 'desc'],
  ['closed', 'closed', true],
  ['due', 'due'],
  ['due_complete', 'dueComplete', true],
  ['start', 'start'],
  ['is_template', 'isTemplate', true],
  ['cover_attachment', 'idAttachmentCover'],
  ['list', 'idList'],
  ['pos', 'pos']
]

/** One for each field, so that clients can select the changes of a field. */
export function* addChangeActions(
  before: CardRow,
  after: CardRow,
  editor: Editor
): Transaction<void> {
  const { viewer, time, nextId } = editor
  const board = yield* findBoard(viewer, after.board)
  const list = yield* findList(viewer, after.list)
  const common = { member: viewer.member, board, card: after, list }
  if (after.board !== before.board) {
    const from = yield* findBoard(viewer, before.board)
    const data = { boardSource: { id: from.id, name: from.name, shortLink: from.short_link } }
    yield* addAction({ ...common, id: nextId(), type: 'moveCardToBoard', data }, time)
  }
  for (const [column, field, isFlag] of FIELDS) {
    const isMove = column === 'list' || column === 'pos'
    if (before[column] === after[column] || (isMove && after.board !== before.board)) continue
    if (column === 'pos' && after.list !== before.list) continue
    const old = { [field]: isFlag ? before[column] === 1 : before[column] }
    const lists = column === 'list' ? yield* listReferences(before.list, list, editor) : {}
    const value = isFlag ? after[column] === 1 : after[column]
    const data = { old, ...lists, card: { ...cardReference(after), [field]: value } }
    yield* addAction({ ...common, id: nextId(), type: 'updateCard', data }, time)
  }
}

function* listReferences(
  before: string,
  after: ListRow,
  { viewer }: Editor
): Transaction<Record<string, object>> {
  const { id, name } = yield* findList(viewer, before)
  return { listBefore: { id, name }, listAfter: { id: after.id, name: after.name } }
}

/** An action about one card, with its board and list. */
export function* addCardAction(
  card: CardRow,
  type: string,
  data: Readonly<Record<string, unknown>>,
  { viewer, time, nextId }: Editor
): Transaction<string> {
  const board = yield* findBoard(viewer, card.board)
  const list = yield* findList(viewer, card.list)
  const id = nextId()
  yield* addAction({ id, type, member: viewer.member, board, card, list, data }, time)
  return id
}
