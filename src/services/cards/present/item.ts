import type { ItemRow } from '../store/rows.ts'

/** Items of lists have no `value`: a parser of Trello's clients rejects null. */
export function presentItem({ id, card, field, value, option }: ItemRow): Record<string, unknown> {
  return {
    id,
    ...(value !== null && { value: JSON.parse(value) }),
    ...(option !== null && { idValue: option }),
    idCustomField: field,
    idModel: card,
    modelType: 'card'
  }
}
