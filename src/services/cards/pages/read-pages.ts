import { createCache } from '../../../kernel/cache.ts'
import type { CardView, ContentCard } from '../content/content-card.ts'
import { type Descriptions, renderCards, weighDescription } from '../content/render-cards.ts'
import type { CardContext } from '../context.ts'
import { ObjectUnknown } from '../contract.ts'
import type { CardParts } from '../records/card-parts.ts'
import { isShortLink } from '../records/ids.ts'
import { urlSlug } from '../records/url-slug.ts'
import { type BoardParts, readBoardParts } from '../store/content.ts'
import type { BoardRow } from '../store/rows.ts'
import type { PageRequest } from './page-request.ts'

const CACHE_BYTES = 4 * 1024 * 1024
const descriptions: Descriptions = createCache(CACHE_BYTES, weighDescription)

export const PAGE_INCLUDE = { labels: true, items: true, attachments: true }

/** Throws the same error as for an unknown board or card. */
export function requireLink(link: string | undefined): string {
  if (link === undefined || !isShortLink(link)) throw new ObjectUnknown()
  return link
}

export async function readParts(
  { store }: CardContext,
  viewer: Parameters<typeof readBoardParts>[0],
  board: BoardRow
): Promise<BoardParts> {
  return store.read(() => readBoardParts(viewer, board.id))
}

/** As sites read them; URLs of images begin with `root`. */
export function renderedCards(
  cards: readonly CardParts[],
  board: BoardRow,
  { lists, fields, options }: BoardParts,
  root: string,
  imageToken?: string
): Promise<ContentCard[]> {
  const view: CardView = {
    board,
    lists: new Map(lists.map((list) => [list.id, list])),
    fields: { fields, options: new Map(options.map((option) => [option.id, option])) },
    baseUrl: root,
    showsDrafts: false,
    imageToken
  }
  return renderCards(cards, view, descriptions, (card) => card)
}

export function boardPath({ short_link: link, name }: BoardRow): string {
  return `/b/${link}${slugPart(urlSlug(name))}`
}

export function cardPath({ short_link: link, number, name }: CardParts['card']): string {
  return `/c/${link}${slugPart([number, urlSlug(name)].filter((part) => part !== '').join('-'))}`
}

/** Of a preview link, for links to other pages of the board. */
export function tokenQuery({ token }: Pick<PageRequest, 'token'>): string {
  return token === undefined ? '' : `?token=${encodeURIComponent(token)}`
}

function slugPart(slug: string): string {
  return slug === '' ? '' : `/${encodeURIComponent(slug)}`
}

/** Whether the request has this path, which may be spelled with other escapes. */
export function isAt(path: string, names: readonly string[]): boolean {
  const wanted = path.slice(1).split('/').map(decodeURIComponent)
  return wanted.join('/') === names.join('/')
}
