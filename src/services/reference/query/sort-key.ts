import type { Field } from '../contract.ts'
import type { Universe, Value } from '../dataset/universe.ts'
import { leadingNumber } from '../dataset/words.ts'
import { parseYear } from '../dataset/year.ts'

let collator: Intl.Collator | undefined

/** Created at the first comparison: loading its tables takes longer than the rest of a start. */
function findCollator(): Intl.Collator {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return collator
}

/** Key by which a value is compared; undefined for values such as `unknown` of a numeric field. */
export function sortKey(
  field: Field,
  value: Value | undefined,
  era: Universe['era']
): string | number | undefined {
  if (typeof value === 'number') return value
  const text = String(value)
  if (field.name === 'birth_year') return parseYear(text.toUpperCase(), era)
  if (field.kind === 'integer' || (field.kind === 'text' && field.numeric === true)) {
    return leadingNumber(text)
  }
  return text
}

export function compareValues(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return findCollator().compare(String(one), String(other))
}
