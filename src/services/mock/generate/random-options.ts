import { isObject } from '../../../kernel/json.ts'
import { hasLocale } from './faker.ts'

/** How dynamic bodies are made; names as in `x-json-schema-faker`. */
export interface RandomOptions {
  /** True adds properties that a schema merely permits; false adds none, not even described ones. */
  fillProperties?: boolean
  /** The share of optional properties that a body has; without it, all of them. */
  optionalsProbability?: number | false
  alwaysFakeOptionals?: boolean
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  /** Below this depth optional objects and lists are left out. */
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

/** Reads the document's `x-json-schema-faker`, in camel or kebab case; names what it cannot use. */
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
