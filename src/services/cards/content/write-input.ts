import { isObject } from '../../../kernel/json.ts'
import { ContentInvalid } from '../contract.ts'
import type { Input } from '../http/input.ts'
import { isObjectId } from '../records/ids.ts'
import { parsePublishTime } from '../records/publish-time.ts'
import type { ListRole } from '../store/rows.ts'
import { isTimeZone } from './field-values.ts'

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_SLUG = 100
export const MAX_ALT = 1_024
const MAX_IMAGES = 1_000
const MAX_TIME_ZONE = 64
const ROLES: readonly ListRole[] = ['draft', 'published', 'archive']

export interface BoardSettings {
  timeZone?: string
  slug?: string
  /** Id of a custom field, or null for none. */
  completedField?: string | null
  urlField?: string | null
}

export interface CardSettings {
  slug?: string
  images?: readonly { id: string; alt: string }[]
  /** Null for none. */
  publishAt?: string | null
}

export function readBoardSettings(input: Input): BoardSettings {
  const fields = fieldsOf(input, ['timeZone', 'slug', 'completedField', 'urlField'])
  const { timeZone, slug, completedField, urlField } = fields
  return {
    ...(timeZone !== undefined && { timeZone: readTimeZone(timeZone) }),
    ...(slug !== undefined && { slug: readSlug(slug) }),
    ...(completedField !== undefined && {
      completedField: readId('completedField', completedField)
    }),
    ...(urlField !== undefined && { urlField: readId('urlField', urlField) })
  }
}

export function readRole(input: Input): ListRole {
  const { role } = fieldsOf(input, ['role'])
  const known = ROLES.find((one) => one === role)
  if (known !== undefined) return known
  throw new ContentInvalid(`role must be one of ${ROLES.join(', ')}`)
}

export function readCardSettings(input: Input): CardSettings {
  const { slug, images, publishAt } = fieldsOf(input, ['slug', 'images', 'publishAt'])
  return {
    ...(publishAt !== undefined && { publishAt: readPublishAt(publishAt) }),
    ...(slug !== undefined && { slug: readSlug(slug) }),
    ...(images !== undefined && { images: readImages(images) })
  }
}

/** Throws if there are other fields or files. */
export function fieldsOf(
  { values, files }: Input,
  known: readonly string[]
): Readonly<Record<string, unknown>> {
  for (const name of [...values.keys(), ...files.keys()]) {
    if (known.includes(name)) continue
    throw new ContentInvalid(
      `Unknown field ${JSON.stringify(name.slice(0, 50).toWellFormed())}; the fields are ${known.join(', ')}`
    )
  }
  return Object.fromEntries(values)
}

function readTimeZone(value: unknown): string {
  const isName = typeof value === 'string' && value.length <= MAX_TIME_ZONE
  if (isName && isTimeZone(value)) return value
  throw new ContentInvalid('timeZone must be a name such as Europe/Berlin or UTC')
}

/** Slugs that look like ids would hide the objects with these ids. */
export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG && SLUG.test(text) && !isObjectId(text)
}

export const SLUG_RULE = `1 to ${MAX_SLUG} lower-case letters and digits, with single hyphens between them`

function readSlug(value: unknown): string {
  if (typeof value === 'string' && isSlug(value)) return value
  throw new ContentInvalid(`slug must have ${SLUG_RULE}`)
}

function readPublishAt(value: unknown): string | null {
  if (value === null || value === '') return null
  const time = typeof value === 'string' ? parsePublishTime(value) : undefined
  if (time !== undefined) return time
  throw new ContentInvalid(
    'publishAt must be a time with its zone such as 2030-01-31T09:00:00+01:00, or null'
  )
}

function readId(name: string, value: unknown): string | null {
  if (value === null || value === '') return null
  if (typeof value === 'string' && isObjectId(value)) return value.toLowerCase()
  throw new ContentInvalid(`${name} must be the id of a custom field of the board, or null`)
}

function readImages(value: unknown): { id: string; alt: string }[] {
  if (Array.isArray(value) && value.length <= MAX_IMAGES) return value.map(readImage)
  throw new ContentInvalid('images must be a list of objects with id and alt')
}

function readImage(value: unknown): { id: string; alt: string } {
  if (isObject(value)) {
    const { id, alt, ...others } = value
    const isText = typeof alt === 'string' && alt.length <= MAX_ALT
    const isStorable = isText && alt.isWellFormed() && !alt.includes('\0')
    const isAlone = Object.keys(others).length === 0
    if (typeof id === 'string' && isObjectId(id) && isStorable && isAlone) {
      return { id: id.toLowerCase(), alt }
    }
  }
  throw new ContentInvalid(
    `images must be a list of objects with id and alt, a text of at most ${MAX_ALT} characters`
  )
}
