import type { ApiHandler } from '../context.ts'
import { presentLabel } from '../present/label.ts'
import { findBoard, findLabel } from '../store/find.ts'
import { addLabel, changeLabel, readLabels, removeLabel } from '../store/labels.ts'
import { colorValue } from './board-values.ts'
import { authorOf, fieldOf, param, sent, withField } from './requests.ts'
import type { HandlerName } from './route-table.ts'
import { numberValue, requiredId, selectFields, textValue } from './values.ts'

const MAX_NAME = 1024
const MAX_LABELS = 1000
const DEFAULT_LIMIT = 50
const CHANGED_FIELDS = ['name', 'color'] as const

const readOfBoard: ApiHandler = async ({ store }, request) => {
  const { viewer, input } = request
  const limit = numberValue(input, 'limit', { min: 0, max: MAX_LABELS }) ?? DEFAULT_LIMIT
  return store.read(function* () {
    const board = yield* findBoard(viewer, param(request, 'board'))
    const labels = yield* readLabels(viewer, board.id, limit)
    const fields = sent(request, 'fields')
    return { body: labels.map((label) => selectFields(presentLabel(label), fields)) }
  })
}

const add: ApiHandler = async (context, request) => {
  const { input, viewer, params } = request
  const name = textValue(input, 'name', { max: MAX_NAME }) ?? ''
  const color = colorValue(input) ?? null
  const boardId = params.board ?? requiredId(input, 'idBoard', { links: true })
  const label = await context.store.change(function* (time) {
    const board = yield* findBoard(viewer, boardId)
    const added = { id: context.nextId(), name, color }
    return yield* addLabel(board, added, authorOf(context, request, time))
  })
  return { body: { ...presentLabel(label), limits: {} } }
}

const read: ApiHandler = async ({ store }, request) => {
  const label = await store.read(() => findLabel(request.viewer, param(request, 'label')))
  return { body: selectFields(presentLabel(label), sent(request, 'fields')) }
}

const readField: ApiHandler = async ({ store }, request) => {
  const label = await store.read(() => findLabel(request.viewer, param(request, 'label')))
  const path = `/1/labels/${label.id}`
  return fieldOf({ ...presentLabel(label) }, param(request, 'field'), path)
}

const change: ApiHandler = async (context, request) => {
  const { input, viewer } = request
  const changes = { name: textValue(input, 'name', { max: MAX_NAME }), color: colorValue(input) }
  const label = await context.store.change(function* (time) {
    const found = yield* findLabel(viewer, param(request, 'label'))
    const board = yield* findBoard(viewer, found.board)
    return yield* changeLabel(board, found, changes, authorOf(context, request, time))
  })
  return { body: presentLabel(label) }
}

const remove: ApiHandler = async (context, request) => {
  await context.store.change(
    function* (time) {
      const label = yield* findLabel(request.viewer, param(request, 'label'))
      const board = yield* findBoard(request.viewer, label.board)
      yield* removeLabel(board, label, authorOf(context, request, time))
    },
    { frees: true }
  )
  return { body: { limits: {} } }
}

export const labelHandlers = {
  boardLabels: readOfBoard,
  addBoardLabel: add,
  addLabel: add,
  label: read,
  labelField: readField,
  changeLabel: change,
  changeLabelField: (context, request) =>
    change(context, withField(request, CHANGED_FIELDS, `/1/labels/${param(request, 'label')}`)),
  removeLabel: remove
} as const satisfies Partial<Record<HandlerName, ApiHandler>>
