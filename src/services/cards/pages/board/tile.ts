import { html, type Markup } from '../../../../kernel/html.ts'
import { cardUrl, completedDay } from '../../content/field-values.ts'
import { imageOf } from '../../present/attachment.ts'
import { renditionUrl } from '../../present/image-url.ts'
import type { CardParts } from '../../records/card-parts.ts'
import { isPublished } from '../../records/publication.ts'
import type { BoardRow, ListRow } from '../../store/rows.ts'
import { renderDay, renderLabels } from '../layout.ts'
import { cardPath } from '../read-pages.ts'
import { renderMenu } from './card-menu.ts'
import type { TileView } from './tile-view.ts'

/** Twice as wide as a column, for dense screens. */
const COVER_WIDTH = 640

/** A card in a column; archived ones have no list. */
export function renderTile(parts: CardParts, list: ListRow | undefined, view: TileView): Markup {
  const { card, labels } = parts
  const { id, name, revision } = card
  return html`<li class="project" id="card-${id}" data-key="card-${id}" data-card="${id}" data-revision="${revision}" data-name="${name}" data-labels="${labels.map((label) => label.id).join(' ')}">
${renderCover(parts, list, view)}
<div class="in">${renderLabels(labels)}
<h3 dir="auto"><a href="${view.root}${cardPath(card)}">${name || 'Untitled'}</a></h3>
${renderFacts(parts, list, view)}</div>
${view.canEdit && renderMenu(card, list, view)}
</li>`
}

function renderCover(
  { card, attachments }: CardParts,
  list: ListRow | undefined,
  { root, imageToken, board }: TileView
): Markup | false {
  const chosen = attachments.find((one) => one.id === card.cover_attachment)
  const row = chosen ?? attachments.find((one) => imageOf(one) !== undefined)
  const image = row && imageOf(row)
  if (row === undefined || image === undefined) return false
  const isOpen = board.permission === 'public' && board.closed === 0
  const isPublic = isOpen && list !== undefined && isPublished(card, list)
  const url = renditionUrl(root, image, { width: COVER_WIDTH, format: 'webp' })
  const src = isPublic ? url : `${url}&token=${imageToken}`
  return html`<img class="cover" src="${src}" width="${image.width}" height="${image.height}" alt="${row.alt ?? ''}" loading="lazy" draggable="false">`
}

function renderFacts(
  { card, attachments, items }: CardParts,
  list: ListRow | undefined,
  { board }: TileView
): Markup {
  const day = completedDay(board, items)
  const images = attachments.filter((one) => imageOf(one) !== undefined).length
  const url = cardUrl(board, items)
  const host = url === null ? undefined : URL.parse(url)?.hostname
  const state = stateOf(card, list, board)
  return html`<p class="facts">${state}${day !== null && renderDay(day)}${images > 0 && html`<span>${images} ${images === 1 ? 'image' : 'images'}</span>`}${host !== undefined && html`<span>${host}</span>`}</p>`
}

function stateOf(card: CardParts['card'], list: ListRow | undefined, board: BoardRow): Markup {
  if (card.publish_at !== null) {
    return html`<span class="state scheduled">Scheduled <time datetime="${card.publish_at}">${localTime(card.publish_at, board.time_zone)}</time></span>`
  }
  if (list === undefined || list.role === 'archive')
    return html`<span class="state">Archived</span>`
  return isPublished(card, list)
    ? html`<span class="state published">Published</span>`
    : html`<span class="state">Draft</span>`
}

function localTime(time: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    timeZone
  }).format(new Date(time))
}
