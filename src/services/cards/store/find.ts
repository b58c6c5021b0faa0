import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { IdInvalid, ObjectUnknown } from '../contract.ts'
import { isObjectId, isShortLink } from '../records/ids.ts'
import type { Viewer } from '../records/viewer.ts'
import type {
  ActionRow,
  AttachmentRow,
  BoardRow,
  CardRow,
  CheckItemRow,
  ChecklistRow,
  FieldRow,
  LabelRow,
  ListRow,
  OptionRow
} from './rows.ts'
import { type Condition, visibleBoards, visibleCards, visibleLists } from './visible.ts'

// Objects by id, only those that the viewer may see: others throw the same error as unknown ones.

const EVERYTHING: Condition = { sql: '1 = 1', args: [] }

interface Found<Row> {
  /** Rows of `from`, which joins `boards b` and what the condition needs. */
  from: string
  alias: string
  condition: Condition
  column: keyof Row & string
  id: string
}

function* findOne<Row extends object>(
  viewer: Viewer,
  { from, alias, condition, column, id }: Found<Row>
): Transaction<Row> {
  const boards = visibleBoards(viewer)
  const [row] = yield* query<Row>(
    `select ${alias}.* from ${from} where ${alias}.${column} = ? and ${boards.sql} and ${condition.sql}`,
    id,
    ...boards.args,
    ...condition.args
  )
  if (row === undefined) throw new ObjectUnknown()
  return row
}

/** The id in lower case; throws if the text is no id. */
export function requireId(text: string): string {
  if (!isObjectId(text)) throw new IdInvalid()
  return text.toLowerCase()
}

/** By id or short link. */
export function* findBoard(viewer: Viewer, idOrLink: string): Transaction<BoardRow> {
  const column = isShortLink(idOrLink) ? 'short_link' : 'id'
  const id = column === 'id' ? requireId(idOrLink) : idOrLink
  const condition = EVERYTHING
  return yield* findOne<BoardRow>(viewer, { from: 'boards b', alias: 'b', condition, column, id })
}

export function* findList(viewer: Viewer, id: string): Transaction<ListRow> {
  return yield* findOne<ListRow>(viewer, {
    from: 'lists l join boards b on b.id = l.board',
    alias: 'l',
    condition: visibleLists(viewer),
    column: 'id',
    id: requireId(id)
  })
}

const CARD_JOINS = 'join lists l on l.id = c.list join boards b on b.id = c.board'

/** By id or short link. */
export function* findCard(viewer: Viewer, idOrLink: string): Transaction<CardRow> {
  const column = isShortLink(idOrLink) ? 'short_link' : 'id'
  return yield* findOne<CardRow>(viewer, {
    from: `cards c ${CARD_JOINS}`,
    alias: 'c',
    condition: visibleCards(viewer),
    column,
    id: column === 'id' ? requireId(idOrLink) : idOrLink
  })
}

function* findOnBoard<Row extends object & { id: string }>(
  viewer: Viewer,
  table: string,
  id: string
): Transaction<Row> {
  return yield* findOne<Row>(viewer, {
    from: `${table} o join boards b on b.id = o.board`,
    alias: 'o',
    condition: EVERYTHING,
    column: 'id',
    id: requireId(id)
  })
}

function* findOnCard<Row extends object & { id: string }>(
  viewer: Viewer,
  table: string,
  id: string
): Transaction<Row> {
  return yield* findOne<Row>(viewer, {
    from: `${table} o join cards c on c.id = o.card ${CARD_JOINS}`,
    alias: 'o',
    condition: visibleCards(viewer),
    column: 'id',
    id: requireId(id)
  })
}

export function findLabel(viewer: Viewer, id: string): Transaction<LabelRow> {
  return findOnBoard<LabelRow>(viewer, 'labels', id)
}

export function findField(viewer: Viewer, id: string): Transaction<FieldRow> {
  return findOnBoard<FieldRow>(viewer, 'fields', id)
}

export function findOption(viewer: Viewer, id: string): Transaction<OptionRow> {
  return findOnBoard<OptionRow>(viewer, 'options', id)
}

export function findAction(viewer: Viewer, id: string): Transaction<ActionRow> {
  return findOnBoard<ActionRow>(viewer, 'actions', id)
}

export function findAttachment(viewer: Viewer, id: string): Transaction<AttachmentRow> {
  return findOnCard<AttachmentRow>(viewer, 'attachments', id)
}

export function findChecklist(viewer: Viewer, id: string): Transaction<ChecklistRow> {
  return findOnCard<ChecklistRow>(viewer, 'checklists', id)
}

export function findCheckItem(viewer: Viewer, id: string): Transaction<CheckItemRow> {
  return findOnCard<CheckItemRow>(viewer, 'check_items', id)
}
