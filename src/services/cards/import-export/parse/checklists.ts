import type { ImportedChecklist } from '../imported.ts'
import { MAX_CHECK_ITEMS, MAX_CHECKLISTS, TEXT_LIMITS } from '../limits.ts'
import type { ParseContext } from './context.ts'
import { parseObjects } from './objects.ts'
import { posOf, textOf, timeOf } from './values.ts'

const STEP = 16_384
const max = TEXT_LIMITS.name

export function parseChecklists(value: unknown, context: ParseContext): ImportedChecklist[] {
  return [
    ...parseObjects<ImportedChecklist>(
      value,
      {
        what: 'checklists',
        max: MAX_CHECKLISTS,
        parse(object, id, index) {
          const name = textOf(object.name, { what: 'names of checklists', max, id }, context)
          if (name === undefined) return { rejected: 'without a name' }
          const pos = posOf(object.pos) ?? STEP * (index + 1)
          return { id, name, pos, items: parseCheckItems(object.checkItems, context) }
        }
      },
      context
    )
  ]
}

function parseCheckItems(value: unknown, context: ParseContext): ImportedChecklist['items'] {
  return [
    ...parseObjects<ImportedChecklist['items'][number]>(
      value,
      {
        what: 'items of checklists',
        max: MAX_CHECK_ITEMS,
        parse(object, id, index) {
          const name = textOf(object.name, { what: 'items of checklists', max, id }, context)
          if (name === undefined) return { rejected: 'without a name' }
          return {
            ...{ id, name, isComplete: object.state === 'complete' },
            pos: posOf(object.pos) ?? STEP * (index + 1),
            due: timeOf(object.due) ?? null
          }
        }
      },
      context
    )
  ]
}
