import { html, type Markup } from '../../../../kernel/html.ts'
import { isPublished } from '../../records/publication.ts'
import type { CardRow, ListRow } from '../../store/rows.ts'
import { boardLinks } from './board-links.ts'
import type { TileView } from './tile-view.ts'

/** Everything that can be done with a card, as a form; opens without a script. */
export function renderMenu(card: CardRow, list: ListRow | undefined, view: TileView): Markup {
  const { id, name, revision } = card
  const { board, lists, root, moveAction, query } = view
  const isPublic = list !== undefined && isPublished(card, list)
  const others = lists.filter((one) => one.id !== list?.id)
  return html`<details class="menu"><summary><span class="hidden">Actions for ${name}</span><span aria-hidden="true">⋯</span></summary>
<form action="${moveAction}" method="post">
<input type="hidden" name="card" value="${id}"><input type="hidden" name="revision" value="${revision}">${query !== '' && html`<input type="hidden" name="view" value="${query}">`}
${list === undefined ? button('board', 'Restore') : renderMoves(others, card, isPublic)}
<a class="button plain" href="${root}${boardLinks(board).confirm(id)}">Delete…</a>
</form></details>`
}

function renderMoves(
  others: readonly ListRow[],
  { publish_at }: CardRow,
  isPublic: boolean
): Markup {
  return html`${others.length > 0 && html`<label>Move to<select name="list">${others.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select></label>${button('list', 'Move')}`}
${button('up', 'Up')}${button('down', 'Down')}
${isPublic ? button('draft', 'Unpublish') : button('published', 'Publish')}${button('archive', 'Archive')}
${publish_at !== null && button('draft', 'Cancel the schedule')}`
}

function button(to: string, text: string): Markup {
  return html`<button class="plain" name="to" value="${to}">${text}</button>`
}
