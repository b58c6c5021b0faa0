import { fullGroupsOf, placeholders } from '../../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../../kernel/database/transaction.ts'
import type { ImportedCard } from '../../import-export/imported.ts'
import { createdAt } from '../../records/ids.ts'
import type { BoardRow, CardRow } from '../rows.ts'
import { freeShortLink } from '../short-links.ts'
import { rowsBy } from './stored-rows.ts'

/** Numbers per statement. */
const GROUP = 50

type ByCard<T> = Map<string, T>

/** The short links of the file, and new ones for cards whose link is in use or missing. */
export function* freeShortLinks(cards: readonly ImportedCard[]): Transaction<ByCard<string>> {
  const wanted = cards.flatMap(({ shortLink }) => shortLink ?? [])
  const rows = yield* rowsBy<CardRow>('cards', 'short_link', wanted)
  const used = new Set(rows.map(({ short_link: link }) => link))
  const links: ByCard<string> = new Map()
  for (const { id, shortLink } of cards) {
    const isFree = shortLink !== undefined && !used.has(shortLink)
    const link = isFree ? shortLink : yield* freeShortLink('cards')
    used.add(link)
    links.set(id, link)
  }
  return links
}

/** The numbers of the file; a card without one, or with one in use, gets the next of the board. */
export function* freeNumbers(
  board: BoardRow,
  cards: readonly ImportedCard[]
): Transaction<ByCard<number>> {
  const wanted = cards.flatMap(({ number }) => number ?? [])
  const used = new Set<number>()
  const old = wanted.filter((number) => number <= board.last_number)
  for (const group of fullGroupsOf(old, GROUP)) {
    const rows = yield* query<{ number: number }>(
      `select number from cards where board = ? and number in (${placeholders(GROUP)})`,
      ...[board.id, ...group]
    )
    for (const { number } of rows) used.add(number)
  }
  let last = Math.max(board.last_number, ...wanted)
  const numbers: ByCard<number> = new Map()
  for (const { id, number } of cards) {
    const chosen = number === undefined || used.has(number) ? ++last : number
    used.add(chosen)
    numbers.set(id, chosen)
  }
  if (last !== board.last_number) {
    yield* query('update boards set last_number = ? where id = ?', last, board.id)
  }
  return numbers
}

const PER_MILLISECOND = 1_000_000n
const PER_SECOND = 1_000_000_000n

/** From the second in the id, and then in the order of the ids as far as possible. */
export function* freeSortKeys(ids: readonly string[]): Transaction<ByCard<string>> {
  const wanted = new Map(ids.map((id) => [id, sortKeyOf(id)]))
  const rows = yield* rowsBy<CardRow>('cards', 'sort_key', [...wanted.values()])
  const used = new Set(rows.map(({ sort_key: key }) => key))
  for (const [id, key] of wanted) {
    let free = key
    while (used.has(free) || (free !== key && (yield* isUsed(free)))) {
      free = String(BigInt(free) + 1n).padStart(19, '0')
    }
    used.add(free)
    wanted.set(id, free)
  }
  return wanted
}

function* isUsed(key: string): Transaction<boolean> {
  const rows = yield* query('select 1 as found from cards where sort_key = ?', key)
  return rows.length > 0
}

function sortKeyOf(id: string): string {
  const start = BigInt(Date.parse(createdAt(id))) * PER_MILLISECOND
  const rest = BigInt(Number.parseInt(id.slice(16), 16)) % PER_SECOND
  return String(start + rest).padStart(19, '0')
}
