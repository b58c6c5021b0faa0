import type { CardParts } from '../../records/card-parts.ts'
import { parseItem, type SentItem } from '../../records/item-value.ts'
import { webUrl } from '../../records/web-url.ts'
import { momentAt } from '../../records/zoned-time.ts'
import type { FieldRow, FieldType } from '../../store/rows.ts'
import type { CardSave } from '../../store/save-card.ts'
import { type CardForm, type EditedBoard, otherFields } from './card-form.ts'
import { findTextError, MAX_TEXT } from './field-errors.ts'
import { fieldName } from './read-form.ts'

type Errors = Map<string, string>
type Values = { items: CardSave['items'][number][]; newFields: CardSave['newFields'][number][] }

/** Names of the fields that a board gets with the first value; the content API knows them. */
const COMPLETED = 'Completed'
const URL_NAME = 'URL'

/** Values of custom fields that differ from the stored ones. */
export function planFields(
  form: CardForm,
  stored: CardParts | undefined,
  before: CardForm | undefined,
  on: EditedBoard,
  errors: Errors
): Values {
  const values: Values = { items: [], newFields: [] }
  const { board } = on
  if (form.completed !== (before?.completed ?? '')) {
    const value = planDay(form.completed, board.time_zone, errors)
    add(values, board.completed_field, { name: COMPLETED, type: 'date', value })
  }
  if (form.url !== (before?.url ?? '')) {
    const value = planUrl(form.url, errors)
    add(values, board.url_field, { name: URL_NAME, type: 'text', value })
  }
  for (const field of otherFields(on)) {
    const text = form.fields.get(field.id) ?? ''
    if (text === (before?.fields.get(field.id) ?? '')) continue
    const sent = planValue(field, text.trim(), on, errors)
    if (sent !== undefined) values.items.push({ field: field.id, ...sent })
  }
  return stored === undefined ? { ...values, items: values.items.filter(hasValue) } : values
}

function hasValue({ value, idValue }: SentItem): boolean {
  return (value !== undefined && value !== '') || (idValue !== undefined && idValue !== '')
}

function add(
  { items, newFields }: Values,
  field: string | null,
  { name, type, value }: { name: string; type: FieldType; value: object | '' }
): void {
  if (field !== null) items.push({ field, value })
  else if (value !== '') newFields.push({ name, type, value })
}

/** Noon of the day in the time zone of the board: no change of the clocks moves it to another day. */
function planDay(day: string, timeZone: string, errors: Errors): object | '' {
  if (day === '') return ''
  const moment = momentAt(timeZone, `${day}T12:00`)
  if (moment !== undefined) return { date: new Date(moment).toISOString() }
  errors.set(
    'completed',
    `This is no day of ${timeZone}: enter an existing one, such as 2026-05-12.`
  )
  return ''
}

function planUrl(text: string, errors: Errors): object | '' {
  if (text === '') return ''
  const url = webUrl(text)
  if (url === undefined) {
    errors.set('url', 'Enter a complete URL that begins with http:// or https://.')
  }
  return { text }
}

/** Undefined after an error. */
function planValue(
  { id, type }: FieldRow,
  text: string,
  { options, board }: EditedBoard,
  errors: Errors
): SentItem | undefined {
  const name = fieldName(id)
  if (text === '') return type === 'list' ? { idValue: '' } : { value: '' }
  if (type === 'list') {
    if (options.some((option) => option.id === text && option.field === id))
      return { idValue: text }
    errors.set(name, 'Choose one of the options.')
    return undefined
  }
  const error = type === 'text' ? findTextError(text, MAX_TEXT) : undefined
  const sent = error === undefined ? sentValue(type, text, board.time_zone) : undefined
  const isValid = sent !== undefined && parseItem(type, sent) !== 'invalid'
  if (isValid) return sent
  errors.set(name, error ?? INVALID[type])
  return undefined
}

function sentValue(
  type: Exclude<FieldType, 'list'>,
  text: string,
  timeZone: string
): SentItem | undefined {
  if (type === 'checkbox') return { value: { checked: 'true' } }
  if (type !== 'date') return { value: { [type]: text } }
  const moment = momentAt(timeZone, text.slice(0, 16))
  return moment === undefined ? undefined : { value: { date: new Date(moment).toISOString() } }
}

const INVALID: Readonly<Record<Exclude<FieldType, 'list'>, string>> = {
  text: 'This cannot be stored.',
  number: 'Enter a number, such as 12 or 3.5.',
  date: 'Enter an existing day and time.',
  checkbox: 'Check it or leave it empty.'
}
