import type { Transaction } from '../../../kernel/database/transaction.ts'
import type { Input } from '../http/input.ts'
import { presentAction } from '../present/action.ts'
import { BOARD_FIELDS, presentBoard } from '../present/board.ts'
import { presentChecklist } from '../present/checklist.ts'
import { presentField } from '../present/field.ts'
import { presentLabel } from '../present/label.ts'
import { BOARD_LIST_FIELDS, presentList } from '../present/list.ts'
import { presentMember } from '../present/member.ts'
import { presentOrganization } from '../present/organization.ts'
import { seesPublishedOnly, type Viewer } from '../records/viewer.ts'
import { listBoards } from '../store/boards.ts'
import { readChecklists } from '../store/card-details.ts'
import { type CardFilter, MAX_CARDS } from '../store/card-selection.ts'
import { findBoard } from '../store/find.ts'
import { readLabels } from '../store/labels.ts'
import { type ListFilter, readLists } from '../store/lists.ts'
import { requireMember } from '../store/members.ts'
import { readActions } from '../store/read-actions.ts'
import { readCards } from '../store/read-cards.ts'
import { readFields } from '../store/read-fields.ts'
import type { BoardRow } from '../store/rows.ts'
import { actionTypes } from './action-types.ts'
import { idBound } from './card-range.ts'
import { includeOf, presentCards, readCardView } from './card-view.ts'
import { isWanted } from './requests.ts'
import { dateValue, numberValue, selectFields } from './values.ts'

const MAX_LABELS = 1000
const MAX_ACTIONS = 1000
const DEFAULT_ACTIONS = 50
const MEMBER_FIELDS = ['id', 'fullName', 'username']
/** Parts of Trello's boards that there are not here. */
const EMPTY_PARTS = [
  'boardPlugins',
  'boardStars',
  'membersInvited',
  'plugins',
  'pluginData',
  'tags'
]

export interface NestedRequest {
  readonly input: Input
  readonly baseUrl: string
}

interface Nested extends NestedRequest {
  readonly viewer: Viewer
  readonly board: BoardRow
  readonly isPublished: boolean
}

type Parts = Record<string, unknown>
type PartReader = (nested: Nested) => Transaction<unknown>

/** By the name of the parameter, which is that of the part. */
const PARTS: Readonly<Record<string, PartReader>> = {
  lists: readListPart,
  cards: readCardPart,
  labels: readLabelPart,
  customFields: readFieldPart,
  checklists: readChecklistPart,
  actions: readActionPart,
  members: readMemberPart,
  organization: readOrganizationPart
}

/** A board with the parts that the parameters name; each takes a fixed number of statements. */
export function* nestedBoard(
  viewer: Viewer,
  idOrLink: string,
  request: NestedRequest
): Transaction<Parts> {
  const { input, baseUrl } = request
  const board = yield* findBoard(viewer, idOrLink)
  const isPublished = seesPublishedOnly(viewer)
  const object = presentBoard(board, { baseUrl, isPublished })
  const parts: Parts = selectFields(object, input.values.get('fields'), BOARD_FIELDS)
  const nested = { ...request, viewer, board, isPublished }
  for (const [name, readPart] of Object.entries(PARTS)) {
    if (isWanted(input.values.get(name))) parts[name] = yield* readPart(nested)
  }
  for (const name of EMPTY_PARTS) if (isWanted(input.values.get(name))) parts[name] = []
  return parts
}

function* readListPart({ viewer, board, input }: Nested): Transaction<unknown> {
  const lists = yield* readLists(viewer, board.id, listFilter(input.values.get('lists')))
  const fields = input.values.get('list_fields')
  return lists.map((list) => selectFields(presentList(list), fields, BOARD_LIST_FIELDS))
}

function listFilter(value: unknown): ListFilter {
  return value === 'open' || value === 'closed' ? value : 'all'
}

function* readCardPart({ viewer, board, input, baseUrl }: Nested): Transaction<unknown> {
  const view = readCardView(input, 'card_')
  const selection = {
    board: board.id,
    filter: cardFilter(input.values.get('cards')),
    modifiedSince: dateValue(input, 'cards_modifiedSince') ?? undefined,
    limit: numberValue(input, 'cards_limit', { min: 0, max: MAX_CARDS })
  }
  const cards = yield* readCards(viewer, selection, includeOf(view))
  const member = view.members ? yield* requireMember(board.owner) : undefined
  return presentCards(cards, view, { baseUrl, viewer, member })
}

function cardFilter(value: unknown): CardFilter {
  return value === 'closed' || value === 'all' || value === 'visible' ? value : 'open'
}

function* readFieldPart({ viewer, board }: Nested): Transaction<unknown> {
  return (yield* readFields(viewer, board.id)).map(presentField)
}

function* readChecklistPart({ board, input, isPublished }: Nested): Transaction<unknown> {
  if (isPublished) return []
  const cards = { sql: 'select c.id from cards c where c.board = ?', args: [board.id] }
  const fields = input.values.get('checklist_fields')
  return [...(yield* readChecklists(cards)).values()]
    .flat()
    .map((checklist) => selectFields(presentChecklist(checklist), fields))
}

function* readActionPart({
  viewer,
  board,
  input,
  baseUrl,
  isPublished
}: Nested): Transaction<unknown> {
  if (isPublished) return []
  const actions = yield* readActions(viewer, {
    board: board.id,
    limit: numberValue(input, 'actions_limit', { min: 0, max: MAX_ACTIONS }) ?? DEFAULT_ACTIONS,
    since: idBound(input, 'actions_since'),
    filter: actionTypes(input, 'actions')
  })
  const fields = input.values.get('action_fields')
  return actions.map((action) => selectFields(presentAction(action, baseUrl), fields))
}

function* readLabelPart({ viewer, board, input }: Nested): Transaction<unknown> {
  const limit = numberValue(input, 'labels_limit', { min: 0, max: MAX_LABELS }) ?? MAX_LABELS
  const labels = yield* readLabels(viewer, board.id, limit)
  const fields = input.values.get('label_fields')
  return labels.map((label) => selectFields(presentLabel(label), fields))
}

function* readMemberPart({ board, input, baseUrl, isPublished }: Nested): Transaction<unknown> {
  if (isPublished) return []
  const member = presentMember(yield* requireMember(board.owner), baseUrl)
  return [selectFields(member, input.values.get('member_fields'), MEMBER_FIELDS)]
}

function* readOrganizationPart(nested: Nested): Transaction<unknown> {
  const { viewer, board, input, baseUrl, isPublished } = nested
  if (isPublished) return null
  const member = yield* requireMember(board.owner)
  const boards = (yield* listBoards(viewer, 'all')).map(({ id }) => id)
  const organization = presentOrganization(member, baseUrl, boards)
  return selectFields(organization, input.values.get('organization_fields'))
}
