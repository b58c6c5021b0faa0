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

/** Fields shown in the table of a list, besides the name. */
export const COLUMNS: Readonly<Record<TypeName, readonly string[]>> = {
  people: ['species', 'homeworld', 'birth_year', 'gender', 'height', 'mass'],
  planets: ['climate', 'terrain', 'gravity', 'population'],
  films: ['episode_id', 'director', 'release_date'],
  species: ['classification', 'designation', 'homeworld', 'language'],
  vehicles: ['model', 'vehicle_class', 'manufacturer', 'length'],
  starships: ['model', 'starship_class', 'manufacturer', 'length']
}
