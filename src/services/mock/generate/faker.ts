import { createRequire } from 'node:module'
import type { Faker } from '@faker-js/faker'
import { isObject } from '../../../kernel/json.ts'
import { currentName } from './faker-aliases.ts'
import { currentArguments, isPhoneFormat } from './faker-arguments.ts'
import { NOTHING, type Value } from './value.ts'

/** With a seed, date methods count from here, so that it gives the same dates every day. */
export const REFERENCE_DATE = '2026-01-01T00:00:00.000Z'
const LOCALE = /^[a-z]{2,3}(_[A-Za-z]+)*$/
const MAX_JSON_LENGTH = 100_000
const UNKNOWN = new Set<string | undefined>(['ERR_PACKAGE_PATH_NOT_EXPORTED', 'MODULE_NOT_FOUND'])

const require = createRequire(import.meta.url)
const loaded = new Map<string, Faker | undefined>()

/** Faker in one locale; loading all locales takes a third of a second. */
export function findFaker(locale = 'en'): Faker | undefined {
  if (!loaded.has(locale)) loaded.set(locale, load(locale))
  return loaded.get(locale)
}

/** Whether Faker has a locale of this name. */
export function hasLocale(locale: string): boolean {
  if (!LOCALE.test(locale)) return false
  try {
    require.resolve(`@faker-js/faker/locale/${locale}`)
    return true
  } catch (error) {
    if (UNKNOWN.has((error as NodeJS.ErrnoException).code)) return false
    throw error
  }
}

function load(locale: string): Faker | undefined {
  if (!hasLocale(locale)) return undefined
  const { faker }: { faker: Faker } = require(`@faker-js/faker/locale/${locale}`)
  return faker
}

export interface FakeOptions {
  locale?: string | undefined
  /** Whether dates count from now instead of from `REFERENCE_DATE`. */
  datesFromNow?: boolean | undefined
}

type Call = { method: FakerMethod; args: unknown[] }
type FakerMethod = (...args: unknown[]) => unknown

/**
 * Calls the method of an `x-faker`: `module.method`, or an object with that name and the arguments.
 * Returns NOTHING if the method is unknown or throws.
 */
export function fake(wish: unknown, seed: number, options: FakeOptions = {}): Value {
  const faker = fakerFor(options)
  const call = faker && findCall(faker, wish)
  if (faker === undefined || call === undefined || typeof call === 'string') return NOTHING
  faker.seed(seed)
  faker.setDefaultRefDate(options.datesFromNow === true ? undefined : REFERENCE_DATE)
  try {
    return asJson(call.method(...call.args))
  } catch (error) {
    if (error instanceof Error) return NOTHING
    throw error
  }
}

/** Why `fake` ignores an `x-faker`; undefined if it gives a value. */
export function explainWish(wish: unknown, options: FakeOptions = {}): string | undefined {
  const faker = fakerFor(options)
  const call = faker && findCall(faker, wish)
  if (typeof call === 'string') return call
  return fake(wish, 1, options) === NOTHING ? 'these arguments give no value' : undefined
}

/** Whether `fake` would find the method. */
export function hasFakerMethod(name: string): boolean {
  const faker = findFaker()
  return faker !== undefined && typeof findCall(faker, name) !== 'string'
}

function fakerFor({ locale }: FakeOptions): Faker | undefined {
  return findFaker(locale) ?? findFaker()
}

/** The method with its arguments, or the reason why it cannot be called. */
function findCall(faker: Faker, wish: unknown): Call | string {
  const { name, args } = readWish(wish) ?? {}
  if (name === undefined || args === undefined) {
    return 'must be the name of a method, such as person.firstName, or an object with one such name'
  }
  const current = isPhoneFormat(name, args) ? 'helpers.replaceSymbols' : currentName(name)
  const method = findMethod(faker, current)
  if (method === undefined) return `Faker has no method ${name}`
  if (current.startsWith('helpers.') && args.length === 0) return `${name} needs an argument`
  const given = currentArguments(current, args)
  return isModest(current, given) ? { method, args: given } : 'an argument is too large'
}

function readWish(wish: unknown): { name: string; args: unknown[] } | undefined {
  if (typeof wish === 'string') return { name: wish, args: [] }
  if (!isObject(wish)) return undefined
  const [entry, ...others] = Object.entries(wish)
  if (entry === undefined || others.length > 0) return undefined
  return { name: entry[0], args: Array.isArray(entry[1]) ? entry[1] : [entry[1]] }
}

/** Helpers that only compute a value from their arguments. */
const HELPERS = [
  'arrayElement',
  'arrayElements',
  'fromRegExp',
  'objectKey',
  'objectValue',
  'rangeToNumber',
  'replaceCreditCardSymbols',
  'replaceSymbols',
  'shuffle',
  'slugify',
  'weightedArrayElement'
]

/** Only modules that generate data, so that a document has no access to `seed` or a constructor. */
function findMethod(faker: Faker, name: string): FakerMethod | undefined {
  if (name === 'helpers.fake') return (text) => fillNames(faker, String(text))
  const [module = '', method = '', ...rest] = name.split('.')
  if (rest.length > 0 || !Object.hasOwn(faker, module) || module.startsWith('_')) return undefined
  const holder: unknown = faker[module as keyof Faker]
  if (typeof holder !== 'object' || holder === null || module === 'definitions') return undefined
  if (method === 'constructor' || method.startsWith('_')) return undefined
  if (module === 'helpers' && !HELPERS.includes(method)) return undefined
  if (Object.hasOwn(Object.prototype, method)) return undefined
  const found: unknown = Reflect.get(holder, method)
  return typeof found === 'function' ? (...args) => Reflect.apply(found, holder, args) : undefined
}

/** `{{person.firstName}} of {{location.city}}`: only names, because Faker's own would run more. */
function fillNames(faker: Faker, text: string): string {
  return text.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => {
    const method = name === 'helpers.fake' ? undefined : findMethod(faker, currentName(name))
    if (method === undefined) throw new Error(`Faker has no method ${name}`)
    return String(method())
  })
}

/** Modules whose methods take lengths or counts, for which Faker has no limit. */
const COUNTING = ['hacker', 'internet', 'lorem', 'string', 'word']
const MAX_COUNT = 10_000
const MAX_REPETITIONS = 1000

/** Whether the arguments let Faker finish soon. */
function isModest(name: string, args: readonly unknown[]): boolean {
  if (name === 'helpers.fromRegExp') {
    const counts = [...JSON.stringify(args).matchAll(/\{(?:\d+,)?(\d+)/g)].map(([, one]) =>
      Number(one)
    )
    return counts.reduce((product, count) => product * Math.max(count, 1), 1) <= MAX_REPETITIONS
  }
  const isCounting = COUNTING.includes(name.slice(0, name.indexOf('.')))
  const numbers = args.flatMap((one) => {
    if (!isObject(one)) return isCounting ? [one] : []
    return [one.length, one.count, isCounting ? one.max : undefined]
  })
  return numbers.every((one) => {
    const most = isObject(one) ? one.max : one
    return typeof most !== 'number' || most <= MAX_COUNT
  })
}

function asJson(value: unknown): Value {
  if (value === undefined || typeof value === 'function') return NOTHING
  if (typeof value === 'bigint') return Number(value)
  const text = JSON.stringify(value)
  return text === undefined || text.length > MAX_JSON_LENGTH ? NOTHING : JSON.parse(text)
}
