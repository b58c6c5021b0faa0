import type { ApiHandler, ApiRequest, CardContext } from '../context.ts'
import { PermissionMissing, RequestInvalid } from '../contract.ts'
import { BOARD_FIELDS, presentBoard } from '../present/board.ts'
import { presentMembership } from '../present/member.ts'
import { presentOrganization } from '../present/organization.ts'
import { DEFAULT_LABEL_COLORS } from '../records/label-colors.ts'
import { addBoard, changeBoard, listBoards } from '../store/boards.ts'
import { findBoard } from '../store/find.ts'
import { insertLabel } from '../store/labels.ts'
import { insertList } from '../store/lists.ts'
import { requireMember } from '../store/members.ts'
import { removeBoard } from '../store/remove-board.ts'
import type { BoardRow } from '../store/rows.ts'
import { checkWorkspace, labelNamesValue, prefsValue } from './board-values.ts'
import { nestedBoard } from './nested-board.ts'
import { authorOf, fieldOf, memberOf, param, sent, viewOf, withField } from './requests.ts'
import type { HandlerName } from './route-table.ts'
import { booleanValue, requiredText, selectFields, textValue } from './values.ts'

const DEFAULT_LISTS = ['To Do', 'Doing', 'Done'] as const
const CHANGED_FIELDS = ['name', 'desc', 'closed', 'subscribed', 'idOrganization', 'prefs'] as const
/** Nested resources of Trello that boards do not have here. */
const EMPTY_LISTS: ReadonlySet<string> = new Set(
  'boardplugins boardstars deltas membersinvited plugindata plugins tags powerups'.split(' ')
)

const add: ApiHandler = async (context, request) => {
  const { store, nextId } = context
  const { input } = request
  const viewer = memberOf(request)
  // The token would not see its new board.
  if (viewer.boards !== undefined) throw new PermissionMissing()
  if (textValue(input, 'idBoardSource') !== undefined) {
    throw new RequestInvalid('Boards cannot be copied here: export the board and import it again')
  }
  const name = requiredText(input, 'name')
  const description = textValue(input, 'desc') ?? ''
  const { permission = 'private', prefs } = prefsValue(input)
  const lists = (booleanValue(input, 'defaultLists') ?? true) ? DEFAULT_LISTS : []
  const colors = (booleanValue(input, 'defaultLabels') ?? true) ? DEFAULT_LABEL_COLORS : []
  const board = await store.change(function* (time) {
    checkWorkspace(input, yield* requireMember(viewer.member))
    const fields = { name, description, permission, prefs }
    const ids = { id: nextId(), owner: viewer.member, actionId: nextId() }
    const added = yield* addBoard({ ...ids, ...fields }, time)
    for (const list of lists) {
      yield* insertList(added.id, { id: nextId(), name: list, pos: 'bottom' })
    }
    for (const color of colors) yield* insertLabel(added.id, { id: nextId(), name: '', color })
    return added
  })
  const object = presentBoard(board, viewOf(request))
  return { body: selectFields(object, sent(request, 'fields'), [...BOARD_FIELDS, 'limits']) }
}

const change: ApiHandler = async (context, request) => {
  const board = await applyChange(context, request)
  return { body: selectFields(presentBoard(board, viewOf(request)), undefined, BOARD_FIELDS) }
}

async function applyChange(context: CardContext, request: ApiRequest): Promise<BoardRow> {
  const { input, viewer } = request
  const name = sent(request, 'name') === undefined ? undefined : requiredText(input, 'name')
  const { permission, prefs } = prefsValue(input)
  const changes = {
    name,
    description: textValue(input, 'desc'),
    closed: booleanValue(input, 'closed'),
    permission,
    prefs,
    labelNames: labelNamesValue(input)
  }
  booleanValue(input, 'subscribed')
  return context.store.change(function* (time) {
    const found = yield* findBoard(viewer, param(request, 'board'))
    checkWorkspace(input, yield* requireMember(memberOf(request).member))
    return yield* changeBoard(found, changes, authorOf(context, request, time))
  })
}

const remove: ApiHandler = async ({ store }, request) => {
  await store.change(
    function* () {
      const { id } = yield* findBoard(request.viewer, param(request, 'board'))
      yield* removeBoard(id)
    },
    { frees: true }
  )
  return { body: { _value: null } }
}

const read: ApiHandler = async ({ store }, request) => {
  const { viewer, input } = request
  const body = await store.read(() =>
    nestedBoard(viewer, param(request, 'board'), { input, baseUrl: request.baseUrl })
  )
  return { body }
}

const readField: ApiHandler = async ({ store }, request) => {
  const field = param(request, 'field')
  return store.read(function* () {
    const board = yield* findBoard(request.viewer, param(request, 'board'))
    if (EMPTY_LISTS.has(field.toLowerCase())) return { body: [] }
    if (field.toLowerCase() === 'organization') {
      const viewer = memberOf(request)
      const member = yield* requireMember(viewer.member)
      const boards = yield* listBoards(viewer, 'all')
      const ids = boards.map(({ id }) => id)
      const organization = presentOrganization(member, request.baseUrl, ids)
      return { body: selectFields(organization, sent(request, 'fields')) }
    }
    return fieldOf(presentBoard(board, viewOf(request)), field, `/1/boards/${board.id}`)
  })
}

const readMemberships: ApiHandler = async ({ store }, request) => {
  const board = await store.read(() => findBoard(request.viewer, param(request, 'board')))
  return { body: [presentMembership(board.id, board.owner)] }
}

export const boardHandlers = {
  addBoard: add,
  board: read,
  boardField: readField,
  boardMemberships: readMemberships,
  changeBoard: change,
  changeBoardField: (context, request) =>
    change(context, withField(request, CHANGED_FIELDS, `/1/boards/${param(request, 'board')}`)),
  removeBoard: remove
} as const satisfies Partial<Record<HandlerName, ApiHandler>>
