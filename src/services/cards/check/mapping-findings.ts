import type { Finding } from '../../../kernel/service.ts'
import type { BoardRow, FieldRow } from '../store/rows.ts'

/** The fields of completion date and URL. */
export function* mappingFindings(board: BoardRow, fields: readonly FieldRow[]): Generator<Finding> {
  const where = `board ${board.slug}`
  const mapped = [
    { id: board.completed_field, type: 'date', what: 'completion date', property: 'completedAt' },
    { id: board.url_field, type: 'text', what: 'URL', property: 'url' }
  ]
  for (const { id, type, what, property } of mapped) {
    const field = fields.find((one) => one.id === id)
    if (id === null) {
      const text = `no custom field is the ${what}, so ${property} of all cards is null`
      yield { level: 'warning', where, text }
    } else if (field?.type !== type) {
      const text = `the custom field of the ${what} is gone or is no ${type}; choose another one with PATCH /content/${board.slug}`
      yield { level: 'error', where, text }
    }
  }
}
