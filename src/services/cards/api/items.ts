import type { ApiHandler } from '../context.ts'
import { ValueInvalid } from '../contract.ts'
import { presentItem } from '../present/item.ts'
import { parseSentJson } from '../records/sent-json.ts'
import { changeItems, type ItemChange } from '../store/change-items.ts'
import { readCard } from '../store/read-cards.ts'
import { editorOf } from './editor.ts'
import { param, sent } from './requests.ts'
import { requiredId } from './values.ts'

/** In one request. */
const MAX_ITEMS = 50

const cardItems: ApiHandler = async ({ store }, request) => {
  const { items } = await store.read(() =>
    readCard(request.viewer, param(request, 'card'), { items: true })
  )
  return { body: items.map(presentItem) }
}

/** A cleared item is an empty object. */
const changeItem: ApiHandler = async (context, request) => {
  const { values } = request.input
  if (!values.has('value') && !values.has('idValue')) throw new ValueInvalid('value')
  const change: ItemChange = {
    field: param(request, 'customField'),
    value: values.get('value'),
    idValue: values.get('idValue')
  }
  const [item] = await context.store.change((time) =>
    changeItems(param(request, 'card'), [change], editorOf(context, request, time))
  )
  return { body: item === undefined ? {} : presentItem(item) }
}

const changeAll: ApiHandler = async (context, request) => {
  const changes = readChanges(sent(request, 'customFieldItems'))
  const items = await context.store.change((time) =>
    changeItems(param(request, 'card'), changes, editorOf(context, request, time))
  )
  return { body: items.map(presentItem) }
}

function readChanges(sentItems: unknown): ItemChange[] {
  const items = typeof sentItems === 'string' ? parseSentJson(sentItems) : sentItems
  if (!Array.isArray(items) || items.length > MAX_ITEMS) throw new ValueInvalid('customFieldItems')
  return items.map((item: unknown) => {
    if (typeof item !== 'object' || item === null) throw new ValueInvalid('customFieldItems')
    const values = new Map(Object.entries(item))
    const field = requiredId({ values }, 'idCustomField')
    return { field, value: values.get('value'), idValue: values.get('idValue') }
  })
}

export const itemHandlers = {
  cardItems,
  changeItem,
  changeItems: changeAll
} as const satisfies Record<string, ApiHandler>
