import type { ImportedField, ImportedItem } from '../imported.ts'
import { TEXT_LIMITS } from '../limits.ts'
import type { ParseContext } from './context.ts'
import { parseObjects } from './objects.ts'
import { idOf, type JsonObject, objectOf, textOf, timeOf } from './values.ts'

/** As Trello prints numbers. */
const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i

/** Values of custom fields, each field once. `fields` are those of the board, by their new ids. */
export function parseItems(
  value: unknown,
  fields: ReadonlyMap<string, ImportedField>,
  context: ParseContext
): ImportedItem[] {
  const used = new Set<string>()
  return [
    ...parseObjects<ImportedItem>(
      value,
      {
        what: 'values of custom fields',
        parse(object, id) {
          const own = idOf(object.idCustomField)
          const field = own === undefined ? undefined : fields.get(context.idFor(own))
          if (field === undefined) return { rejected: 'of a field that the file has not' }
          if (used.has(field.id)) return { rejected: 'of a field that the card has twice' }
          const content = parseContent(object, field, context)
          if (content === undefined) return { rejected: `that are no ${field.type}` }
          used.add(field.id)
          return { id, field: field.id, ...content }
        }
      },
      context
    )
  ]
}

function parseContent(
  { id, idValue, value }: JsonObject,
  field: ImportedField,
  context: ParseContext
): Pick<ImportedItem, 'value' | 'option'> | undefined {
  const { text, number, date, checked } = objectOf(value)
  switch (field.type) {
    case 'list': {
      const own = idOf(idValue)
      const option = own === undefined ? undefined : context.idFor(own)
      return field.options.some((one) => one.id === option) ? { option: option ?? '' } : undefined
    }
    case 'text': {
      const rules = { what: 'values of custom fields', max: TEXT_LIMITS.value, id: String(id) }
      const known = textOf(text, rules, context)
      return known === undefined ? undefined : { value: { text: known } }
    }
    case 'number': {
      const digits = typeof number === 'number' ? String(number) : number
      return typeof digits === 'string' && NUMBER.test(digits)
        ? { value: { number: digits } }
        : undefined
    }
    case 'date': {
      const time = timeOf(date)
      return time === undefined ? undefined : { value: { date: time } }
    }
    case 'checkbox':
      return checked === 'true' || checked === true ? { value: { checked: 'true' } } : undefined
  }
}
