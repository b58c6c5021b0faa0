import type { ApiHandler } from '../context.ts'
import { ValueInvalid } from '../contract.ts'
import type { Input } from '../http/input.ts'
import { presentField } from '../present/field.ts'
import { addField, changeField, removeField } from '../store/custom-fields.ts'
import { findBoard } from '../store/find.ts'
import { readField, readFields } from '../store/read-fields.ts'
import { editorOf } from './editor.ts'
import { readOptions } from './field-options.ts'
import { param, sent } from './requests.ts'
import {
  booleanValue,
  choiceValue,
  posValue,
  requiredId,
  requiredText,
  selectFields,
  textValue
} from './values.ts'

const TYPES = ['checkbox', 'list', 'number', 'text', 'date'] as const
const MAX_NAME = 1024

type Sent = Pick<Input, 'values'>

const boardFields: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const fields = await store.read(function* () {
    const board = yield* findBoard(viewer, param(request, 'board'))
    return yield* readFields(viewer, board.id)
  })
  const names = sent(request, 'fields')
  return { body: fields.map((field) => selectFields(presentField(field), names)) }
}

const customField: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const parts = await store.read(() => readField(viewer, param(request, 'customField')))
  return { body: selectFields(presentField(parts), sent(request, 'fields')) }
}

const add: ApiHandler = async (context, request) => {
  const { input, viewer } = request
  if (choiceValue(input, 'modelType', ['board']) === undefined) throw new ValueInvalid('modelType')
  const type = choiceValue(input, 'type', TYPES)
  if (type === undefined) throw new ValueInvalid('type')
  const field = {
    board: requiredId(input, 'idModel', { links: true }),
    name: requiredText(input, 'name', { max: MAX_NAME }),
    type,
    pos: posValue(input),
    isOnFront: frontValue(input) ?? true,
    options: type === 'list' ? readOptions(input) : []
  }
  const { id } = await context.store.change((time) =>
    addField(field, editorOf(context, request, time))
  )
  return { body: presentField(await context.store.read(() => readField(viewer, id))) }
}

/** `display_cardFront`, `display/cardFront`, or the member of an object. */
function frontValue(input: Sent): boolean | undefined {
  const display = input.values.get('display')
  const inner = typeof display === 'object' && display !== null ? Object.entries(display) : []
  return (
    booleanValue(input, 'display_cardFront') ??
    booleanValue(input, 'display/cardFront') ??
    booleanValue({ values: new Map(inner) }, 'cardFront')
  )
}

const change: ApiHandler = async (context, request) => {
  const { input } = request
  const name = textValue(input, 'name', { max: MAX_NAME })
  if (name !== undefined && name.trim() === '') throw new ValueInvalid('name')
  const edit = { name, pos: posValue(input), isOnFront: frontValue(input) }
  const id = param(request, 'customField')
  await context.store.change((time) => changeField(id, edit, editorOf(context, request, time)))
  return customField(context, { ...request, input: { ...input, values: new Map() } })
}

const remove: ApiHandler = async (context, request) => {
  const id = param(request, 'customField')
  await context.store.change((time) => removeField(id, editorOf(context, request, time)), {
    frees: true
  })
  return { body: { limits: {} } }
}

export const customFieldHandlers = {
  boardFields,
  customField,
  addCustomField: add,
  changeCustomField: change,
  removeCustomField: remove
} as const satisfies Record<string, ApiHandler>
