import { chunkSize, multiRowSql } from '../../../kernel/database/insert-batching.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { slugOf } from '../../../kernel/slug.ts'
import type { CardRow } from './rows.ts'

type NamedCard = Pick<
  CardRow,
  'id' | 'board' | 'name' | 'number' | 'slug' | 'slug_is_set' | 'short_link'
>

const MAX_SLUG = 80
/** After a hyphen; cards of the same name beyond these get their own number. */
const FIRST_NUMBERS = [2, 3, 4, 5]
const SUFFIX = /^-\d+(-[A-Za-z0-9]{8})?$/
const INSERT = 'insert into slugs (board, slug, card) values (?, ?, ?)'

/**
 * The slugs of public cards of one board, by id: from the name when a card is first public, and
 * again when the name has changed. Former slugs stay in `slugs`. Cards of the same name get
 * numbers. The number of statements is that of some hundred cards each.
 */
export function* chooseSlugs(cards: readonly NamedCard[]): Transaction<Map<string, string>> {
  const slugs = new Map<string, string>()
  const waiting = cards.filter((card) => {
    if (card.slug !== null && isKept(card, card.slug)) slugs.set(card.id, card.slug)
    return !slugs.has(card.id)
  })
  const [first] = waiting
  if (first === undefined) return slugs
  const candidates = new Map(waiting.map((card) => [card.id, candidatesOf(card)]))
  const cardOf = yield* usedSlugs(first.board, [...new Set([...candidates.values()].flat())])
  const added: [slug: string, card: string][] = []
  for (const { id } of waiting) {
    const slug = candidates.get(id)?.find((one) => (cardOf.get(one) ?? id) === id)
    if (slug === undefined) throw new Error(`All slugs of the card ${id} are used`)
    if (!cardOf.has(slug)) added.push([slug, id])
    cardOf.set(slug, id)
    slugs.set(id, slug)
  }
  for (let done = 0; done < added.length; ) {
    const size = chunkSize(added.length - done, 3)
    const rows = added.slice(done, done + size).flatMap((row) => [first.board, ...row])
    yield* query(multiRowSql(INSERT, size), ...rows)
    done += size
  }
  return slugs
}

/** The cards of those slugs that are used. */
function* usedSlugs(board: string, slugs: readonly string[]): Transaction<Map<string, string>> {
  const cards = new Map<string, string>()
  for (let done = 0; done < slugs.length; ) {
    const size = chunkSize(slugs.length - done, 1)
    const marks = Array(size).fill('?').join(', ')
    const rows = yield* query<{ slug: string; card: string }>(
      `select slug, card from slugs where board = ? and slug in (${marks})`,
      ...[board, ...slugs.slice(done, done + size)]
    )
    for (const { slug, card } of rows) cards.set(slug, card)
    done += size
  }
  return cards
}

/** A member may have set it. */
function isKept(card: NamedCard, slug: string): boolean {
  const base = baseOf(card)
  const isOfName = slug.startsWith(base) && SUFFIX.test(slug.slice(base.length))
  return card.slug_is_set === 1 || slug === base || isOfName
}

function baseOf({ name, short_link }: NamedCard): string {
  return slugOf(name, MAX_SLUG) || short_link
}

function candidatesOf(card: NamedCard): string[] {
  const { number, short_link } = card
  const base = baseOf(card)
  const numbered = [...FIRST_NUMBERS, number].map((one) => `${base}-${one}`)
  return [base, ...numbered, `${base}-${number}-${short_link}`]
}
