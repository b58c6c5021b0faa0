import type { Input } from '../http/input.ts'
import type { CardParts } from '../records/card-parts.ts'
import type { Viewer } from '../records/viewer.ts'
import { MAX_CARDS } from '../store/card-selection.ts'
import { readCards } from '../store/read-cards.ts'
import type { CardStore } from '../store/store.ts'
import { includeOf, presentCards, readCardView } from './card-view.ts'
import { nestedBoard } from './nested-board.ts'

/** All that a board has besides its cards, as Trello's own export has it. */
const EVERYTHING: Input = {
  files: new Map(),
  allFiles: [],
  values: new Map([
    ['fields', 'all'],
    ['lists', 'all'],
    ['labels', 'all'],
    ['members', 'all'],
    ['member_fields', 'all'],
    ['customFields', 'true'],
    ['checklists', 'all'],
    ['actions', 'all'],
    ['actions_limit', '1000'],
    ['pluginData', 'true'],
    ['card_attachments', 'true'],
    ['card_customFieldItems', 'true'],
    ['card_pluginData', 'true']
  ])
}

/** A board with all its cards, which are read in several steps. */
export async function wholeBoard(
  store: CardStore,
  viewer: Viewer,
  link: string,
  baseUrl: string
): Promise<object> {
  const board = await store.read(() => nestedBoard(viewer, link, { input: EVERYTHING, baseUrl }))
  const view = readCardView(EVERYTHING, 'card_')
  const cards: CardParts[] = []
  for (let before: string | undefined; ; ) {
    const selection = { board: String(board.id), limit: MAX_CARDS, before }
    const page = await store.read(() => readCards(viewer, selection, includeOf(view)))
    cards.push(...page)
    if (page.length < MAX_CARDS) break
    before = page.map(({ card }) => card.id).sort()[0]
  }
  const inOrder = cards.toSorted((one, other) => one.card.pos - other.card.pos)
  return { ...board, cards: presentCards(inOrder, view, { baseUrl, viewer }) }
}
