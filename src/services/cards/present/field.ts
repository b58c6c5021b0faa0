import type { FieldRow, OptionRow } from '../store/rows.ts'

/** Options of a field, and fields of a board. */
export const MAX_OPTIONS = 50

export interface FieldParts {
  field: FieldRow
  /** In their order. */
  options: readonly OptionRow[]
}

/** A custom field of Trello's API; only lists have options. */
export function presentField({ field, options }: FieldParts): Record<string, unknown> {
  return {
    id: field.id,
    idModel: field.board,
    modelType: 'board',
    fieldGroup: field.field_group,
    display: { cardFront: field.card_front === 1 },
    name: field.name,
    pos: field.pos,
    ...(field.type === 'list' && { options: options.map(presentOption) }),
    type: field.type,
    isSuggestedField: false,
    limits: {
      customFieldOptions: {
        perField: { status: 'ok', disableAt: MAX_OPTIONS, warnAt: MAX_OPTIONS - 5 }
      }
    }
  }
}

/** Trello names the id `_id` in lists of options and `id` elsewhere. */
export function presentOption({ id, field, text, color, pos }: OptionRow): Record<string, unknown> {
  return { id, _id: id, idCustomField: field, value: { text }, color, pos }
}
