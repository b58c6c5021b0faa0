import { isObject } from '../../../kernel/json.ts'
import { hasLocale } from './faker.ts'

/** Options of random generation; names as in `x-json-schema-faker`. */
export interface RandomOptions {
  /** True also adds properties that no schema describes; false adds no additional properties. */
  fillProperties?: boolean
  /** Share of optional properties in a body; all of them by default. */
  optionalsProbability?: number | false
  alwaysFakeOptionals?: boolean
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  /** Optional objects and arrays below this depth are left out. */
  maxDepth?: number
  useExamplesValue?: boolean
  useDefaultValue?: boolean
  /** A locale of Faker, such as `de` or `pt_BR`. */
  locale?: string
}

const KINDS: Readonly<Record<keyof RandomOptions, readonly string[]>> = {
  fillProperties: ['boolean'],
  optionalsProbability: ['number', 'boolean'],
  alwaysFakeOptionals: ['boolean'],
  minItems: ['number'],
  maxItems: ['number'],
  minLength: ['number'],
  maxLength: ['number'],
  maxDepth: ['number'],
  useExamplesValue: ['boolean'],
  useDefaultValue: ['boolean'],
  locale: ['string']
}

/** Reads `x-json-schema-faker` of the document, in camel or kebab case; returns unusable names. */
export function readRandomOptions(extension: unknown): {
  options: RandomOptions
  unknown: string[]
} {
  const options: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const [key, value] of Object.entries(isObject(extension) ? extension : {})) {
    const name = key.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const kinds = Object.hasOwn(KINDS, name) ? KINDS[name as keyof RandomOptions] : []
    const isKnown = name !== 'locale' || hasLocale(String(value))
    if (kinds.includes(typeof value) && isKnown) options[name] = value
    else unknown.push(key)
  }
  return { options, unknown }
}
