import type { ApiHandler, ApiRequest, CardContext } from '../context.ts'
import { ObjectUnknown } from '../contract.ts'
import { foldName } from '../records/member-name.ts'
import type { CardFilter, CardSelection } from '../store/card-selection.ts'
import { findBoard } from '../store/find.ts'
import { requireMember } from '../store/members.ts'
import { readCard, readCards } from '../store/read-cards.ts'
import { readRange } from './card-range.ts'
import { includeOf, presentCards, presentCardView, readCardView } from './card-view.ts'
import { memberOf, param } from './requests.ts'
import { choiceValue } from './values.ts'

const FILTERS = ['open', 'closed', 'all', 'visible', 'none'] as const
type SentFilter = (typeof FILTERS)[number]

async function readList(
  { store }: CardContext,
  request: ApiRequest,
  selection: CardSelection,
  filter: SentFilter
): Promise<{ body: unknown }> {
  const { viewer, baseUrl, input } = request
  const view = readCardView(input, '')
  const range = readRange(input)
  const wanted = { ...selection, ...range, filter: filter === 'none' ? 'all' : filter }
  // The board or list must be known although no card is wanted.
  const limit = filter === 'none' ? 0 : range.limit
  return store.read(function* () {
    const parts = yield* readCards(
      viewer,
      { ...wanted, limit } satisfies CardSelection,
      includeOf(view)
    )
    const isMember = viewer.kind === 'member'
    const member = view.members && isMember ? yield* requireMember(viewer.member) : undefined
    return { body: presentCards(parts, view, { baseUrl, viewer, member }) }
  })
}

/** Of the path, else of the query. */
function filterOf(request: ApiRequest, fallback: CardFilter): SentFilter {
  const { params, input } = request
  const values = params.filter === undefined ? input.values : new Map([['filter', params.filter]])
  return choiceValue({ values }, 'filter', FILTERS) ?? fallback
}

const boardCards: ApiHandler = (context, request) => {
  const selection = { board: param(request, 'board') }
  return readList(context, request, selection, filterOf(request, 'visible'))
}

/** The last segment is a filter or a card of the board. */
const boardCardsOrCard: ApiHandler = async (context, request) => {
  const { viewer, baseUrl, input } = request
  const name = param(request, 'filter')
  if (FILTERS.some((filter) => filter === name)) return boardCards(context, request)
  const view = readCardView(input, '')
  return context.store.read(function* () {
    const board = yield* findBoard(viewer, param(request, 'board'))
    const parts = yield* readCard(viewer, name, includeOf(view))
    if (parts.card.board !== board.id) throw new ObjectUnknown()
    return { body: presentCardView(parts, view, { baseUrl, viewer }) }
  })
}

const listCards: ApiHandler = (context, request) => {
  const selection = { list: param(request, 'list') }
  return readList(context, request, selection, filterOf(request, 'open'))
}

/** Cards that the member of the token is on. */
const memberCards: ApiHandler = async (context, request) => {
  const { member: id } = memberOf(request)
  const name = param(request, 'member')
  const member = await context.store.read(() => requireMember(id))
  const isOwn = [member.id, 'me'].includes(name.toLowerCase())
  if (!isOwn && foldName(name) !== member.folded_name) throw new ObjectUnknown()
  // Ids have digits only, so that the pattern has no other wildcards.
  const condition = { sql: 'c.members like ?', args: [`%"${id}"%`] }
  return readList(context, request, { condition }, filterOf(request, 'visible'))
}

export const cardListHandlers = {
  boardCards,
  boardCardsOrCard,
  listCards,
  memberCards
} as const satisfies Record<string, ApiHandler>
