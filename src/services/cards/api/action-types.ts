import { ValueInvalid } from '../contract.ts'
import type { Input } from '../http/input.ts'
import { namesOf } from './values.ts'

/** Each is a condition of the statement; SQLite has a limit for these. */
const MAX_TYPES = 500

/** Types of actions that a parameter names, such as `updateCard:closed`; undefined means all. */
export function actionTypes({ values }: Pick<Input, 'values'>, name: string): string[] | undefined {
  const value = values.get(name)
  if (value === null || (typeof value !== 'string' && !Array.isArray(value))) return undefined
  const types = [...new Set(namesOf(value))]
  if (namesOf(value) === undefined || types.length > MAX_TYPES) throw new ValueInvalid(name)
  return types.includes('all') || types.includes('true') ? undefined : types
}
