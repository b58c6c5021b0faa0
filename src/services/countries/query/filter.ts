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
  if (filter === null) return matchesNothing
  const { and, or, not, ...fields } = filter ?? {}
  spend(spent, 'conditions', MAX_CONDITIONS)
  const parts: Predicate<Country>[] = Object.entries(fields).map(([field, operators]) => {
    const values = COUNTRY_VALUES[field as CountryField]
    const condition = compileOperators(operators, spent)
    return (country) => condition(values(country))
  })
  const compile = (one: CountryFilter) => compileCountryFilter(one, spent)
  if (and === null || or === null) parts.push(matchesNothing)
  if (and) parts.push(...and.map(compile))
  if (or) {
    const some = or.map(compile)
    parts.push((country) => some.some((part) => part(country)))
  }
  if (not !== undefined) {
    const part = compileCountryFilter(not, spent)
    parts.push((country) => !part(country))
  }
  return (country) => parts.every((part) => part(country))
}

/**
 * All operators must match. As on countries.trevorblades.com, null equals no value, and an object
 * without operators, which is left if a variable is missing, matches nothing.
 */
export function compileOperators(
  operators: Operators | null | undefined,
  spent: FilterBudget
): Condition {
  if (operators === undefined) return () => true
  const conditions = Object.entries(operators ?? {}).map(([name, operand]) => {
    spend(spent, 'conditions', MAX_CONDITIONS)
    return compileOperator(name as keyof Operators, operand, spent)
  })
  if (conditions.length === 0) return matchesNothing
  return (values) => conditions.every((condition) => condition(values))
}

function compileOperator(
  name: keyof Operators,
  operand: string | readonly string[] | null,
  spent: FilterBudget
): Condition {
  const isNegative = name === 'ne' || name === 'nin'
  const condition = operand === null ? matchesNothing : compilePositive(name, operand, spent)
  return isNegative ? negate(condition) : condition
}

function compilePositive(
  name: keyof Operators,
  operand: string | readonly string[],
  spent: FilterBudget
): Condition {
  if (typeof operand !== 'string') return someOf(operand)
  if (name === 'glob') return someMatch(compileGlob(operand))
  if (name !== 'regex') return (values) => values.includes(operand)
  spend(spent, 'regexes', MAX_REGEXES)
  return someMatch(compileRegex(operand))
}

function matchesNothing(): boolean {
  return false
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
