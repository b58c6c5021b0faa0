import { setImmediate } from 'node:timers/promises'
import type { Cache } from '../../../kernel/cache.ts'
import type { CardParts } from '../records/card-parts.ts'
import { type CardView, type ContentCard, contentCard, publicImageUrl } from './content-card.ts'
import { type Description, renderDescription } from './description.ts'

/** After so many milliseconds other requests are handled in between. */
const TURN_MS = 8

/** Rendered descriptions, by what they depend on; cards that did not change are not rendered again. */
export type Descriptions = Cache<Description>

/** Of the cache; the key contains the text. */
export function weighDescription({ html, excerpt }: Description, key: string): number {
  return key.length + html.length + excerpt.length
}

/** In the order of the cards. */
export async function renderCards<T>(
  cards: readonly CardParts[],
  view: CardView,
  descriptions: Descriptions,
  use: (card: ContentCard) => T
): Promise<T[]> {
  const rendered: T[] = []
  let turnEnds = performance.now() + TURN_MS
  for (const parts of cards) {
    rendered.push(use(contentCard(parts, describe(parts, view, descriptions), view)))
    if (performance.now() < turnEnds) continue
    await setImmediate()
    turnEnds = performance.now() + TURN_MS
  }
  return rendered
}

function describe(parts: CardParts, view: CardView, descriptions: Descriptions): Description {
  const { id, description } = parts.card
  const urls = new Map<string, string>()
  if (description.includes('/attachments/')) {
    for (const row of parts.attachments) {
      const url = publicImageUrl(row, view)
      if (url !== undefined) urls.set(row.id, url)
    }
  }
  const render = () => renderDescription(id, description, (attachment) => urls.get(attachment))
  // Tokens are not stored.
  if (urls.size > 0 && view.imageToken !== undefined) return render()
  return descriptions.getOrCreate(`${id} ${[...urls].join(' ')}\n${description}`, render)
}
