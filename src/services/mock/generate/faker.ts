import { createRequire } from 'node:module'
import type { Faker } from '@faker-js/faker'
import { isObject } from '../../../kernel/json.ts'
import { currentName } from './faker-aliases.ts'
import { NOTHING, type Value } from './value.ts'

/** Date methods count from here, so that a seed gives the same dates every day. */
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
  faker.setDefaultRefDate(REFERENCE_DATE)
  return faker
}

/**
 * Calls the method of an `x-faker`: `module.method`, or an object with that name and the arguments.
 * Returns NOTHING if the method is unknown or throws.
 */
export function fake(wish: unknown, seed: number, locale?: string): Value {
  const faker = findFaker(locale) ?? findFaker()
  const call = readWish(wish)
  if (faker === undefined || call === undefined) return NOTHING
  const method = findMethod(faker, currentName(call.name))
  if (method === undefined) return NOTHING
  faker.seed(seed)
  try {
    return asJson(method(...call.args))
  } catch (error) {
    if (error instanceof Error) return NOTHING
    throw error
  }
}

/** Whether `fake` would find the method. */
export function hasFakerMethod(name: string): boolean {
  const faker = findFaker()
  return faker !== undefined && findMethod(faker, currentName(name)) !== undefined
}

function readWish(wish: unknown): { name: string; args: unknown[] } | undefined {
  if (typeof wish === 'string') return { name: wish, args: [] }
  if (!isObject(wish)) return undefined
  const [entry, ...others] = Object.entries(wish)
  if (entry === undefined || others.length > 0) return undefined
  return { name: entry[0], args: Array.isArray(entry[1]) ? entry[1] : [entry[1]] }
}

/** Only modules that generate data, so that a document has no access to `seed` or a constructor. */
function findMethod(faker: Faker, name: string): ((...args: unknown[]) => unknown) | undefined {
  const [module = '', method = '', ...rest] = name.split('.')
  if (rest.length > 0 || !Object.hasOwn(faker, module) || module.startsWith('_')) return undefined
  const holder: unknown = faker[module as keyof Faker]
  if (typeof holder !== 'object' || holder === null || module === 'definitions') return undefined
  if (method === 'constructor' || method.startsWith('_') || module === 'helpers') return undefined
  if (Object.hasOwn(Object.prototype, method)) return undefined
  const found: unknown = Reflect.get(holder, method)
  return typeof found === 'function' ? (...args) => Reflect.apply(found, holder, args) : undefined
}

function asJson(value: unknown): Value {
  if (value === undefined || typeof value === 'function') return NOTHING
  if (typeof value === 'bigint') return Number(value)
  const text = JSON.stringify(value)
  return text === undefined || text.length > MAX_JSON_LENGTH ? NOTHING : JSON.parse(text)
}
