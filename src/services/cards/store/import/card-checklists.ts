import { insertRows } from '../../../../kernel/database/insert-rows.ts'
import type { SqlValue, Transaction } from '../../../../kernel/database/transaction.ts'
import type { ImportedCard } from '../../import-export/imported.ts'
import type { CheckItemRow, ChecklistRow } from '../rows.ts'
import { ID_USED } from './results.ts'
import { differences, rowsById, updateRow } from './stored-rows.ts'

/** Rows of one table that are added or updated. */
interface TableChange<Row> {
  added: Row[]
  updated: { row: Row; wanted: Readonly<Record<string, SqlValue>> }[]
}

export interface ChecklistChange {
  checklists: TableChange<ChecklistRow>
  items: TableChange<CheckItemRow>
}

export interface ChecklistPlan {
  byCard: Map<string, ChecklistChange>
  skipped: { reason: string; id: string }[]
}

export function* checklistChanges(
  board: string,
  cards: readonly ImportedCard[]
): Transaction<ChecklistPlan> {
  const all = cards.flatMap(({ checklists }) => checklists)
  const lists = yield* rowsById<ChecklistRow>(
    'checklists',
    all.map(({ id }) => id)
  )
  const items = yield* rowsById<CheckItemRow>(
    'check_items',
    all.flatMap((one) => one.items.map(({ id }) => id))
  )
  const plan: ChecklistPlan = { byCard: new Map(), skipped: [] }
  for (const { id: card, checklists } of cards) {
    const change: ChecklistChange = {
      checklists: { added: [], updated: [] },
      items: { added: [], updated: [] }
    }
    plan.byCard.set(card, change)
    for (const { id, name, pos, items: wanted } of checklists) {
      if (
        !planRow('checklists', change.checklists, lists.get(id), { id, board, card, name, pos })
      ) {
        continue
      }
      for (const { id: item, name: text, isComplete, pos: at, due } of wanted) {
        const row = { id: item, board, card, checklist: id, name: text, pos: at, due }
        const flag = isComplete ? 1 : 0
        planRow('items of checklists', change.items, items.get(item), { ...row, is_complete: flag })
      }
    }
  }
  return plan

  /** Whether the row is stored then. */
  function planRow<Row extends { id: string; card: string } & object>(
    what: string,
    change: TableChange<Row>,
    before: Row | undefined,
    wanted: Row
  ): boolean {
    if (before !== undefined && before.card !== wanted.card) {
      plan.skipped.push({ reason: `${what} ${ID_USED}`, id: wanted.id })
      return false
    }
    const columns = { ...wanted } as Readonly<Record<string, SqlValue>>
    if (before === undefined) change.added.push(wanted)
    else if (Object.keys(differences(before, columns)).length > 0) {
      change.updated.push({ row: before, wanted: columns })
    }
    return true
  }
}

export function isChecklistChanged({ checklists, items }: ChecklistChange): boolean {
  return [checklists, items].some(({ added, updated }) => added.length + updated.length > 0)
}

export function* writeChecklists(changes: readonly ChecklistChange[]): Transaction<void> {
  yield* writeTable(
    'checklists',
    changes.map(({ checklists }) => checklists)
  )
  yield* writeTable(
    'check_items',
    changes.map(({ items }) => items)
  )
}

function* writeTable<Row extends { id: string } & object>(
  table: string,
  changes: readonly TableChange<Row>[]
): Transaction<void> {
  yield* insertRows(
    table,
    changes.flatMap(({ added }) => added.map((row) => ({ ...row }) as Record<string, SqlValue>))
  )
  for (const { row, wanted } of changes.flatMap(({ updated }) => updated)) {
    yield* updateRow(table, row, wanted)
  }
}
