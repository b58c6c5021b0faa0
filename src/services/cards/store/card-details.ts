import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { ChecklistParts } from '../records/card-parts.ts'
import type { AttachmentRow, CheckItemRow } from './rows.ts'
import type { Condition } from './visible.ts'

// What belongs to cards, by card. `cards` is a query of their ids.

type ByCard<Row> = ReadonlyMap<string, readonly Row[]>

function cardOf({ card }: { card: string }): string {
  return card
}

export function* readAttachments(cards: Condition): Transaction<ByCard<AttachmentRow>> {
  const rows = yield* query<AttachmentRow>(
    `select a.* from attachments a where a.card in (${cards.sql}) order by a.pos, a.id`,
    ...cards.args
  )
  return groupByCard(rows, cardOf, (row) => row)
}

interface ChecklistItem {
  id: string
  board: string
  card: string
  name: string
  pos: number
  /** Null if the checklist is empty, like the other columns of the item. */
  item: string | null
  item_name: string
  is_complete: number
  item_pos: number
  due: string | null
}

export function* readChecklists(cards: Condition): Transaction<ByCard<ChecklistParts>> {
  const rows = yield* query<ChecklistItem>(
    `select k.*, i.id as item, i.name as item_name, i.is_complete, i.pos as item_pos, i.due
     from checklists k left join check_items i on i.checklist = k.id
     where k.card in (${cards.sql}) order by k.pos, k.id, i.pos, i.id`,
    ...cards.args
  )
  const groups = Map.groupBy(rows, ({ id }) => id)
  const checklists = [...groups.values()].map(checklistOf)
  return groupByCard(
    checklists,
    ({ checklist }) => checklist.card,
    (one) => one
  )
}

function checklistOf(rows: readonly ChecklistItem[]): ChecklistParts {
  const [first] = rows
  if (first === undefined) throw new Error('A group of rows is empty')
  const { id, board, card, name, pos } = first
  return { checklist: { id, board, card, name, pos }, items: rows.flatMap(checkItemOf) }
}

function checkItemOf(row: ChecklistItem): CheckItemRow[] {
  if (row.item === null) return []
  const { board, card, id: checklist, is_complete, due } = row
  return [
    {
      id: row.item,
      board,
      card,
      checklist,
      name: row.item_name,
      is_complete,
      pos: row.item_pos,
      due
    }
  ]
}

function groupByCard<Row, Value>(
  rows: readonly Row[],
  cardOf: (row: Row) => string,
  convert: (row: Row) => Value
): ByCard<Value> {
  const groups = new Map<string, Value[]>()
  for (const row of rows) {
    const card = cardOf(row)
    const group = groups.get(card)
    if (group === undefined) groups.set(card, [convert(row)])
    else group.push(convert(row))
  }
  return groups
}
