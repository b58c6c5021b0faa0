import { readFileSync } from 'node:fs'

export interface Person {
  readonly id: number
  readonly email: string
  readonly first_name: string
  readonly last_name: string
}

export interface Colour {
  readonly id: number
  readonly name: string
  readonly year: number
  readonly color: string
  readonly pantone_value: string
}

/** The relative path is the same from the sources and from the compiled package. */
function load<T>(file: string): readonly T[] {
  const url = new URL(`../../../../data/scenarios/${file}`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8'))
}

export const PEOPLE = load<Person>('people.json')
export const COLOURS = load<Colour>('colours.json')

/** Highest id of the samples; the first record of a workspace gets the next one. */
export const LAST_SAMPLE_ID = PEOPLE.length

const TOKEN_START = 'QpwL5tke4Pnpja7X'

/** ReqRes clients compare these fixed tokens; they give access to sample data only. */
export function sampleToken(id: number): string {
  return `${TOKEN_START}${id}`
}

export function samplePersonOf(token: string): Person | undefined {
  if (!token.startsWith(TOKEN_START)) return undefined
  const id = token.slice(TOKEN_START.length)
  return PEOPLE.find((person) => String(person.id) === id)
}

export type Role = 'admin' | 'editor' | 'user'

/** Shown at `/api/me` and in tokens only, because the lists of ReqRes have no roles. */
export function roleOf(id: number): Role {
  if (id === 1) return 'admin'
  return id === 2 || id === 3 ? 'editor' : 'user'
}

/** Collection whose samples are people; the samples of all others are colours. */
export const USERS = 'users'

export type Fixture = Person | Colour

export function fixturesOf(collection: string): readonly Fixture[] {
  return collection === USERS ? PEOPLE : COLOURS
}
