import { placeholders } from '../../../../kernel/database/groups.ts'
import { insertRows } from '../../../../kernel/database/insert-rows.ts'
import { query, type SqlValue, type Transaction } from '../../../../kernel/database/transaction.ts'
import type { ImportedCard } from '../../import-export/imported.ts'
import { createdAt } from '../../records/ids.ts'
import { isPublished } from '../../records/publication.ts'
import { touchBoard } from '../board-change.ts'
import { indexCards, updatePublication } from '../card-change.ts'
import type { BoardRow, CardRow, ListRow } from '../rows.ts'
import { changesOfDetails, type DetailChanges, writeDetails } from './card-details.ts'
import { freeNumbers, freeShortLinks, freeSortKeys } from './free-values.ts'
import { listsOf } from './import-parts.ts'
import { addPublications, settleSchedule } from './import-schedules.ts'
import { keepSlugs } from './import-slugs.ts'
import { ID_USED, type ImportResult } from './results.ts'
import { differences, rowsById } from './stored-rows.ts'

export interface CardsImport {
  board: string
  cards: readonly ImportedCard[]
  maxCards: number
  maxAttachments: number
  dryRun: boolean
}

export interface CardsOutcome {
  results: ImportResult[]
  /** Reasons and ids of parts that are left out. */
  skipped: { reason: string; id: string }[]
  /** Ids of cards whose short link is in use elsewhere. */
  newLinks: string[]
}

interface Change {
  card: ImportedCard
  /** Undefined if the card is added. */
  row: CardRow | undefined
  columns: Record<string, SqlValue>
  details: DetailChanges
}

const UNKNOWN: CardsOutcome = { results: [], skipped: [], newLinks: [] }

/** Cards of a board with everything that belongs to them, each as far as it differs. */
export function* importCards(request: CardsImport, time: string): Transaction<CardsOutcome> {
  const { board: id, dryRun } = request
  const [board] = yield* query<BoardRow>('select * from boards where id = ?', id)
  if (board === undefined) return UNKNOWN
  const lists = yield* listsOf(id)
  const cards = request.cards.map((card) => settleSchedule(card, lists, time))
  const stored = yield* rowsById<CardRow>(
    'cards',
    cards.map((card) => card.id)
  )
  const details = yield* changesOfDetails({ ...request, member: board.owner })
  const space = yield* spaceFor(request)
  const outcome: CardsOutcome = { results: [], skipped: details.skipped, newLinks: [] }
  const changes: Change[] = []
  for (const card of cards) {
    const row = stored.get(card.id)
    const result = resultOf(row)
    outcome.results.push(result)
    if (result === 'added' || result === 'updated') {
      changes.push({ card, row, columns: columnsOf(card, board.owner), details: detailsOf(card) })
    }
  }
  if (dryRun) return outcome
  outcome.newLinks = yield* writeCards(changes, { board, lists, time })
  return outcome

  function resultOf(row: CardRow | undefined): ImportResult {
    const card = cards[outcome.results.length]
    if (card === undefined) return 'unchanged'
    if (row !== undefined && row.board !== id) return { skipped: ID_USED }
    if (!dryRun && !lists.has(card.list)) return { skipped: 'of a list that is not imported' }
    if (row === undefined) {
      if (space.left <= 0) return { skipped: `above the limit of ${request.maxCards} per board` }
      space.left--
      return 'added'
    }
    const isChanged =
      Object.keys(differences(row, columnsOf(card, board?.owner ?? ''))).length > 0 ||
      detailsOf(card).isChanged
    return isChanged ? 'updated' : 'unchanged'
  }

  function detailsOf({ id: card }: ImportedCard): DetailChanges {
    const found = details.byCard.get(card)
    if (found === undefined) throw new Error(`The details of the card ${card} were not read`)
    return found
  }
}

function* spaceFor({ board, maxCards }: CardsImport): Transaction<{ left: number }> {
  const [row] = yield* query<{ count: number }>(
    'select count(*) as count from cards where board = ?',
    board
  )
  return { left: maxCards - (row?.count ?? 0) }
}

/** Columns that the file tells; those of publication and links are written otherwise. */
function columnsOf(card: ImportedCard, owner: string): Record<string, SqlValue> {
  const { cover } = card
  return {
    list: card.list,
    name: card.name,
    description: card.description,
    closed: card.isClosed ? 1 : 0,
    pos: card.pos,
    due: card.due,
    due_complete: card.isDueComplete ? 1 : 0,
    due_reminder: card.dueReminder,
    start: card.start,
    cover_attachment: cover.attachment,
    cover_is_manual: cover.isManual ? 1 : 0,
    cover_color: cover.color,
    cover_size: cover.size,
    cover_brightness: cover.brightness,
    is_template: card.isTemplate ? 1 : 0,
    card_role: card.cardRole,
    location: card.location,
    members: JSON.stringify(card.hasMember ? [owner] : []),
    changed_at: card.changedAt,
    ...(card.publishAt !== undefined && { publish_at: card.publishAt })
  }
}

interface WriteContext {
  board: BoardRow
  lists: ReadonlyMap<string, ListRow>
  time: string
}

/** Returns the ids of cards that got another short link than in the file. */
function* writeCards(changes: readonly Change[], context: WriteContext): Transaction<string[]> {
  if (changes.length === 0) return []
  const { board, lists, time } = context
  const isPublic = ({ card, row }: Change) => {
    const list = lists.get(card.list)
    const flags = { closed: card.isClosed ? 1 : 0, is_template: card.isTemplate ? 1 : 0 }
    const publishAt = card.publishAt === undefined ? (row?.publish_at ?? null) : card.publishAt
    return list !== undefined && isPublished({ ...flags, publish_at: publishAt }, list)
  }
  const wasPublic = ({ row }: Change) => {
    const list = row === undefined ? undefined : lists.get(row.list)
    return row !== undefined && list !== undefined && isPublished(row, list)
  }
  const newLinks = yield* addCards(
    changes.filter(({ row }) => row === undefined),
    { board, isPublic }
  )
  for (const { row, columns } of changes) if (row !== undefined) yield* updateCard(row, columns)
  yield* writeDetails(changes.map(({ details }) => details))
  yield* keepSlugs(
    board.id,
    changes.map(({ card }) => card)
  )
  yield* addPublications(
    changes.map(({ card }) => card),
    time
  )
  const ids = changes.map(({ card }) => card.id)
  yield* indexCards(yield* updatePublication(`c.id in (${placeholders(ids.length)})`, ids, time))
  const isSeen = changes.some((change) => isPublic(change) || wasPublic(change))
  yield* touchBoard(board.id, time, isSeen)
  return newLinks
}

function* updateCard(row: CardRow, columns: Record<string, SqlValue>): Transaction<void> {
  const changed = { ...differences(row, columns), revision: row.revision + 1 }
  const sets = Object.keys(changed).map((name) => `${name} = ?`)
  yield* query(
    `update cards set ${sets.join(', ')} where id = ?`,
    ...Object.values(changed),
    row.id
  )
}

/** A card that is public at once has been so since it was created, as far as the file tells. */
function* addCards(
  changes: readonly Change[],
  { board, isPublic }: { board: BoardRow; isPublic: (change: Change) => boolean }
): Transaction<string[]> {
  const cards = changes.map(({ card }) => card)
  const links = yield* freeShortLinks(cards)
  const numbers = yield* freeNumbers(board, cards)
  const sortKeys = yield* freeSortKeys(cards.map(({ id }) => id))
  yield* insertRows(
    'cards',
    changes.map((change) => {
      const { id } = change.card
      return {
        id,
        board: board.id,
        number: numbers.get(id) ?? 0,
        short_link: links.get(id) ?? '',
        sort_key: sortKeys.get(id) ?? '',
        creator: board.owner,
        slug: null,
        published_at: isPublic(change) ? createdAt(id) : null,
        publish_at: null,
        revision: 1,
        ...change.columns
      }
    })
  )
  return cards.flatMap(({ id, shortLink }) =>
    shortLink !== undefined && links.get(id) !== shortLink ? [id] : []
  )
}
