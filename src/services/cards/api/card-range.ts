import { ValueInvalid } from '../contract.ts'
import type { Input } from '../http/input.ts'
import { isObjectId } from '../records/ids.ts'
import { parseTime } from '../records/parse-time.ts'
import { dateValue, numberValue, textValue } from './values.ts'

type Sent = Pick<Input, 'values'>

/** `since` or `before`: an id, or a time, which becomes the first id of that second. */
export function idBound(input: Sent, name: string): string | undefined {
  const text = textValue(input, name)
  if (text === undefined || text === '' || text === 'null') return undefined
  if (isObjectId(text)) return text.toLowerCase()
  const time = parseTime(text)
  if (time === undefined) throw new ValueInvalid(name)
  const seconds = Math.min(Math.max(Math.floor(time / 1000), 0), 0xffffffff)
  return seconds.toString(16).padStart(8, '0') + '0'.repeat(16)
}

/** `limit`, `since`, `before` and `modifiedSince`. */
export function readRange(input: Sent): {
  limit: number | undefined
  since: string | undefined
  before: string | undefined
  modifiedSince: string | undefined
} {
  return {
    limit: numberValue(input, 'limit', { min: 0, max: 1000 }),
    since: idBound(input, 'since'),
    before: idBound(input, 'before'),
    modifiedSince: dateValue(input, 'modifiedSince') ?? undefined
  }
}
