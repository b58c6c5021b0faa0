import type { ApiHandler } from '../context.ts'
import { RequestInvalid } from '../contract.ts'
import { BOARD_FIELDS, presentBoard } from '../present/board.ts'
import { BOARD_LIST_FIELDS, LIST_FIELDS, presentList } from '../present/list.ts'
import { findBoard, findList } from '../store/find.ts'
import { archiveCards, moveCards, moveList } from '../store/list-cards.ts'
import { addList, changeList, type ListFilter, readLists } from '../store/lists.ts'
import { authorOf, fieldOf, param, sent, viewOf, withField } from './requests.ts'
import type { HandlerName } from './route-table.ts'
import {
  booleanValue,
  choiceValue,
  idValue,
  posValue,
  requiredId,
  requiredText,
  selectFields,
  textValue
} from './values.ts'

const FILTERS = ['all', 'open', 'closed', 'none'] as const satisfies readonly ListFilter[]
const CHANGED_FIELDS = ['name', 'closed', 'pos', 'idBoard', 'subscribed', 'softLimit'] as const

const readOfBoard: ApiHandler = async ({ store }, request) => {
  const { viewer, input, params } = request
  const filter =
    params.filter === undefined
      ? choiceValue(input, 'filter', FILTERS)
      : choiceValue({ values: new Map([['filter', params.filter]]) }, 'filter', FILTERS)
  return store.read(function* () {
    const board = yield* findBoard(viewer, param(request, 'board'))
    const lists = yield* readLists(viewer, board.id, filter ?? 'open')
    const fields = sent(request, 'fields')
    return {
      body: lists.map((list) => selectFields(presentList(list), fields, BOARD_LIST_FIELDS))
    }
  })
}

const add: ApiHandler = async (context, request) => {
  const { input, viewer, params } = request
  if (textValue(input, 'idListSource') !== undefined) {
    throw new RequestInvalid('Lists cannot be copied here: move their cards instead')
  }
  const name = requiredText(input, 'name')
  const pos = posValue(input)
  const boardId = params.board ?? requiredId(input, 'idBoard', { links: true })
  const list = await context.store.change(function* (time) {
    const board = yield* findBoard(viewer, boardId)
    const id = context.nextId()
    return yield* addList(board, { id, name, pos }, authorOf(context, request, time))
  })
  const object = { ...presentList(list), limits: {} }
  return { body: selectFields(object, undefined, [...LIST_FIELDS, 'limits']) }
}

const read: ApiHandler = async ({ store }, request) => {
  const list = await store.read(() => findList(request.viewer, param(request, 'list')))
  return { body: selectFields(presentList(list), sent(request, 'fields'), LIST_FIELDS) }
}

const readField: ApiHandler = async ({ store }, request) => {
  const list = await store.read(() => findList(request.viewer, param(request, 'list')))
  return fieldOf(presentList(list), param(request, 'field'), `/1/lists/${list.id}`)
}

const readBoard: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const board = await store.read(function* () {
    const list = yield* findList(viewer, param(request, 'list'))
    return yield* findBoard(viewer, list.board)
  })
  const object = presentBoard(board, viewOf(request))
  return { body: selectFields(object, sent(request, 'fields'), BOARD_FIELDS) }
}

const change: ApiHandler = async (context, request) => {
  const { input, viewer } = request
  const target = idValue(input, 'idBoard', { links: true }) ?? undefined
  const pos = posValue(input)
  const changes = {
    name: sent(request, 'name') === undefined ? undefined : requiredText(input, 'name'),
    closed: booleanValue(input, 'closed'),
    pos
  }
  booleanValue(input, 'subscribed')
  const list = await context.store.change(function* (time) {
    const found = yield* findList(viewer, param(request, 'list'))
    const board = yield* findBoard(viewer, found.board)
    const author = authorOf(context, request, time)
    const destination = target === undefined ? board : yield* findBoard(viewer, target)
    const moved =
      destination.id === board.id
        ? found
        : yield* moveList(context, { board, list: found, destination, pos }, author)
    return yield* changeList(destination, moved, changes, authorOf(context, request, time))
  })
  return { body: selectFields(presentList(list), undefined, LIST_FIELDS) }
}

const archive: ApiHandler = async ({ store }, request) => {
  await store.change(function* (time) {
    const list = yield* findList(request.viewer, param(request, 'list'))
    yield* archiveCards(list, time)
  })
  return { body: {} }
}

const move: ApiHandler = async (context, request) => {
  const { input, viewer } = request
  const idList = requiredId(input, 'idList')
  const idBoard = idValue(input, 'idBoard', { links: true }) ?? undefined
  await context.store.change(function* (time) {
    const list = yield* findList(viewer, param(request, 'list'))
    const target = yield* findList(viewer, idList)
    if (idBoard !== undefined) {
      const board = yield* findBoard(viewer, idBoard)
      if (board.id !== target.board) throw new RequestInvalid('The list is not on that board')
    }
    yield* moveCards(context, list, target, authorOf(context, request, time))
  })
  return { body: {} }
}

export const listHandlers = {
  boardLists: readOfBoard,
  addBoardList: add,
  addList: add,
  list: read,
  listField: readField,
  listBoard: readBoard,
  changeList: change,
  changeListField: (context, request) =>
    change(context, withField(request, CHANGED_FIELDS, `/1/lists/${param(request, 'list')}`)),
  archiveAllCards: archive,
  moveAllCards: move
} as const satisfies Partial<Record<HandlerName, ApiHandler>>
