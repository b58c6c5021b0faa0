import type { Finding } from '../../../kernel/service.ts'
import { type Field, RESOURCES, TYPES, type TypeName } from '../contract.ts'
import { type Dataset, idsOf, isDerived, type StoredRecord } from './universe.ts'
import { isNumeric, isSpecialWord } from './words.ts'
import { parseYear } from './year.ts'

type Look = (value: string, field: Field) => string | undefined

/** Warns about records that contradict each other or differ in style; never rejects a data set. */
export function checkSense(dataset: Dataset): Finding[] {
  return [
    ...TYPES.flatMap((type) => dataset.records[type].flatMap((record) => lookAt(type, record))),
    ...TYPES.flatMap((type) => checkIds(type, dataset.records[type])),
    ...checkEpisodes(dataset.records.films),
    ...checkPeople(dataset),
    ...checkCasts(dataset)
  ]
}

function warn(type: TypeName, record: StoredRecord, text: string): Finding {
  return { level: 'warning', where: `${type}.json id ${record.id}`, text }
}

const LOOKS: readonly Look[] = [
  (value) => (value.trim() === value ? undefined : 'starts or ends with a space'),
  (value) => (value.trim() === '' ? 'is empty; use unknown, n/a or none' : undefined),
  (value) =>
    /^(unknown|n\/?a|none|indefinite|null|\?+|-+)$/i.test(value) && !isSpecialWord(value)
      ? `is spelled "${value}"; the special words are unknown, n/a, none and indefinite`
      : undefined,
  (value, field) => {
    if (field.kind !== 'text' || value.length <= field.max) return undefined
    return `is longer than ${field.max} characters`
  },
  (value, field) => {
    const { numeric, unit } = field.kind === 'text' ? field : {}
    if (numeric !== true || isSpecialWord(value) || isNumeric(value, unit)) return undefined
    return `must be digits${unit === undefined ? '' : `, a space and ${unit}`}, not "${value}"`
  },
  (value, field) =>
    field.kind === 'text' && field.max <= 200 && /;| ,|,(?! )|,$/.test(value)
      ? 'must separate items with a comma and a space'
      : undefined,
  (value, field) =>
    field.kind === 'date' && !isRealDate(value) ? `is not a date: "${value}"` : undefined
]

function lookAt(type: TypeName, record: StoredRecord): Finding[] {
  const findings = RESOURCES[type].fields
    .filter((field) => !isDerived(field))
    .flatMap((field) => lookAtField(field, record[field.name]))
  const { created, edited } = record
  if (String(created) > String(edited)) findings.push('edited is earlier than created')
  return findings.map((text) => warn(type, record, text))
}

function lookAtField(field: Field, value: unknown): string[] {
  if (typeof value === 'string') {
    return LOOKS.flatMap((look) => look(value, field) ?? []).map((text) => `${field.name} ${text}`)
  }
  if (Array.isArray(value) && new Set(value).size < value.length) {
    return [`${field.name} contains a record twice`]
  }
  return value === null && field.kind === 'link' && field.nullable !== true
    ? [`${field.name} is null`]
    : []
}

function isRealDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function checkIds(type: TypeName, records: readonly StoredRecord[]): Finding[] {
  const ids = new Set(records.map(({ id }) => id))
  const last = Math.max(0, ...ids)
  if (last === ids.size) return []
  const missing = last - ids.size
  const text = `${missing} of the ids from 1 to ${last} ${missing === 1 ? 'is' : 'are'} missing`
  return [{ level: 'warning', where: `${type}.json`, text }]
}

function checkEpisodes(films: readonly StoredRecord[]): Finding[] {
  const seen = new Set<unknown>()
  return films.flatMap((film) => {
    const twice = seen.has(film.episode_id)
    seen.add(film.episode_id)
    return twice ? [warn('films', film, `episode_id ${film.episode_id} is used twice`)] : []
  })
}

function checkPeople({ universe, records }: Dataset): Finding[] {
  return records.people.flatMap((person) => {
    const birth = String(person.birth_year)
    const born = parseYear(birth, universe.era)
    if (born === undefined) {
      return birth === 'unknown' ? [] : [warn('people', person, `birth_year is "${birth}"`)]
    }
    const years = records.films
      .filter((film) => idsOf(film.characters).includes(person.id))
      .map((film) => parseYear(String(film.set_in), universe.era))
      .filter((year) => year !== undefined)
    const late = years.length > 0 && born > Math.max(...years)
    return late ? [warn('people', person, `born in ${birth}, after every film they are in`)] : []
  })
}

function checkCasts({ records }: Dataset): Finding[] {
  return records.films.flatMap((film) => {
    const cast = new Set(idsOf(film.characters))
    const listed = new Set(idsOf(film.species))
    return records.species
      .filter(({ id, people }) => !listed.has(id) && idsOf(people).some((one) => cast.has(one)))
      .map(({ id }) => warn('films', film, `has people of species ${id} but does not list it`))
  })
}
