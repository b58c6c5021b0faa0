import { ValueInvalid } from '../contract.ts'
import type { Input } from '../http/input.ts'
import { type CoverChange, parseCover } from '../records/card-cover.ts'
import type { CardColumns, CardEdit } from '../store/change-card.ts'
import { COPIED_PARTS, type CopiedPart } from '../store/copy-card.ts'
import {
  booleanValue,
  choiceValue,
  dateValue,
  idListValue,
  idValue,
  namesOf,
  numberValue,
  posValue,
  textValue
} from './values.ts'

type Sent = Pick<Input, 'values'>

const ROLES = ['separator', 'board', 'mirror', 'link'] as const
/** In minutes before the due date. */
const MAX_REMINDER = 525_600

/** Fields that `PUT /cards/:id/:field` changes; `subscribed` is accepted and has no effect. */
export const CHANGED_FIELDS = [
  'name',
  'desc',
  'closed',
  'due',
  'dueComplete',
  'dueReminder',
  'start',
  'pos',
  'idBoard',
  'idList',
  'idLabels',
  'idMembers',
  'idAttachmentCover',
  'cover',
  'isTemplate',
  'cardRole',
  'address',
  'locationName',
  'coordinates',
  'subscribed'
] as const

/** Only what is sent. */
export function readColumns(input: Sent): CardColumns {
  const columns = {
    description: textValue(input, 'desc'),
    closed: flagValue(input, 'closed'),
    due: dateValue(input, 'due'),
    due_complete: flagValue(input, 'dueComplete'),
    due_reminder: reminderValue(input),
    start: dateValue(input, 'start'),
    is_template: flagValue(input, 'isTemplate'),
    card_role: isCleared(input, 'cardRole') ? null : choiceValue(input, 'cardRole', ROLES),
    location: locationValue(input)
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

export function readEdit(input: Sent): CardEdit {
  const name = textValue(input, 'name')
  if (name !== undefined && name.trim() === '') throw new ValueInvalid('name')
  return {
    columns: { ...readColumns(input), ...(name !== undefined && { name }) },
    pos: posValue(input),
    board: idValue(input, 'idBoard', { links: true }) ?? undefined,
    list: idValue(input, 'idList') ?? undefined,
    labels: idListValue(input, 'idLabels'),
    members: idListValue(input, 'idMembers'),
    cover: readCover(input)
  }
}

/** `cover`, else `idAttachmentCover`. */
export function readCover(input: Sent): CoverChange | undefined {
  const sent = input.values.get('cover')
  const cover = sent === undefined ? undefined : parseCover(sent)
  if (cover === 'invalid') throw new ValueInvalid('cover')
  if (cover !== undefined) return cover
  const attachment = idValue(input, 'idAttachmentCover')
  return attachment === undefined ? undefined : { attachment }
}

/** `keepFromSource`; by default everything. */
export function readCopiedParts(input: Sent): ReadonlySet<CopiedPart> {
  const names = namesOf(input.values.get('keepFromSource') ?? 'all')
  if (names === undefined) throw new ValueInvalid('keepFromSource')
  return new Set(COPIED_PARTS.filter((part) => names.includes('all') || names.includes(part)))
}

function flagValue(input: Sent, name: string): 0 | 1 | undefined {
  const value = booleanValue(input, name)
  return value === undefined ? undefined : value ? 1 : 0
}

function isCleared({ values }: Sent, name: string): boolean {
  const value = values.get(name)
  return value === null || value === '' || value === 'null'
}

function reminderValue(input: Sent): number | null | undefined {
  if (isCleared(input, 'dueReminder')) return null
  return numberValue(input, 'dueReminder', { min: -1, max: MAX_REMINDER })
}

/** As JSON; any of the three parameters replaces the whole location, empty ones remove it. */
function locationValue(input: Sent): string | null | undefined {
  const names = ['address', 'locationName', 'coordinates']
  if (!names.some((name) => input.values.has(name))) return undefined
  const coordinates = coordinatesValue(input)
  const location = {
    address: textValue(input, 'address') ?? '',
    locationName: textValue(input, 'locationName') ?? '',
    coordinates
  }
  const isEmpty = location.address === '' && location.locationName === '' && coordinates === null
  return isEmpty ? null : JSON.stringify(location)
}

/** `latitude,longitude`, or an object with both. */
function coordinatesValue(input: Sent): { latitude: number; longitude: number } | null {
  const value = input.values.get('coordinates')
  if (value === undefined || value === null || value === '') return null
  const parts =
    typeof value === 'object'
      ? [Reflect.get(value, 'latitude'), Reflect.get(value, 'longitude')]
      : String(value).split(',')
  const [latitude = Number.NaN, longitude = Number.NaN] = parts.map((part: unknown) =>
    typeof part === 'number' || (typeof part === 'string' && part !== '')
      ? Number(part)
      : Number.NaN
  )
  const isValid = parts.length === 2 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  if (!isValid) throw new ValueInvalid('coordinates')
  return { latitude, longitude }
}
