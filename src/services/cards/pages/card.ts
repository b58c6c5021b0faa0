import { html, type Markup } from '../../../kernel/html.ts'
import type { ContentCard, ContentImage } from '../content/content-card.ts'
import type { CardContext } from '../context.ts'
import { findBoard } from '../store/find.ts'
import { readCard } from '../store/read-cards.ts'
import type { AttachmentRow } from '../store/rows.ts'
import { imageTokenFor } from './access/image-token.ts'
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

/** `/c/<short link>/<number>-<slug>`: the editor for those who may write, unless `?public` is set. */
export async function cardPage(context: CardContext, request: PageRequest): Promise<PageOutcome> {
  const { viewer, names, root, canEdit, query } = request
  const { store, options } = context
  if (canEdit && viewer.kind === 'member' && !query.has('public')) {
    const { editorPage } = await import('./editor/editor-page.ts')
    return editorPage(context, request, viewer)
  }
  const link = requireLink(names[1])
  const row = await store.read(() => readCard(viewer, link, PAGE_INCLUDE))
  const path = cardPath(row.card)
  if (!isAt(path, names)) return { redirect: path + tokenQuery(request) }
  const board = await store.read(() => findBoard(viewer, row.card.board))
  const parts = await readParts(context, viewer, board)
  const token = await imageTokenFor(context, request, board.id)
  const [card] = await renderedCards([row], board, parts, root, token)
  const crumb = { href: root + boardPath(board) + tokenQuery(request), text: board.name }
  const site = options.title ?? 'Boards'
  const main = card === undefined ? html`` : renderCard(card, row.attachments)
  return { html: renderCardPage({ title: row.card.name, root, site, crumb, main }) }
}

function renderCard(card: ContentCard, attachments: readonly AttachmentRow[]): Markup {
  const links = attachments.filter(({ url }) => url !== null)
  const host = card.url === null ? undefined : URL.parse(card.url)?.host
  const hasFacts = card.completedAt !== null || card.url !== null
  return html`<article>
${renderLabels(card.labels)}
<h1 dir="auto">${card.title}</h1>
${hasFacts && html`<p class="facts">${card.completedAt !== null && renderDay(card.completedAt)}${card.url !== null && html`<a href="${card.url}" rel="nofollow noopener">${host}</a>`}</p>`}
${card.images.slice(0, 1).map(renderImage)}
<div class="description" dir="auto">${{ markup: card.descriptionHtml }}</div>
${card.images.slice(1).map(renderImage)}
${links.length > 0 && html`<h2>Links</h2><ul>${links.map(({ url, name }) => html`<li><a href="${url}" rel="nofollow noopener"><bdi>${name || url}</bdi></a></li>`)}</ul>`}
</article>`
}

function renderImage({ url, width, height, alt, srcset }: ContentImage): Markup {
  const sources = srcset.filter(({ format }) => format === 'webp')
  const set = sources.map((one) => `${one.url} ${one.width}w`).join(', ')
  return html`<picture>${set !== '' && html`<source type="image/webp" srcset="${set}" sizes="(min-width: 760px) 728px, 100vw">`}<img src="${url}" width="${width}" height="${height}" alt="${alt}"></picture>`
}
