import type { Json } from '../../../kernel/json.ts'
import { SYSTEM_FIELDS } from '../contract.ts'
import { dateFilter } from './dates.ts'
import { invalidQuery } from './errors.ts'
import type { Comparison, Filter, Path, SystemDate, SystemField, Test } from './filter.ts'

/** The system field of a path; records cannot have these names at the top level. */
export function systemFieldOf(path: Path): SystemField | undefined {
  const [name = ''] = path
  return path.length === 1 && isSystemField(name) ? name : undefined
}

function isSystemField(name: string): name is SystemField {
  return (SYSTEM_FIELDS as readonly string[]).includes(name)
}

export function isSystemDate(field: SystemField): field is SystemDate {
  return field === '_createdOn' || field === '_updatedOn'
}

/** A filter that tests a path of the record. */
export function createLeaf(path: Path, test: Test): Filter {
  const field = systemFieldOf(path)
  if (field === undefined) return { kind: 'member', path, test }
  return isSystemDate(field) ? createDateLeaf(field, test) : { kind: 'system', field, test }
}

/** Dates are compared as dates; operators for parts of strings use the ISO string. */
function createDateLeaf(field: SystemDate, test: Test): Filter {
  switch (test.op) {
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return compareDate(field, test.op, test.value)
    case 'equals':
      return compareDate(field, 'eq', test.text)
    case 'in':
      return { kind: 'or', filters: test.values.map((value) => compareDate(field, 'eq', value)) }
    default:
      return { kind: 'system', field, test }
  }
}

function compareDate(field: SystemDate, op: Comparison | 'eq', value: Json): Filter {
  const filter = typeof value === 'string' ? dateFilter(field, op, value) : undefined
  if (filter === undefined) throw invalidQuery(`${field} must be compared with an ISO date`)
  return filter
}
