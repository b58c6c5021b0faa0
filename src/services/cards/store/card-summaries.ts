import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { type CardCounts, NO_COUNTS } from '../records/card-parts.ts'
import { COMMENT } from '../records/comment.ts'
import type { ItemRow, LabelRow } from './rows.ts'
import type { Condition } from './visible.ts'

export interface CardSummary {
  labels: LabelRow[]
  items: ItemRow[]
  counts: CardCounts
}

/** A row of any of the queries below; what the columns contain depends on the kind. */
interface SummaryRow {
  kind: 'label' | 'item' | 'checklist' | 'actions' | 'checks'
  card: string
  board: string | null
  id: string | null
  text: string | null
  detail: string | null
  more: string | null
}

const LABELS = `select 'label' as kind, cl.card as card, x.board as board, x.id as id, x.name as text,
    x.color as detail, cast(null as text) as more
  from card_labels cl join labels x on x.id = cl.label where cl.card in (select id from selected)`

const ITEMS = `select 'item' as kind, i.card as card, i.board as board, i.id as id, i.value as text,
    i.option as detail, i.field as more
  from items i where i.card in (select id from selected)`

const COUNTS = [
  `select 'checklist' as kind, k.card as card, k.board as board, k.id as id,
     cast(k.pos as text) as text, null as detail, null as more
   from checklists k where k.card in (select id from selected)`,
  `select 'actions' as kind, a.card as card, null as board, null as id,
     cast(sum(case when a.type = '${COMMENT}' then 1 else 0 end) as text) as text,
     max(a.created_at) as detail, null as more
   from actions a where a.card in (select id from selected) group by a.card`,
  `select 'checks' as kind, i.card as card, null as board, null as id,
     cast(count(*) as text) as text, cast(sum(i.is_complete) as text) as detail,
     min(case when i.is_complete = 0 then i.due end) as more
   from check_items i where i.card in (select id from selected) group by i.card`
]

/** Labels, items of custom fields and counts of cards in one statement, by card. */
export function* readCardSummaries(
  cards: Condition,
  include: { labels?: boolean; items?: boolean; counts?: boolean }
): Transaction<ReadonlyMap<string, CardSummary>> {
  const parts = [
    ...(include.labels === true ? [LABELS] : []),
    ...(include.items === true ? [ITEMS] : []),
    ...(include.counts === true ? COUNTS : [])
  ]
  if (parts.length === 0) return new Map()
  const rows = yield* query<SummaryRow>(
    `with selected as materialized (${cards.sql}) ${parts.join(' union all ')}`,
    ...cards.args
  )
  const groups = Map.groupBy(rows, ({ card }) => card)
  return new Map([...groups].map(([card, some]) => [card, summaryOf(some)]))
}

function summaryOf(rows: readonly SummaryRow[]): CardSummary {
  return {
    labels: rows
      .filter(({ kind }) => kind === 'label')
      .map(labelOf)
      .sort(byId),
    items: rows
      .filter(({ kind }) => kind === 'item')
      .map(itemOf)
      .sort(byId),
    counts: countsOf(rows)
  }
}

function labelOf({ id, board, text, detail }: SummaryRow): LabelRow {
  return { id: id ?? '', board: board ?? '', name: text ?? '', color: detail }
}

function itemOf({ id, board, card, text, detail, more }: SummaryRow): ItemRow {
  return { id: id ?? '', board: board ?? '', card, field: more ?? '', value: text, option: detail }
}

function countsOf(rows: readonly SummaryRow[]): CardCounts {
  const actions = rows.find(({ kind }) => kind === 'actions')
  const checks = rows.find(({ kind }) => kind === 'checks')
  const checklists = rows
    .filter(({ kind }) => kind === 'checklist')
    .map(({ id, text }) => ({ id: id ?? '', pos: Number(text) }))
    .sort((one, other) => one.pos - other.pos || byId(one, other))
  return {
    ...NO_COUNTS,
    ...(actions && { comments: Number(actions.text), lastAction: actions.detail }),
    ...(checks && {
      checkItems: Number(checks.text),
      checkItemsChecked: Number(checks.detail),
      earliestDue: checks.more
    }),
    idChecklists: checklists.map(({ id }) => id)
  }
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : Number(one.id > other.id)
}
