import type {
  AttachmentRow,
  CardRow,
  CheckItemRow,
  ChecklistRow,
  ItemRow,
  LabelRow
} from '../store/rows.ts'

export interface ChecklistParts {
  checklist: ChecklistRow
  /** In their order. */
  items: readonly CheckItemRow[]
}

/** What the public does not see of a card; zero or null if it was not read. */
export interface CardCounts {
  comments: number
  checkItems: number
  checkItemsChecked: number
  earliestDue: string | null
  /** Of comments, checklists and members, which do not change the card itself. */
  lastAction: string | null
  idChecklists: readonly string[]
}

/** A card with what belongs to it, as far as it was read; other lists are empty. */
export interface CardParts {
  card: CardRow
  /** In the order of their ids. */
  labels: readonly LabelRow[]
  /** In their order. */
  attachments: readonly AttachmentRow[]
  items: readonly ItemRow[]
  checklists: readonly ChecklistParts[]
  counts: CardCounts
}

export const NO_COUNTS: CardCounts = {
  comments: 0,
  checkItems: 0,
  checkItemsChecked: 0,
  earliestDue: null,
  lastAction: null,
  idChecklists: []
}
