import { Reasons } from '../../../../kernel/exchange/reasons.ts'
import type {
  ImportedAction,
  ImportedBoard,
  ImportedField,
  ImportedLabel,
  ImportedList
} from '../imported.ts'
import { parseActions } from './actions.ts'
import { parseBoard, parseOwner } from './board.ts'
import { parseFields, parseLabels, parseLists } from './board-parts.ts'
import { type BoardParts, type ParsedCard, parseCard } from './card.ts'
import type { ParseContext } from './context.ts'
import { parseObjects } from './objects.ts'
import { arrayOf, idOf, isObject, type JsonObject, objectOf } from './values.ts'

export interface ParseOptions {
  /** See `ParseContext`. */
  readonly idFor?: (id: string) => string
  readonly keepsShortLinks: boolean
  /** Whether comments of exports of Trello are imported; nonet's own have all actions. */
  readonly withComments: boolean
  /** An id for a board without one. */
  readonly nextId: () => string
}

/** An export that is parsed piece by piece. */
export interface ParsedExport {
  readonly isOwn: boolean
  readonly board: ImportedBoard
  readonly lists: readonly ImportedList[]
  readonly labels: readonly ImportedLabel[]
  readonly fields: readonly ImportedField[]
  /** Number of objects in the array of cards. */
  readonly cardCount: number
  /** To be read once. */
  readonly cards: () => Generator<ParsedCard>
  /** To be called after the cards, with the ids of those that are stored. */
  readonly actions: (cards: ReadonlySet<string>) => readonly ImportedAction[]
  readonly skipped: Reasons
  readonly adjusted: Reasons
}

/** A sentence if it is no export of a board. */
export function parseExport(value: unknown, options: ParseOptions): ParsedExport | string {
  if (!isObject(value) || typeof value.name !== 'string') {
    return 'it is no export of a board: it has no name'
  }
  if (!Array.isArray(value.lists) || !Array.isArray(value.cards)) {
    return 'it is no export of a board: it has no arrays of lists and cards'
  }
  const context = contextOf(value, options)
  const board = parseBoard(value, idOf(value.id) ?? options.nextId(), context)
  const lists = parseLists(value.lists, context)
  const labels = parseLabels(value.labels, context)
  const fields = parseFields(value.customFields, context)
  const parts: BoardParts = {
    lists: new Set(lists.map(({ id }) => id)),
    labels: new Set(labels.map(({ id }) => id)),
    fields: new Map(fields.map((field) => [field.id, field])),
    checklists: groupChecklists(value.checklists, context)
  }
  return {
    ...{ isOwn: context.isOwn, board, lists, labels, fields, cardCount: value.cards.length },
    cards: () =>
      parseObjects<ParsedCard>(
        value.cards,
        {
          what: 'cards',
          parse: (object, id, index) => parseCard(object, id, index, parts, context)
        },
        context
      ),
    actions: (cards) =>
      context.isOwn || options.withComments
        ? parseActions(value.actions, { cards, lists: parts.lists, all: context.isOwn }, context)
        : [],
    skipped: context.skipped,
    adjusted: context.adjusted
  }
}

function contextOf(value: JsonObject, options: ParseOptions): ParseContext {
  const isOwn = isObject(value.nonet) && value.nonet.format === OWN_FORMAT
  return {
    idFor: options.idFor ?? ((id) => id),
    keepsShortLinks: options.keepsShortLinks,
    isOwn,
    owner: isOwn ? parseOwner(objectOf(objectOf(value.nonet).owner))?.id : undefined,
    seen: new Set(),
    skipped: new Reasons(),
    adjusted: new Reasons()
  }
}

/** Value of `nonet.format` in exports that nonet writes. */
export const OWN_FORMAT = 'nonet-cards-1'

/** Trello has the checklists of all cards in one array. */
function groupChecklists(value: unknown, { skipped }: ParseContext): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>()
  for (const checklist of arrayOf(value)) {
    const card = idOf(objectOf(checklist).idCard)
    if (card === undefined) {
      skipped.add(
        'checklists without the id of a card',
        String(objectOf(checklist).id).slice(0, 50)
      )
      continue
    }
    const group = groups.get(card)
    if (group === undefined) groups.set(card, [checklist])
    else group.push(checklist)
  }
  return groups
}
