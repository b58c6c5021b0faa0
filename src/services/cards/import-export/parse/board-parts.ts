import { LABEL_COLORS } from '../../records/label-colors.ts'
import type { ImportedField, ImportedLabel, ImportedList } from '../imported.ts'
import { MAX_OPTIONS, MAX_PARTS, TEXT_LIMITS } from '../limits.ts'
import type { ParseContext } from './context.ts'
import { parseObjects } from './objects.ts'
import { choiceOf, objectOf, posOf, storable, textOf } from './values.ts'

const STEP = 65_536
const FIELD_TYPES = ['checkbox', 'list', 'number', 'text', 'date'] as const
const GROUP = /^[0-9a-f]{64}$/

export function parseLists(value: unknown, context: ParseContext): ImportedList[] {
  const rules = {
    what: 'lists',
    max: MAX_PARTS,
    parse: (object: Readonly<Record<string, unknown>>, id: string, index: number) => {
      const name = textOf(
        object.name,
        { what: 'names of lists', max: TEXT_LIMITS.name, id },
        context
      )
      if (name === undefined) return { rejected: 'without a name' }
      const role = choiceOf(objectOf(object.nonet).role, ['draft', 'published', 'archive'])
      return {
        ...{ id, name, isClosed: object.closed === true },
        pos: posOf(object.pos) ?? STEP * (index + 1),
        ...(role !== undefined && { role })
      }
    }
  }
  return [...parseObjects<ImportedList>(value, rules, context)]
}

export function parseLabels(value: unknown, context: ParseContext): ImportedLabel[] {
  return [
    ...parseObjects<ImportedLabel>(
      value,
      {
        what: 'labels',
        max: MAX_PARTS,
        parse(object, id) {
          const max = TEXT_LIMITS.label
          const name = textOf(object.name ?? '', { what: 'names of labels', max, id }, context)
          if (name === undefined) return { rejected: 'whose name is no text' }
          const color = choiceOf(object.color, LABEL_COLORS) ?? null
          if (color === null && typeof object.color === 'string') {
            context.adjusted.add('labels of an unknown colour, stored without one', id)
          }
          return { id, name, color }
        }
      },
      context
    )
  ]
}

export function parseFields(value: unknown, context: ParseContext): ImportedField[] {
  return [
    ...parseObjects<ImportedField>(
      value,
      {
        what: 'custom fields',
        max: MAX_PARTS,
        parse(object, id, index) {
          const max = TEXT_LIMITS.label
          const name = textOf(object.name, { what: 'names of fields', max, id }, context)
          const type = choiceOf(object.type, FIELD_TYPES)
          if (name === undefined) return { rejected: 'without a name' }
          if (type === undefined) return { rejected: 'of an unknown type' }
          const { fieldGroup } = object
          return {
            ...{ id, name, type },
            pos: posOf(object.pos) ?? STEP * (index + 1),
            cardFront: objectOf(object.display).cardFront === true,
            ...(typeof fieldGroup === 'string' && GROUP.test(fieldGroup) && { group: fieldGroup }),
            options: type === 'list' ? parseOptions(object.options, context) : []
          }
        }
      },
      context
    )
  ]
}

function parseOptions(value: unknown, context: ParseContext): ImportedField['options'] {
  return [
    ...parseObjects<ImportedField['options'][number]>(
      value,
      {
        what: 'options',
        max: MAX_OPTIONS,
        parse(object, id, index) {
          const max = TEXT_LIMITS.label
          const { text } = objectOf(object.value)
          const known = textOf(text, { what: 'texts of options', max, id }, context)
          if (known === undefined) return { rejected: 'without a text' }
          const { color } = object
          const isColor = typeof color === 'string' && /^[a-z_]{1,30}$/.test(color)
          return {
            ...{ id, text: known, color: isColor ? storable(color) : 'none' },
            pos: posOf(object.pos) ?? STEP * (index + 1)
          }
        }
      },
      context
    )
  ]
}
