import type { ChecklistParts } from '../records/card-parts.ts'
import type { CheckItemRow } from '../store/rows.ts'

export function presentChecklist({ checklist, items }: ChecklistParts): Record<string, unknown> {
  return {
    id: checklist.id,
    name: checklist.name,
    idBoard: checklist.board,
    idCard: checklist.card,
    pos: checklist.pos,
    limits: {},
    checkItems: items.map(presentCheckItem),
    creationMethod: null
  }
}

export function presentCheckItem(item: CheckItemRow): Record<string, unknown> {
  return {
    id: item.id,
    name: item.name,
    nameData: { emoji: {} },
    type: 'check',
    pos: item.pos,
    state: item.is_complete === 1 ? 'complete' : 'incomplete',
    due: item.due,
    dueReminder: null,
    idMember: null,
    idChecklist: item.checklist
  }
}
