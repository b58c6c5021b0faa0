import type { Transaction } from '../../../kernel/database/transaction.ts'
import type { ApiHandler, ApiRequest, CardContext } from '../context.ts'
import { ObjectUnknown, ValueInvalid } from '../contract.ts'
import { presentAction } from '../present/action.ts'
import { addComment, changeComment, removeComment } from '../store/comments.ts'
import { findBoard, findCard, findList, requireId } from '../store/find.ts'
import { type ActionSelection, readActions } from '../store/read-actions.ts'
import { actionTypes } from './action-types.ts'
import { idBound } from './card-range.ts'
import { editorOf } from './editor.ts'
import { param, sent } from './requests.ts'
import { numberValue, selectFields, textValue } from './values.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1000

type Parent = Pick<ActionSelection, 'board' | 'list' | 'card'>

async function readOf(
  { store }: CardContext,
  request: ApiRequest,
  find: () => Transaction<Parent>
): Promise<{ body: unknown }> {
  const { viewer, input, baseUrl } = request
  const range = {
    limit: numberValue(input, 'limit', { min: 0, max: MAX_LIMIT }) ?? DEFAULT_LIMIT,
    since: idBound(input, 'since'),
    before: idBound(input, 'before'),
    filter: actionTypes(input, 'filter')
  }
  const rows = await store.read(function* () {
    const parent = yield* find()
    return yield* readActions(viewer, { ...parent, ...range })
  })
  const fields = sent(request, 'fields')
  return { body: rows.map((row) => selectFields(presentAction(row, baseUrl), fields)) }
}

const boardActions: ApiHandler = (context, request) =>
  readOf(context, request, function* () {
    return { board: (yield* findBoard(request.viewer, param(request, 'board'))).id }
  })

const listActions: ApiHandler = (context, request) =>
  readOf(context, request, function* () {
    return { list: (yield* findList(request.viewer, param(request, 'list'))).id }
  })

const cardActions: ApiHandler = (context, request) =>
  readOf(context, request, function* () {
    return { card: (yield* findCard(request.viewer, param(request, 'card'))).id }
  })

async function readOne(
  { store }: CardContext,
  { viewer, baseUrl }: ApiRequest,
  id: string
): Promise<Record<string, unknown>> {
  const ids = [requireId(id)] as const
  const [row] = await store.read(() => readActions(viewer, { ids, limit: 1 }))
  if (row === undefined) throw new ObjectUnknown()
  return presentAction(row, baseUrl)
}

const action: ApiHandler = async (context, request) => {
  const object = await readOne(context, request, param(request, 'action'))
  return { body: selectFields(object, sent(request, 'fields')) }
}

function commentOf({ input }: ApiRequest, ...names: string[]): string {
  const text = names.map((name) => textValue(input, name)).find((one) => one !== undefined)
  if (text === undefined || text.trim() === '') throw new ValueInvalid('text')
  return text
}

const add: ApiHandler = async (context, request) => {
  const text = commentOf(request, 'text')
  const id = await context.store.change((time) =>
    addComment(param(request, 'card'), text, editorOf(context, request, time))
  )
  return { body: await readOne(context, request, id) }
}

const change: ApiHandler = async (context, request) => {
  const text = commentOf(request, 'text', 'value')
  const { card } = request.params
  const id = await context.store.change((time) =>
    changeComment(param(request, 'action'), text, editorOf(context, request, time), card)
  )
  return { body: await readOne(context, request, id) }
}

const remove: ApiHandler = async (context, request) => {
  const { card } = request.params
  await context.store.change(
    (time) => removeComment(param(request, 'action'), editorOf(context, request, time), card),
    { frees: true }
  )
  return { body: { _value: null } }
}

export const actionHandlers = {
  boardActions,
  listActions,
  cardActions,
  action,
  addComment: add,
  changeComment: change,
  changeAction: change,
  changeActionText: change,
  removeComment: remove,
  removeAction: remove
} as const satisfies Record<string, ApiHandler>
