import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ObjectUnknown, ValueInvalid } from '../contract.ts'
import { type ItemValue, parseItem, type SentItem } from '../records/item-value.ts'
import { addCardAction } from './card-actions.ts'
import { afterCardChange, isPublicCard } from './card-change.ts'
import type { Editor } from './editor.ts'
import { findCard, findField, findOption } from './find.ts'
import type { CardRow, FieldRow, ItemRow } from './rows.ts'

export interface ItemChange extends SentItem {
  field: string
}

/** Sets or removes items of custom fields of the card's board; returns those that are left. */
export function* changeItems(
  idOrLink: string,
  changes: readonly ItemChange[],
  editor: Editor
): Transaction<ItemRow[]> {
  const { viewer, time } = editor
  const card = yield* findCard(viewer, idOrLink)
  const wasPublic = yield* isPublicCard(card)
  const items = yield* setItems(card, changes, editor)
  if (changes.length > 0) yield* afterCardChange(card.id, time, { wasPublic })
  return items
}

/** The rows and actions; the caller ends the change with `afterCardChange`. */
export function* setItems(
  card: CardRow,
  changes: readonly ItemChange[],
  editor: Editor
): Transaction<ItemRow[]> {
  const items: ItemRow[] = []
  for (const change of changes) {
    const field = yield* findField(editor.viewer, change.field)
    if (field.board !== card.board) throw new ObjectUnknown()
    const value = parseItem(field.type, change)
    if (value === 'invalid') throw new ValueInvalid('value')
    const item = yield* setItem(card, field, value, editor)
    if (item !== undefined) items.push(item)
  }
  return items
}

function* setItem(
  card: CardRow,
  field: FieldRow,
  wanted: ItemValue,
  editor: Editor
): Transaction<ItemRow | undefined> {
  const value = yield* checkOption(field, wanted, editor)
  const [before] = yield* query<ItemRow>(
    'select * from items where card = ? and field = ?',
    ...[card.id, field.id]
  )
  const after = value && {
    ...{ id: before?.id ?? editor.nextId(), board: card.board, card: card.id },
    ...{ field: field.id, ...value }
  }
  if (after === undefined) yield* query('delete from items where id = ?', before?.id ?? '')
  else if (before === undefined) yield* insertRow('items', after)
  else {
    const sql = 'update items set value = ?, option = ? where id = ?'
    yield* query(sql, after.value, after.option, after.id)
  }
  const data = { old: contentOf(before), ...actionData(field, after) }
  yield* addCardAction(card, 'updateCustomFieldItem', data, editor)
  return after
}

/** The option in lower case. */
function* checkOption(
  field: FieldRow,
  value: ItemValue,
  { viewer }: Editor
): Transaction<ItemValue> {
  if (value === undefined || value.option === null) return value
  const option = yield* findOption(viewer, value.option)
  if (option.field !== field.id) throw new ObjectUnknown()
  return { value: null, option: option.id }
}

function contentOf(item: ItemRow | undefined): object {
  const value = item === undefined || item.value === null ? null : JSON.parse(item.value)
  return { value, ...(item !== undefined && item.option !== null && { idValue: item.option }) }
}

function actionData({ id, name, type }: FieldRow, item: ItemRow | undefined): object {
  return {
    customField: { id, name, type },
    ...(item && { customFieldItem: { id: item.id, ...contentOf(item) } })
  }
}
