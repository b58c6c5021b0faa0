import type { ApiHandler, ApiRequest, CardContext } from '../context.ts'
import { presentAction } from '../present/action.ts'
import { BOARD_FIELDS, presentBoard } from '../present/board.ts'
import { presentCard } from '../present/card.ts'
import { LIST_FIELDS, presentList } from '../present/list.ts'
import { changeCard } from '../store/change-card.ts'
import { findBoard, findCard, findList } from '../store/find.ts'
import { requireMember } from '../store/members.ts'
import { readActions } from '../store/read-actions.ts'
import { readCard } from '../store/read-cards.ts'
import { removeCard } from '../store/remove-card.ts'
import { actionTypes } from './action-types.ts'
import { includeOf, presentCardView, readCardView } from './card-view.ts'
import { editorOf } from './editor.ts'
import { CHANGED_FIELDS, readEdit } from './read-card.ts'
import { fieldOf, isWanted, param, sent, viewOf, withField } from './requests.ts'
import { selectFields } from './values.ts'

const MAX_ACTIONS = 1000

const card: ApiHandler = async (context, request) => ({
  body: await readObject(context, request, param(request, 'card'))
})

/** The card with the parts that the request names. */
async function readObject(
  { store }: CardContext,
  request: ApiRequest,
  idOrLink: string
): Promise<Record<string, unknown>> {
  const { viewer, baseUrl, input } = request
  const view = readCardView(input, '')
  return store.read(function* () {
    const parts = yield* readCard(viewer, idOrLink, includeOf(view))
    const isMember = viewer.kind === 'member'
    const member = view.members && isMember ? yield* requireMember(viewer.member) : undefined
    const object = presentCardView(parts, view, { baseUrl, viewer, member })
    if (isWanted(sent(request, 'board'))) {
      const board = yield* findBoard(viewer, parts.card.board)
      const fields = sent(request, 'board_fields')
      object.board = selectFields(presentBoard(board, viewOf(request)), fields, BOARD_FIELDS)
    }
    if (isWanted(sent(request, 'list'))) {
      const list = yield* findList(viewer, parts.card.list)
      object.list = selectFields(presentList(list), undefined, LIST_FIELDS)
    }
    if (isWanted(sent(request, 'actions'))) {
      const filter = actionTypes(input, 'actions')
      const actions = isMember
        ? yield* readActions(viewer, { card: parts.card.id, filter, limit: MAX_ACTIONS })
        : []
      object.actions = actions.map((action) => presentAction(action, baseUrl))
    }
    return object
  })
}

const cardField: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const parts = await store.read(() => readCard(viewer, param(request, 'card')))
  const path = `/1/cards/${parts.card.id}`
  return fieldOf(presentCard(parts, viewOf(request)), param(request, 'field'), path)
}

const cardBoard: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const board = await store.read(function* () {
    const found = yield* findCard(viewer, param(request, 'card'))
    return yield* findBoard(viewer, found.board)
  })
  const object = presentBoard(board, viewOf(request))
  return { body: selectFields(object, sent(request, 'fields'), BOARD_FIELDS) }
}

const cardList: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const list = await store.read(function* () {
    const found = yield* findCard(viewer, param(request, 'card'))
    return yield* findList(viewer, found.list)
  })
  return { body: selectFields(presentList(list), sent(request, 'fields'), LIST_FIELDS) }
}

/** Parameters that cards do not have are ignored, as Trello does. */
const change: ApiHandler = async (context, request) => {
  const edit = readEdit(request.input)
  const { id } = await context.store.change((time) =>
    changeCard(param(request, 'card'), edit, editorOf(context, request, time))
  )
  const parts = await context.store.read(() => readCard(request.viewer, id))
  return { body: presentCard(parts, viewOf(request)) }
}

const changeField: ApiHandler = (context, request) =>
  change(context, withField(request, CHANGED_FIELDS, `/1/cards/${param(request, 'card')}`))

const remove: ApiHandler = async (context, request) => {
  await context.store.change(
    (time) => removeCard(param(request, 'card'), editorOf(context, request, time)),
    { frees: true }
  )
  return { body: { limits: {} } }
}

export const cardHandlers = {
  card,
  cardField,
  cardBoard,
  cardList,
  changeCard: change,
  changeCardField: changeField,
  removeCard: remove
} as const satisfies Record<string, ApiHandler>
