import { isObject, type Json, memberOf, without } from '../document/json.ts'
import { indexOf, withMember } from './member.ts'

type Tokens = readonly string[]

/** Selects every item of an array; in an object it is an ordinary name. */
export const EVERY = '*'

/** Only the values at the pointers; arrays keep their length if every item is selected. */
export function pick(value: Json, pointers: readonly Tokens[]): Json {
  if (pointers.some((tokens) => tokens.length === 0)) return value
  if (Array.isArray(value)) {
    const isEvery = pointers.some(([first]) => first === EVERY)
    return value.flatMap((item, index) => {
      const own = below(pointers, (token) => token === EVERY || token === String(index))
      return own.length > 0 || isEvery ? [pick(item, own)] : []
    })
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const own = below(pointers, (token) => token === name)
      return own.length === 0 ? [] : [[name, pick(member, own)]]
    })
  )
}

function below(pointers: readonly Tokens[], fits: (token: string) => boolean): Tokens[] {
  return pointers.filter(([first = '']) => fits(first)).map((tokens) => tokens.slice(1))
}

/** The value without the part that the pointer selects; unchanged if there is none. */
export function omit(value: Json, tokens: Tokens): Json {
  const [first, ...rest] = tokens
  if (first === undefined) return null
  if (Array.isArray(value)) {
    if (first === EVERY) return rest.length === 0 ? [] : value.map((item) => omit(item, rest))
    const index = indexOf(first, value.length)
    if (index === undefined) return value
    return rest.length === 0
      ? value.toSpliced(index, 1)
      : value.with(index, omit(value[index] as Json, rest))
  }
  const member = memberOf(value, first)
  if (member === undefined || !isObject(value)) return value
  return rest.length === 0 ? without(value, first) : withMember(value, first, omit(member, rest))
}
