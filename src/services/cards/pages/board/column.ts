import { html, type Markup } from '../../../../kernel/html.ts'
import type { BoardFilter, ShownColumn } from '../../store/board-view.ts'
import { renderTile } from './tile.ts'
import type { TileView } from './tile-view.ts'
import { filterQuery } from './view-query.ts'

export interface ColumnView extends TileView {
  readonly filter: BoardFilter
  /** URL of forms that add a card. */
  readonly addAction: string
  /** URL of forms that move a list. */
  readonly moveListAction: (list: string) => string
  /** URL of the page without its query. */
  readonly page: string
}

const ROLES = { draft: 'Draft', published: 'Published', archive: 'Archive' } as const

/** A list as a column. */
export function renderColumn(column: ShownColumn, view: ColumnView): Markup {
  const { list, cards } = column
  const isSame = list.name.toLowerCase() === ROLES[list.role].toLowerCase()
  return html`<section class="lane" id="list-${list.id}" data-list="${list.id}"${view.canEdit && html` data-move="${view.moveListAction(list.id)}"`} aria-labelledby="name-${list.id}">
<header data-key="head-${list.id}"><h2 id="name-${list.id}"><bdi>${list.name}</bdi></h2>${!isSame && html`<span class="role ${list.role}">${ROLES[list.role]}</span>`}${renderCount(column, view)}</header>
${
  column.isCollapsed
    ? renderShow('archive', view, 'Show')
    : renderCards(
        column,
        view,
        cards.map((card) => renderTile(card, list, view))
      )
}
${!column.isCollapsed && list.role === 'archive' && renderShow(list.id, view, 'Hide')}
${!column.isCollapsed && view.canEdit && renderAdd(list.id, list.name, view)}
</section>`
}

/** Archived cards of all lists. */
export function renderArchive(column: Omit<ShownColumn, 'list'>, view: ColumnView): Markup {
  return html`<section class="lane archive" id="archive" data-list="archive" aria-labelledby="name-archive">
<header data-key="head-archive"><h2 id="name-archive">Archived cards</h2>${renderCount(column, view)}</header>
${
  column.isCollapsed
    ? renderShow('archive', view, 'Show')
    : html`${renderCards(
        column,
        view,
        column.cards.map((card) => renderTile(card, undefined, view))
      )}${renderShow('archive', view, 'Hide')}`
}
</section>`
}

function renderCount(
  { matching, total }: Omit<ShownColumn, 'list'>,
  { filter }: ColumnView
): Markup {
  const isFiltered = filter.text !== '' || filter.label !== ''
  return html`<span class="count">${isFiltered && html`${matching} of `}${total}<span class="hidden"> ${total === 1 ? 'card' : 'cards'}</span></span>`
}

function renderShow(id: string, { page, filter }: ColumnView, text: 'Show' | 'Hide'): Markup {
  const query = filterQuery({ ...filter, showsArchive: text === 'Show' })
  return html`${text === 'Show' && html`<ul id="cards-${id}" data-cards></ul>`}<p class="more" data-key="show-${id}"><a class="button plain" data-view href="${page}${query}#archive">${text}</a></p>`
}

function renderCards(
  { cards, matching, ...column }: Omit<ShownColumn, 'list'> & Partial<Pick<ShownColumn, 'list'>>,
  { page, filter }: ColumnView,
  tiles: readonly Markup[]
): Markup {
  const rest = matching - cards.length
  const query = filterQuery({ ...filter, more: column.list?.id ?? '' })
  return html`<ul id="cards-${column.list?.id ?? 'archive'}" data-cards>${tiles}</ul>
${rest > 0 && html`<p class="more soft small" data-key="more-${column.list?.id ?? 'archive'}">${rest} more ${rest === 1 ? 'card' : 'cards'}${column.list !== undefined && filter.more !== column.list.id && html`: <a data-view href="${page}${query}">show more</a>`}</p>`}`
}

function renderAdd(list: string, name: string, { addAction, query }: ColumnView): Markup {
  return html`<form class="add" action="${addAction}" method="post" data-add data-key="form-${list}">
<input type="hidden" name="list" value="${list}">${query !== '' && html`<input type="hidden" name="view" value="${query}">`}
<input name="name" id="add-${list}" required maxlength="16384" placeholder="Add a card" aria-label="Name of a new card in ${name}" autocomplete="off"><button class="plain">Add</button>
</form>`
}
