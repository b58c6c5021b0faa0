import type { Field, TypeName } from '../contract.ts'
import { isNumeric } from '../dataset/words.ts'

/** `hair_color` → `Hair color`; `MGLT` stays. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Adds the unit and groups digits, on pages only. */
export function readable(field: Field, value: unknown): string {
  const text = String(value)
  if (field.kind !== 'text' || !isNumeric(text)) return text
  const number = Number(text).toLocaleString('en')
  if (field.measure === undefined) return number
  return field.measure === '%' ? `${number}%` : `${number} ${field.measure}`
}

export function isNumber(field: Field): boolean {
  return field.kind === 'integer' || (field.kind === 'text' && field.numeric === true)
}

export function unitOf(field: Field): string | undefined {
  return field.kind === 'text' ? (field.unit ?? field.measure) : undefined
}

/** `1 record`, `7 records`. */
export function countOf(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'record' : 'records'}`
}

/** Fields shown in the table of a list, besides the name; a phone shows the first three. */
export const COLUMNS: Readonly<Record<TypeName, readonly string[]>> = {
  people: ['species', 'homeworld', 'birth_year', 'gender', 'height', 'mass'],
  planets: ['climate', 'terrain', 'population', 'gravity'],
  films: ['episode_id', 'director', 'release_date'],
  species: ['classification', 'homeworld', 'language', 'designation'],
  vehicles: ['vehicle_class', 'length', 'manufacturer', 'model'],
  starships: ['starship_class', 'length', 'manufacturer', 'model']
}
export const PHONE_COLUMNS = 3

/** Filters that are always shown; those of the other fields can be opened. */
export const MAIN_FILTERS: Readonly<Record<TypeName, readonly string[]>> = {
  people: ['species', 'homeworld', 'gender'],
  planets: ['climate', 'terrain', 'films'],
  films: ['director', 'characters'],
  species: ['classification', 'designation', 'homeworld'],
  vehicles: ['vehicle_class', 'manufacturer', 'films'],
  starships: ['starship_class', 'manufacturer', 'films']
}

/** What a reader finds in the records of a type. */
export const ABOUT: Readonly<Record<TypeName, string>> = {
  people: 'Height, mass, year of birth, home planet, and the films they appear in.',
  planets: 'Climate, terrain, population, and the people who were born there.',
  films: 'Opening text, director, release date, and everything that appears in them.',
  species: 'Classification, language, average height and lifespan.',
  vehicles: 'Craft without hyperdrive: model, class, speed, and who piloted them.',
  starships: 'Craft with hyperdrive: model, class, rating, and who piloted them.'
}
