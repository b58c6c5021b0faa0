import { insertRows } from '../../../kernel/database/insert-rows.ts'
import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'
import { countCardActions } from './actions.ts'
import type {
  ActionRow,
  AttachmentRow,
  CardRow,
  CheckItemRow,
  ChecklistRow,
  ItemRow,
  WebhookRow
} from './rows.ts'

/** All rows of a card, as they are stored. */
export interface CardSnapshot {
  cards: readonly CardRow[]
  slugs: readonly { board: string; slug: string; card: string }[]
  card_labels: readonly { card: string; label: string; board: string }[]
  items: readonly ItemRow[]
  attachments: readonly AttachmentRow[]
  checklists: readonly ChecklistRow[]
  check_items: readonly CheckItemRow[]
  actions: readonly ActionRow[]
  /** Those that watch the card. */
  webhooks: readonly WebhookRow[]
}

/** In an order in which each row refers to earlier ones. */
const TABLES = [
  'cards',
  'slugs',
  'card_labels',
  'items',
  'attachments',
  'checklists',
  'check_items',
  'actions',
  'webhooks'
] as const satisfies readonly (keyof CardSnapshot)[]

/** The column with the id of the card. */
function columnOf(table: keyof CardSnapshot): string {
  if (table === 'cards') return 'id'
  return table === 'webhooks' ? 'model' : 'card'
}

export function* readSnapshot(card: string): Transaction<CardSnapshot> {
  const rows: Partial<Record<keyof CardSnapshot, readonly object[]>> = {}
  for (const table of TABLES) {
    rows[table] = yield* query(`select * from ${table} where ${columnOf(table)} = ?`, card)
  }
  return rows as CardSnapshot
}

/** The references to its files stay: the caller stores the snapshot, which then has them. */
export function* deleteSnapshot(board: string, card: string): Transaction<void> {
  yield* countCardActions(board, card, -1)
  for (const table of TABLES.toReversed()) {
    yield* query(`delete from ${table} where ${columnOf(table)} = ?`, card)
  }
}

/**
 * Labels and fields that the board no longer has, and slugs that another card got, are left out.
 * The caller writes the search document and tells the board.
 */
export function* insertSnapshot(snapshot: CardSnapshot): Transaction<void> {
  const [card] = snapshot.cards
  if (card === undefined) return
  const slugs = yield* freeSlugs(snapshot)
  const isSlugFree = slugs.some(({ slug }) => slug === card.slug)
  const rows: Record<keyof CardSnapshot, readonly object[]> = {
    ...snapshot,
    cards: [card.slug === null || isSlugFree ? card : { ...card, slug: null, slug_is_set: 0 }],
    slugs,
    card_labels: yield* withStored(snapshot.card_labels, 'labels', ({ label }) => label),
    items: yield* withStored(snapshot.items, 'fields', ({ field }) => field)
  }
  for (const table of TABLES) {
    yield* insertRows(table, rows[table] as readonly Readonly<Record<string, SqlValue>>[])
  }
  yield* countCardActions(card.board, card.id, 1)
}

function* freeSlugs({ slugs }: CardSnapshot): Transaction<CardSnapshot['slugs']> {
  const free: CardSnapshot['slugs'][number][] = []
  for (const row of slugs) {
    const used = yield* query(
      'select 1 as used from slugs where board = ? and slug = ?',
      ...[row.board, row.slug]
    )
    if (used.length === 0) free.push(row)
  }
  return free
}

/** Rows whose label or field is still on the board. */
function* withStored<Row extends { board: string }>(
  rows: readonly Row[],
  table: 'labels' | 'fields',
  idOf: (row: Row) => string
): Transaction<readonly Row[]> {
  const [first] = rows
  if (first === undefined) return rows
  const stored = yield* query<{ id: string }>(
    `select id from ${table} where board = ?`,
    first.board
  )
  const ids = new Set(stored.map(({ id }) => id))
  return rows.filter((row) => ids.has(idOf(row)))
}
