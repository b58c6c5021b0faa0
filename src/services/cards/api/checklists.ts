import type { ApiHandler, ApiRequest, CardContext } from '../context.ts'
import { ValueInvalid } from '../contract.ts'
import { BOARD_FIELDS, presentBoard } from '../present/board.ts'
import { presentChecklist } from '../present/checklist.ts'
import {
  addChecklist,
  changeChecklist,
  readCardChecklists,
  readChecklist,
  removeChecklist
} from '../store/checklists.ts'
import { findBoard, findChecklist } from '../store/find.ts'
import { readCards } from '../store/read-cards.ts'
import { includeOf, presentCards, readCardView } from './card-view.ts'
import { editorOf } from './editor.ts'
import { fieldOf, param, sent, viewOf, withField } from './requests.ts'
import { idValue, posValue, requiredId, selectFields, textValue } from './values.ts'

const CHANGED_FIELDS = ['name', 'pos'] as const

/** Of at most 1,000 cards. */
const boardChecklists: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const lists = await store.read(function* () {
    const board = yield* findBoard(viewer, param(request, 'board'))
    const parts = yield* readCards(viewer, { board: board.id }, { checklists: true })
    return parts.flatMap(({ checklists }) => checklists)
  })
  const fields = sent(request, 'fields')
  return { body: lists.map((one) => selectFields(presentChecklist(one), fields)) }
}

const cardChecklists: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const lists = await store.read(() => readCardChecklists(viewer, param(request, 'card')))
  const fields = sent(request, 'fields')
  return { body: lists.map((one) => selectFields(presentChecklist(one), fields)) }
}

async function readObject(
  { store }: CardContext,
  { viewer }: ApiRequest,
  id: string
): Promise<Record<string, unknown>> {
  return presentChecklist(await store.read(() => readChecklist(viewer, id)))
}

const checklist: ApiHandler = async (context, request) => {
  const object = await readObject(context, request, param(request, 'checklist'))
  return { body: selectFields(object, sent(request, 'fields')) }
}

const checklistField: ApiHandler = async (context, request) => {
  const id = param(request, 'checklist')
  const object = await readObject(context, request, id)
  return fieldOf(object, param(request, 'field'), `/1/checklists/${id}`)
}

const checklistBoard: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const board = await store.read(function* () {
    const found = yield* findChecklist(viewer, param(request, 'checklist'))
    return yield* findBoard(viewer, found.board)
  })
  const object = presentBoard(board, viewOf(request))
  return { body: selectFields(object, sent(request, 'fields'), BOARD_FIELDS) }
}

const checklistCards: ApiHandler = async ({ store }, request) => {
  const { viewer, baseUrl, input } = request
  const view = readCardView(input, '')
  return store.read(function* () {
    const found = yield* findChecklist(viewer, param(request, 'checklist'))
    const parts = yield* readCards(viewer, { cards: [found.card] }, includeOf(view))
    return { body: presentCards(parts, view, { baseUrl, viewer }) }
  })
}

/** `idCard` in the parameters, or the card in the path. */
const add: ApiHandler = async (context, request) => {
  const { input, params } = request
  const added = {
    card: params.card ?? requiredId(input, 'idCard', { links: true }),
    name: textValue(input, 'name') ?? '',
    pos: posValue(input),
    source: idValue(input, 'idChecklistSource') ?? undefined
  }
  const id = await context.store.change((time) =>
    addChecklist(added, editorOf(context, request, time))
  )
  return { body: await readObject(context, request, id) }
}

const change: ApiHandler = async (context, request) => {
  const { input } = request
  const name = textValue(input, 'name')
  if (name !== undefined && name.trim() === '') throw new ValueInvalid('name')
  const edit = { name, pos: posValue(input) }
  const id = param(request, 'checklist')
  await context.store.change((time) => changeChecklist(id, edit, editorOf(context, request, time)))
  return { body: await readObject(context, request, id) }
}

const changeField: ApiHandler = (context, request) => {
  const path = `/1/checklists/${param(request, 'checklist')}`
  return change(context, withField(request, CHANGED_FIELDS, path))
}

/** Of the card in the path, if there is one. */
const remove: ApiHandler = async (context, request) => {
  const { params } = request
  await context.store.change(
    (time) =>
      removeChecklist(param(request, 'checklist'), params.card, editorOf(context, request, time)),
    { frees: true }
  )
  return { body: { limits: {} } }
}

export const checklistHandlers = {
  boardChecklists,
  cardChecklists,
  checklist,
  checklistField,
  checklistBoard,
  checklistCards,
  addChecklist: add,
  addCardChecklist: add,
  changeChecklist: change,
  changeChecklistField: changeField,
  removeChecklist: remove,
  removeCardChecklist: remove
} as const satisfies Record<string, ApiHandler>
