import { isObject } from '../../../kernel/json.ts'
import type { Part, Parts } from './parts.ts'
import { NOTHING } from './value.ts'
import type { GenerationContext, GenerationSite } from './work.ts'

interface FixedValues {
  values: readonly unknown[]
  /** Whether no other value can be valid. */
  closed: boolean
}

/** Values from the schemas themselves, in the order in which they are tried. */
export function fixedValues(
  { parts }: Parts,
  site: GenerationSite,
  work: GenerationContext
): FixedValues {
  const { options, style } = work
  const values: unknown[] = [...site.hints]
  const lists: (readonly unknown[])[] = []
  const withExamples = style === 'static' || options.useExamplesValue === true
  const withDefault = style === 'static' || options.useDefaultValue === true
  // An object in one of several schemas is an example of only some of the properties.
  const isFor = ({ whole }: Part, value: unknown) =>
    value !== undefined && (whole || !isObject(value))
  for (const part of parts) {
    if (withExamples && isFor(part, part.schema.example)) values.push(part.schema.example)
  }
  for (const part of parts) {
    const { schema } = part
    if (withDefault && isFor(part, schema.default)) values.push(schema.default)
    if (Object.hasOwn(schema, 'const')) lists.push([schema.const])
    if (schema.enum !== undefined) lists.push(schema.enum)
  }
  if (style === 'random') {
    for (const { schema } of parts) {
      const made = schema['x-faker'] === undefined ? NOTHING : work.fake(schema['x-faker'])
      if (made !== NOTHING) values.push(made, ...(isObject(made) ? [] : [String(made)]))
    }
  }
  const [shortest] = lists.sort((one, other) => one.length - other.length)
  if (shortest !== undefined) {
    values.push(...(style === 'random' ? work.chance.shuffle(shortest) : shortest))
    return { values, closed: true }
  }
  for (const { schema } of parts) {
    if (withExamples && Array.isArray(schema.examples)) values.push(...schema.examples)
  }
  return { values, closed: false }
}
