import type { ApiHandler } from '../context.ts'
import { ValueInvalid } from '../contract.ts'
import type { Input } from '../http/input.ts'
import { presentOption } from '../present/field.ts'
import { parseSentJson } from '../records/sent-json.ts'
import { addOption, findFieldOption, type NewOption, removeOption } from '../store/field-options.ts'
import { readField } from '../store/read-fields.ts'
import { editorOf } from './editor.ts'
import { param } from './requests.ts'
import { posValue, textValue } from './values.ts'

const MAX_TEXT = 1024
const COLORS = 'none green yellow orange red purple blue sky lime pink black'.split(' ')

type Sent = Pick<Input, 'values'>

/** Of a new field. */
export function readOptions({ values }: Sent): NewOption[] {
  const sentOptions = values.get('options')
  const options = typeof sentOptions === 'string' ? parseSentJson(sentOptions) : (sentOptions ?? [])
  if (!Array.isArray(options)) throw new ValueInvalid('options')
  return options.map((option: unknown) => {
    if (typeof option !== 'object' || option === null) throw new ValueInvalid('options')
    return readOption({ values: new Map(Object.entries(option)) }, 'options')
  })
}

/** The text is in `value`: `{"text":"…"}`, or the same as JSON, or only the text. */
function readOption(input: Sent, name: string): NewOption {
  const value = input.values.get('value')
  const parsed = typeof value === 'string' && value.startsWith('{') ? parseSentJson(value) : value
  const inner = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []
  const text =
    typeof parsed === 'string'
      ? textValue(input, 'value', { max: MAX_TEXT })
      : textValue({ values: new Map(inner) }, 'text', { max: MAX_TEXT })
  if (text === undefined || text.trim() === '') throw new ValueInvalid(name)
  const color = textValue(input, 'color') ?? 'none'
  if (!COLORS.includes(color)) throw new ValueInvalid('color')
  return { text, color, pos: posValue(input) }
}

const options: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const parts = await store.read(() => readField(viewer, param(request, 'customField')))
  return { body: parts.options.map(presentOption) }
}

const option: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const [field, id] = [param(request, 'customField'), param(request, 'option')]
  return { body: presentOption(await store.read(() => findFieldOption(field, id, viewer))) }
}

const addNewOption: ApiHandler = async (context, request) => {
  const added = readOption(request.input, 'value')
  const row = await context.store.change((time) =>
    addOption(param(request, 'customField'), added, editorOf(context, request, time))
  )
  return { body: presentOption(row) }
}

const removeOptionOf: ApiHandler = async (context, request) => {
  const [field, id] = [param(request, 'customField'), param(request, 'option')]
  await context.store.change((time) => removeOption(field, id, editorOf(context, request, time)), {
    frees: true
  })
  return { body: {} }
}

export const fieldOptionHandlers = {
  options,
  option,
  addOption: addNewOption,
  removeOption: removeOptionOf
} as const satisfies Record<string, ApiHandler>
