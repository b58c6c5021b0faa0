import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { LimitReached } from '../contract.ts'
import { COMMENT } from '../records/comment.ts'
import { insertLabel } from './labels.ts'
import type { FieldType, ItemRow, LabelRow } from './rows.ts'
import type { Condition } from './visible.ts'

export interface BoardMove {
  /** On `cards c`; it selects the same cards before and after the move. */
  readonly cards: Condition
  /** Ids of boards. */
  readonly source: string
  readonly target: string
  readonly maxCards: number
  readonly nextId: () => string
}

/**
 * Moves cards of one board to another, with all that belongs to them: labels become those of the
 * same name and colour, which are added; values of custom fields stay if there is a field of the
 * same name and type. The caller sets list and position, and tells both boards about the change.
 */
export function* moveToBoard(move: BoardMove): Transaction<void> {
  const { source, target, maxCards } = move
  const cards = {
    sql: `select c.id from cards c where c.board = ? and ${move.cards.sql}`,
    args: [source, ...move.cards.args]
  }
  const count = yield* countOf(cards)
  if (count === 0) return
  const [row] = yield* query<{ count: number; last: number }>(
    `select (select count(*) from cards where board = ?) as count, last_number as last
     from boards where id = ?`,
    ...[target, target]
  )
  const { count: present = 0, last = 0 } = row ?? {}
  if (present + count > maxCards) {
    throw new LimitReached(`A board can have at most ${maxCards} cards`)
  }
  yield* moveLabels(move, cards)
  yield* moveItems(move, cards)
  yield* moveActions(move, cards)
  yield* query(`delete from slugs where card in (${cards.sql})`, ...cards.args)
  for (const table of ['attachments', 'checklists', 'check_items']) {
    yield* query(
      `update ${table} set board = ? where card in (${cards.sql})`,
      ...[target, ...cards.args]
    )
  }
  yield* query(
    `update cards set board = ?, number = ? + moved.rank_number, slug = null from (
       select c.id, row_number() over (order by c.number) as rank_number from cards c
       where c.id in (${cards.sql})
     ) as moved where cards.id = moved.id`,
    ...[target, last, ...cards.args]
  )
  yield* query('update boards set last_number = ? where id = ?', last + count, target)
}

function* countOf(cards: Condition): Transaction<number> {
  const [row] = yield* query<{ count: number }>(
    `select count(*) as count from cards where id in (${cards.sql})`,
    ...cards.args
  )
  return row?.count ?? 0
}

function* moveLabels({ target, source, nextId }: BoardMove, cards: Condition): Transaction<void> {
  const used = yield* query<LabelRow>(
    `select distinct x.* from labels x join card_labels cl on cl.label = x.id
     where cl.card in (${cards.sql}) order by x.id`,
    ...cards.args
  )
  const known = yield* query<LabelRow>(
    'select * from labels where board = ? order by id desc',
    target
  )
  const byLook = new Map(known.map((label) => [lookOf(label), label.id]))
  for (const label of used) {
    const { name, color } = label
    const id = byLook.get(lookOf(label)) ?? nextId()
    if (!byLook.has(lookOf(label))) yield* insertLabel(target, { id, name, color })
    byLook.set(lookOf(label), id)
    yield* query(
      `insert into card_labels (card, label, board)
       select card, ?, ? from card_labels where label = ? and card in (${cards.sql})
       on conflict (card, label) do nothing`,
      ...[id, target, label.id, ...cards.args]
    )
  }
  yield* query(
    `delete from card_labels where board = ? and card in (${cards.sql})`,
    ...[source, ...cards.args]
  )
}

function lookOf({ name, color }: Pick<LabelRow, 'name' | 'color'>): string {
  return JSON.stringify([name, color])
}

interface NamedItem extends ItemRow {
  field_name: string
  type: FieldType
  option_text: string | null
}

interface NamedField {
  id: string
  name: string
  type: FieldType
  option: string | null
  option_text: string | null
}

function* moveItems({ target }: BoardMove, cards: Condition): Transaction<void> {
  const items = yield* query<NamedItem>(
    `select i.*, f.name as field_name, f.type, o.text as option_text
     from items i join fields f on f.id = i.field left join options o on o.id = i.option
     where i.card in (${cards.sql}) order by i.id`,
    ...cards.args
  )
  if (items.length === 0) return
  const fields = yield* query<NamedField>(
    `select f.id, f.name, f.type, o.id as option, o.text as option_text
     from fields f left join options o on o.field = f.id where f.board = ?
     order by f.pos, f.id, o.pos, o.id`,
    target
  )
  yield* query(`delete from items where card in (${cards.sql})`, ...cards.args)
  const taken = new Set<string>()
  for (const item of items) {
    const field = fields.find((one) => isSameField(one, item))
    const key = `${item.card} ${field?.id}`
    if (field === undefined || taken.has(key)) continue
    taken.add(key)
    const { id, card, value } = item
    yield* insertRow('items', {
      id,
      board: target,
      card,
      field: field.id,
      value,
      option: optionOf(field, item)
    })
  }
}

function isSameField(field: NamedField, item: NamedItem): boolean {
  if (field.name !== item.field_name || field.type !== item.type) return false
  return item.option === null || field.option_text === item.option_text
}

function optionOf({ option }: NamedField, item: NamedItem): string | null {
  return item.option === null ? null : option
}

function* moveActions({ source, target }: BoardMove, cards: Condition): Transaction<void> {
  const [row] = yield* query<{ count: number }>(
    `select count(*) as count from actions where type <> '${COMMENT}' and card in (${cards.sql})`,
    ...cards.args
  )
  const count = row?.count ?? 0
  yield* query(
    `update actions set board = ? where card in (${cards.sql})`,
    ...[target, ...cards.args]
  )
  yield* query('update boards set action_count = action_count - ? where id = ?', count, source)
  yield* query('update boards set action_count = action_count + ? where id = ?', count, target)
}
