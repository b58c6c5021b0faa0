import type { ApiHandler, ApiRequest } from '../context.ts'
import { ValueInvalid } from '../contract.ts'
import type { Input } from '../http/input.ts'
import { presentCheckItem } from '../present/checklist.ts'
import {
  addCheckItem,
  changeCheckItem,
  findItemOf,
  type ItemOwner,
  removeCheckItem
} from '../store/check-items.ts'
import { readChecklist } from '../store/checklists.ts'
import { editorOf } from './editor.ts'
import { param, sent } from './requests.ts'
import {
  booleanValue,
  dateValue,
  idValue,
  posValue,
  requiredText,
  selectFields,
  textValue
} from './values.ts'

const checklistItems: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const { items } = await store.read(() => readChecklist(viewer, param(request, 'checklist')))
  const fields = sent(request, 'fields')
  return { body: items.map((item) => selectFields(presentCheckItem(item), fields)) }
}

/** The card or checklist in the path. */
function ownerOf({ params }: ApiRequest): ItemOwner {
  const { card, checklist } = params
  return { ...(card !== undefined && { card }), ...(checklist !== undefined && { checklist }) }
}

const read: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const id = param(request, 'checkItem')
  const item = await store.read(() => findItemOf(viewer, ownerOf(request), id))
  return { body: selectFields(presentCheckItem(item), sent(request, 'fields')) }
}

const add: ApiHandler = async (context, request) => {
  const { input } = request
  const added = {
    name: requiredText(input, 'name'),
    isComplete: booleanValue(input, 'checked') ?? false,
    due: dateValue(input, 'due') ?? null,
    pos: posValue(input)
  }
  const item = await context.store.change((time) =>
    addCheckItem(param(request, 'checklist'), added, editorOf(context, request, time))
  )
  return { body: { ...presentCheckItem(item), limits: {} } }
}

const change: ApiHandler = async (context, request) => {
  const { input } = request
  const name = textValue(input, 'name')
  if (name !== undefined && name.trim() === '') throw new ValueInvalid('name')
  const edit = {
    name,
    isComplete: stateValue(input),
    due: dateValue(input, 'due'),
    pos: posValue(input),
    checklist: idValue(input, 'idChecklist') ?? undefined
  }
  const id = param(request, 'checkItem')
  const item = await context.store.change((time) =>
    changeCheckItem(ownerOf(request), id, edit, editorOf(context, request, time))
  )
  return { body: presentCheckItem(item) }
}

/** `complete`, or as a boolean. */
function stateValue(input: Pick<Input, 'values'>): boolean | undefined {
  const value = input.values.get('state')
  if (value === 'complete' || value === 'incomplete') return value === 'complete'
  return booleanValue(input, 'state')
}

const remove: ApiHandler = async (context, request) => {
  const id = param(request, 'checkItem')
  await context.store.change(
    (time) => removeCheckItem(ownerOf(request), id, editorOf(context, request, time)),
    { frees: true }
  )
  return { body: { limits: {} } }
}

export const checkItemHandlers = {
  checklistItems,
  checkItem: read,
  cardCheckItem: read,
  addCheckItem: add,
  changeCardCheckItem: change,
  removeCheckItem: remove,
  removeCardCheckItem: remove
} as const satisfies Record<string, ApiHandler>
