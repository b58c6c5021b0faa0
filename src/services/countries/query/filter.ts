import { badInput } from '../engine/errors.ts'
import type { Country } from '../world/world.ts'
import { compileGlob, compileRegex, type Matches } from './pattern.ts'

export interface Operators {
  eq?: string | null
  ne?: string | null
  in?: readonly string[] | null
  nin?: readonly string[] | null
  regex?: string | null
  glob?: string | null
}

export interface CountryFilter extends Partial<Record<CountryField, Operators | null>> {
  and?: readonly CountryFilter[] | null
  or?: readonly CountryFilter[] | null
  not?: CountryFilter | null
}

const COUNTRY_VALUES = {
  code: ({ code }: Country) => [code],
  name: ({ name }: Country) => [name],
  native: ({ native }: Country) => [native],
  capital: ({ capital }: Country) => (capital === null ? [] : [capital]),
  currency: ({ currencies }: Country) => currencies,
  phone: ({ phones }: Country) => phones,
  continent: ({ continent }: Country) => [continent.code],
  languages: ({ languages }: Country) => languages.map(({ code }) => code)
}
type CountryField = keyof typeof COUNTRY_VALUES

export const MAX_CONDITIONS = 100
export const MAX_REGEXES = 10

/** Conditions and regexes used so far by all filters of one request. */
export interface FilterBudget {
  conditions: number
  regexes: number
}

type Condition = (values: readonly string[]) => boolean
export type Predicate<T> = (thing: T) => boolean

export function compileCountryFilter(
  filter: CountryFilter | null | undefined,
  spent: FilterBudget
): Predicate<Country> {
  const { and, or, not, ...fields } = filter ?? {}
  spend(spent, 'conditions', MAX_CONDITIONS)
  const parts: Predicate<Country>[] = Object.entries(fields).map(([field, operators]) => {
    const values = COUNTRY_VALUES[field as CountryField]
    const condition = compileOperators(operators, spent)
    return (country) => condition(values(country))
  })
  const compile = (one: CountryFilter) => compileCountryFilter(one, spent)
  if (and) parts.push(...and.map(compile))
  if (or) {
    const some = or.map(compile)
    parts.push((country) => some.some((part) => part(country)))
  }
  if (not) {
    const part = compile(not)
    parts.push((country) => !part(country))
  }
  return (country) => parts.every((part) => part(country))
}

/** All operators must match; missing and null operators are ignored. */
export function compileOperators(
  operators: Operators | null | undefined,
  spent: FilterBudget
): Condition {
  const { eq, ne, in: among, nin, regex, glob } = operators ?? {}
  const conditions: Condition[] = []
  if (typeof eq === 'string') conditions.push((values) => values.includes(eq))
  if (typeof ne === 'string') conditions.push((values) => !values.includes(ne))
  if (among) conditions.push(someOf(among))
  if (nin) conditions.push(negate(someOf(nin)))
  if (typeof regex === 'string') {
    spend(spent, 'regexes', MAX_REGEXES)
    conditions.push(someMatch(compileRegex(regex)))
  }
  if (typeof glob === 'string') conditions.push(someMatch(compileGlob(glob)))
  for (const _ of conditions) spend(spent, 'conditions', MAX_CONDITIONS)
  return (values) => conditions.every((condition) => condition(values))
}

function someOf(wanted: readonly string[]): Condition {
  const set = new Set(wanted)
  return (values) => values.some((value) => set.has(value))
}

function someMatch(matches: Matches): Condition {
  return (values) => values.some(matches)
}

function negate(condition: Condition): Condition {
  return (values) => !condition(values)
}

function spend(spent: FilterBudget, what: keyof FilterBudget, most: number): void {
  spent[what]++
  if (spent[what] > most)
    throw badInput(`The filters of a request may have at most ${most} ${what}`)
}
