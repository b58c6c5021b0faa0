import { parseQuery } from '../../../kernel/search/parse-query.ts'
import { type SearchQuery, SearchSyntaxError } from '../../../kernel/search/query.ts'
import { words } from '../../../kernel/search/words.ts'
import type { ApiHandler, ApiRequest } from '../context.ts'
import { RequestInvalid, ValueInvalid } from '../contract.ts'
import { BOARD_FIELDS, presentBoard } from '../present/board.ts'
import { listBoards } from '../store/boards.ts'
import { findBoard } from '../store/find.ts'
import type { BoardRow } from '../store/rows.ts'
import { searchCards } from '../store/search-cards.ts'
import { SEARCH_OPERATORS } from '../store/search-document.ts'
import { includeOf, presentCards, readCardView } from './card-view.ts'
import { memberOf, sent, viewOf } from './requests.ts'
import { namesOf, numberValue, requiredText, selectFields } from './values.ts'

const MODEL_TYPES = ['cards', 'boards', 'organizations', 'members', 'actions'] as const
const MAX_IDS = 100

/** Cards by their words, boards by words of their names; of other types nothing is found. */
const search: ApiHandler = async ({ store }, request) => {
  const { input, baseUrl } = request
  const viewer = memberOf(request)
  const text = requiredText(input, 'query')
  const query = readQuery(text)
  const types = typesOf(request)
  const limit = numberValue(input, 'cards_limit', { min: 1, max: 1000 }) ?? 10
  const page = numberValue(input, 'cards_page', { min: 0, max: 100 }) ?? 0
  const boardLimit = numberValue(input, 'boards_limit', { min: 1, max: 1000 }) ?? 10
  const names = boardNames(request)
  const view = readCardView(input, 'card_')
  const { boards, cards } = await store.read(function* () {
    const ids: string[] = []
    for (const name of names ?? []) ids.push((yield* findBoard(viewer, name)).id)
    const wanted = { query, boards: names && ids, limit, skip: page * limit }
    return {
      boards: types.has('boards') ? yield* listBoards(viewer, 'all') : [],
      cards: types.has('cards')
        ? yield* searchCards(store.engine, viewer, wanted, includeOf(view))
        : []
    }
  })
  const found = boards.filter((board) => isMatch(board, text)).slice(0, boardLimit)
  const body = {
    options: {
      terms: [{ text }],
      modifiers: [],
      modelTypes: [...types],
      partial: sent(request, 'partial') === 'true'
    },
    boards: found.map((board) =>
      selectFields(
        presentBoard(board, viewOf(request)),
        sent(request, 'board_fields'),
        BOARD_FIELDS
      )
    ),
    cards: presentCards(cards, view, { baseUrl, viewer }),
    organizations: [],
    members: []
  }
  return { body }
}

function readQuery(text: string): SearchQuery {
  try {
    return parseQuery(text, SEARCH_OPERATORS)
  } catch (error) {
    throw error instanceof SearchSyntaxError ? new RequestInvalid(error.message) : error
  }
}

function typesOf(request: ApiRequest): ReadonlySet<string> {
  const names = namesOf(sent(request, 'modelTypes') ?? 'all')
  if (names === undefined) throw new ValueInvalid('modelTypes')
  return new Set(MODEL_TYPES.filter((type) => names.includes('all') || names.includes(type)))
}

/** Undefined for `mine`, which is the default: all boards of the member. */
function boardNames(request: ApiRequest): string[] | undefined {
  const value = sent(request, 'idBoards') ?? 'mine'
  const names = namesOf(value)
  if (names === undefined || names.length > MAX_IDS) throw new ValueInvalid('idBoards')
  return names.includes('mine') ? undefined : names
}

function isMatch({ name }: BoardRow, text: string): boolean {
  const own = new Set(words(name))
  const wanted = words(text)
  return wanted.length > 0 && wanted.every((word) => own.has(word))
}

export const searchHandlers = { search } as const satisfies Record<string, ApiHandler>
