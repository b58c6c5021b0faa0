import { isObject } from '../../kernel/json.ts'
import type { Parameter } from './model/api.ts'
import type { ServedApi } from './served-api.ts'

/** Values to try if a schema allows nothing else that can be seen in a URL. */
const SUBSTITUTES = ['string', 1, true, ['string'], [1], { property1: 'string' }]

/**
 * Value of a parameter for an example URL: the first example that matches the schema, otherwise a
 * generated one. A value that a URL cannot show, such as null or an empty array, is avoided.
 */
export function exampleValue(served: ServedApi, parameter: Parameter): unknown {
  const { schema, content, examples } = parameter
  const values = [...examples, ...(content?.examples ?? [])].map(({ value }) => value)
  const pointer = schema ?? content?.schema
  if (pointer === undefined) return values.find((value) => !isInvisible(value))
  const fits = (value: unknown) => isAccepted(served, pointer, value)
  const example = values.find((value) => !isInvisible(value) && fits(value))
  if (example !== undefined) return simplify(parameter, example, fits)
  const generated = served.generator.sampleValue(`#${pointer}`)
  const value = generated.ok ? generated.value : undefined
  if (!isInvisible(value)) return simplify(parameter, value, fits)
  return SUBSTITUTES.find(fits) ?? value
}

/** Parameters are strings at first, so a value is also accepted if it can be converted. */
function isAccepted({ generator, schemas }: ServedApi, pointer: string, value: unknown): boolean {
  const location = `#${pointer}`
  if (generator.isSurelyValid(location, 'request', value)) return true
  const found = schemas.find(location, 'request')
  if (!found.ok || found.compiled.validate(value).length === 0) return true
  const coerced = found.compiled.coerce(structuredClone(value))
  // The validator also converts a single value to an array, which an author does not mean.
  return coerced.violations.length === 0 && Array.isArray(coerced.value) === Array.isArray(value)
}

function isInvisible(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Leaves out members that have no representation in the style, if the schema allows that. */
function simplify(
  { style, content }: Parameter,
  value: unknown,
  fits: (value: unknown) => boolean
): unknown {
  if (!isObject(value) || style === 'deepObject' || content !== undefined) return value
  const members = Object.entries(value)
  const flat = members.filter(([, member]) => typeof member !== 'object')
  if (flat.length === members.length || flat.length === 0) return value
  const simple = Object.fromEntries(flat)
  return fits(simple) ? simple : value
}
