import { html, type Markup } from '../../../kernel/html.ts'
import type { ContentCard } from '../content/content-card.ts'
import { renderDescription } from '../content/description.ts'
import type { CardContext } from '../context.ts'
import { findBoard } from '../store/find.ts'
import { readCards } from '../store/read-cards.ts'
import type { ListRow } from '../store/rows.ts'
import { imageTokenFor } from './access/image-token.ts'
import { memberBoardPage } from './board/member-board.ts'
import { renderCardPage, renderDay, renderLabels } from './layout.ts'
import type { PageOutcome, PageRequest } from './page-request.ts'
import {
  boardPath,
  cardPath,
  isAt,
  PAGE_INCLUDE,
  readParts,
  renderedCards,
  requireLink,
  tokenQuery
} from './read-pages.ts'

/** A card with the path of its page. */
interface ShownCard {
  card: ContentCard
  href: string
}

/** `/b/<short link>/<slug>`: lists as columns. */
export async function boardPage(context: CardContext, request: PageRequest): Promise<PageOutcome> {
  const { store, options } = context
  const { viewer, names, root, signedIn } = request
  const link = requireLink(names[1])
  const board = await store.read(() => findBoard(viewer, link))
  const path = boardPath(board)
  if (!isAt(path, names)) return { redirect: path + tokenQuery(request) }
  if (signedIn !== undefined && viewer.kind === 'member') {
    return memberBoardPage(context, { ...request, viewer }, board)
  }
  const parts = await readParts(context, viewer, board)
  const token = await imageTokenFor(context, request, board.id)
  const rows = await store.read(() =>
    readCards(viewer, { board: board.id, filter: 'visible' }, PAGE_INCLUDE)
  )
  const cards = await renderedCards(rows, board, parts, root, token)
  const shown = cards.map((card, index) => {
    const row = rows[index]
    return { card, href: row === undefined ? '' : root + cardPath(row.card) + tokenQuery(request) }
  })
  const byList = Map.groupBy(shown, ({ card }) => card.list.id)
  const lead = renderDescription(board.id, board.description, () => undefined).html
  const main = html`<h1 dir="auto">${board.name}</h1>
${lead !== '' && html`<div class="lead" dir="auto">${{ markup: lead }}</div>`}
<div class="columns">${parts.lists.map((list) => renderList(list, byList.get(list.id) ?? []))}</div>
${parts.lists.length === 0 && html`<p>Nothing is published on this board yet.</p>`}`
  const site = options.title ?? 'Boards'
  const feed = `${root}/content/${encodeURIComponent(board.slug)}/feed.xml`
  const head = html`<link rel="alternate" type="application/rss+xml" title="${board.name}" href="${feed}">`
  return { html: renderCardPage({ title: board.name, root, site, head, main, isWide: true }) }
}

function renderList({ id, name, role }: ListRow, cards: readonly ShownCard[]): Markup {
  return html`<section class="column" aria-labelledby="list-${id}">
<h2 id="list-${id}"><bdi>${name}</bdi>${role !== 'published' && html` <small>${role}</small>`}<span class="count">${cards.length}<span class="hidden"> ${cards.length === 1 ? 'card' : 'cards'}</span></span></h2>
${cards.length > 0 && html`<ul>${cards.map(renderTile)}</ul>`}
</section>`
}

function renderTile({ card, href }: ShownCard): Markup {
  const { title, images, labels, completedAt, url } = card
  const cover = images.find(({ id }) => id === card.cover) ?? images[0]
  const count = images.length > 1 && html`<span>${images.length} images</span>`
  const host = url === null ? undefined : URL.parse(url)?.hostname
  const hasFacts = completedAt !== null || images.length > 1 || host !== undefined
  return html`<li class="tile">${cover !== undefined && html`<img src="${smallest(cover)}" width="${cover.width}" height="${cover.height}" alt="${cover.alt}" loading="lazy">`}
<div>${renderLabels(labels)}
<h3 dir="auto"><a href="${href}">${title}</a></h3>
${hasFacts && html`<p class="facts">${completedAt !== null && renderDay(completedAt)}${count}${host !== undefined && html`<span>${host}</span>`}</p>`}</div></li>`
}

/** Wide enough for a column on most screens. */
function smallest({ srcset, url }: ContentCard['images'][number]): string {
  return srcset.find(({ width, format }) => width >= 600 && format === 'webp')?.url ?? url
}
