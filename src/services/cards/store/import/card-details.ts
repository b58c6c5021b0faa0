import { fullGroupsOf, placeholders } from '../../../../kernel/database/groups.ts'
import { insertRows } from '../../../../kernel/database/insert-rows.ts'
import { query, type Transaction } from '../../../../kernel/database/transaction.ts'
import type { ImportedCard } from '../../import-export/imported.ts'
import type { AttachmentRow, FieldRow, ItemRow, LabelRow } from '../rows.ts'
import { type AttachmentChange, attachmentChange, writeAttachments } from './card-attachments.ts'
import {
  type ChecklistChange,
  checklistChanges,
  isChecklistChanged,
  writeChecklists
} from './card-checklists.ts'
import { ID_USED } from './results.ts'
import { rowsBy, rowsById } from './stored-rows.ts'

/** What changes of one card besides its own row. */
export interface DetailChanges {
  card: string
  isChanged: boolean
  /** Undefined if they stay. */
  labels: readonly CardLabel[] | undefined
  items: readonly ItemRow[] | undefined
  attachments: readonly AttachmentChange[]
  checklists: ChecklistChange
}

interface CardLabel {
  card: string
  label: string
  board: string
}

export interface DetailsPlan {
  byCard: Map<string, DetailChanges>
  skipped: { reason: string; id: string }[]
}

export interface DetailsRequest {
  board: string
  member: string
  cards: readonly ImportedCard[]
  maxAttachments: number
  /** Lists, labels and fields may not be stored then. */
  dryRun: boolean
}

/** Ids per statement. */
const GROUP = 50

/** Labels and values are replaced by those of the file; attachments and checklists only added to. */
export function* changesOfDetails(request: DetailsRequest): Transaction<DetailsPlan> {
  const { board, cards, dryRun } = request
  const ids = cards.map(({ id }) => id)
  const labels = yield* rowsById<LabelRow>('labels', unique(cards.flatMap((one) => one.labels)))
  const wantedItems = cards.flatMap(({ items }) => items)
  const fields = yield* rowsById<FieldRow>('fields', unique(wantedItems.map(({ field }) => field)))
  const usedItems = yield* rowsById<ItemRow>(
    'items',
    wantedItems.map(({ id }) => id)
  )
  const cardLabels = Map.groupBy(
    yield* rowsBy<CardLabel>('card_labels', 'card', ids),
    ({ card }) => card
  )
  const items = Map.groupBy(yield* rowsBy<ItemRow>('items', 'card', ids), ({ card }) => card)
  const planAttachments = yield* attachmentPlanner(request)
  const checklists = yield* checklistChanges(board, cards)
  const skipped = checklists.skipped
  const byCard = new Map<string, DetailChanges>()
  for (const card of cards) {
    const ownLabels = card.labels.filter((id) => dryRun || labels.get(id)?.board === board)
    const ownItems = card.items.flatMap(itemsOf(card.id))
    const attachments = planAttachments(card, skipped)
    const lists = checklists.byCard.get(card.id) ?? NO_CHECKLISTS
    const oldLabels = (cardLabels.get(card.id) ?? []).map(({ label }) => label)
    const isLabelled = !areEqual(oldLabels, ownLabels)
    const hasItems = !areEqual((items.get(card.id) ?? []).map(itemKey), ownItems.map(itemKey))
    byCard.set(card.id, {
      card: card.id,
      isChanged: isLabelled || hasItems || attachments.length > 0 || isChecklistChanged(lists),
      labels: isLabelled ? ownLabels.map((label) => ({ card: card.id, label, board })) : undefined,
      items: hasItems ? ownItems : undefined,
      attachments,
      checklists: lists
    })
  }
  return { byCard, skipped }

  function itemsOf(card: string) {
    return ({ id, field, value, option }: ImportedCard['items'][number]): ItemRow[] => {
      const isKnown = dryRun || fields.get(field)?.board === board
      if (isKnown && (usedItems.get(id)?.card ?? card) === card) {
        const json = value === undefined ? null : JSON.stringify(value)
        return [{ id, board, card, field, value: json, option: option ?? null }]
      }
      skipped.push({ reason: `values of custom fields ${ID_USED}`, id })
      return []
    }
  }
}

const NO_CHECKLISTS: ChecklistChange = {
  checklists: { added: [], updated: [] },
  items: { added: [], updated: [] }
}

function* attachmentPlanner({
  board,
  member,
  cards,
  maxAttachments
}: DetailsRequest): Transaction<
  (card: ImportedCard, skipped: DetailsPlan['skipped']) => AttachmentChange[]
> {
  const stored = yield* rowsById<AttachmentRow>(
    'attachments',
    cards.flatMap(({ attachments }) => attachments.map(({ id }) => id))
  )
  const counts = yield* countAttachments(cards.map(({ id }) => id))
  return (card, skipped) => {
    const target = { board, card: card.id, member }
    let space = maxAttachments - (counts.get(card.id) ?? 0)
    return card.attachments.flatMap((attachment) => {
      const { id } = attachment
      const row = stored.get(id)
      if (row !== undefined && row.card !== card.id) {
        skipped.push({ reason: `attachments ${ID_USED}`, id })
        return []
      }
      if (row === undefined && space-- <= 0) {
        skipped.push({ reason: `attachments above the limit of ${maxAttachments} per card`, id })
        return []
      }
      return attachmentChange(attachment, row, { ...target, member: row?.member ?? member }) ?? []
    })
  }
}

function* countAttachments(cards: readonly string[]): Transaction<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const group of fullGroupsOf(cards, GROUP)) {
    const rows = yield* query<{ card: string; count: number }>(
      `select card, count(*) as count from attachments where card in (${placeholders(GROUP)}) group by card`,
      ...group
    )
    for (const { card, count } of rows) counts.set(card, count)
  }
  return counts
}

function itemKey({ id, field, value, option }: ItemRow): string {
  return JSON.stringify([id, field, value, option])
}

/** In any order. */
function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && new Set([...one, ...other]).size === new Set(one).size
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

export function* writeDetails(changes: readonly DetailChanges[]): Transaction<void> {
  yield* replaceRows('card_labels', changes, ({ labels }) => labels)
  yield* replaceRows('items', changes, ({ items }) => items)
  yield* writeAttachments(changes.flatMap(({ attachments }) => attachments))
  yield* writeChecklists(changes.map(({ checklists }) => checklists))
}

function* replaceRows(
  table: 'card_labels' | 'items',
  changes: readonly DetailChanges[],
  rowsOf: (change: DetailChanges) => readonly (CardLabel | ItemRow)[] | undefined
): Transaction<void> {
  const changed = changes.filter((change) => rowsOf(change) !== undefined)
  const cards = changed.map(({ card }) => card)
  for (const group of fullGroupsOf(cards, GROUP)) {
    yield* query(`delete from ${table} where card in (${placeholders(GROUP)})`, ...group)
  }
  const rows = changed.flatMap((change) => (rowsOf(change) ?? []).map((row) => ({ ...row })))
  yield* insertRows(table, rows)
}
