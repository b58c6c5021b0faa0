import { insertRow, query, type Transaction } from '../../../../kernel/database/transaction.ts'
import type { ImportedCard } from '../../import-export/imported.ts'
import { rowsBy } from './stored-rows.ts'

interface SlugRow {
  board: string
  slug: string
  card: string
}

/** Slugs and dates that an export of nonet tells, as far as no other card of the board has them. */
export function* keepSlugs(board: string, cards: readonly ImportedCard[]): Transaction<void> {
  const published = cards.filter(({ publication }) => publication !== undefined)
  if (published.length === 0) return
  const slugs = published.flatMap(slugsOf)
  const rows = yield* rowsBy<SlugRow>('slugs', 'slug', [...new Set(slugs)])
  const owners = new Map(
    rows.filter((row) => row.board === board).map(({ slug, card }) => [slug, card])
  )
  for (const card of published) {
    const { id, publication } = card
    if (publication === undefined) continue
    for (const slug of slugsOf(card)) {
      if (owners.has(slug)) continue
      owners.set(slug, id)
      yield* insertRow('slugs', { board, slug, card: id })
    }
    const isOwn = owners.get(publication.slug) === id
    const { slug, isSlugSet, publishedAt } = publication
    yield* query(
      `update cards set published_at = ?${isOwn ? ', slug = ?, slug_is_set = ?' : ''} where id = ?`,
      ...[publishedAt, ...(isOwn ? [slug, isSlugSet ? 1 : 0] : []), id]
    )
  }
}

function slugsOf({ publication }: ImportedCard): string[] {
  return publication === undefined ? [] : [publication.slug, ...publication.formerSlugs]
}
