import { html, type Markup } from '../../../../kernel/html.ts'
import type { AuthoredAction } from '../../present/action.ts'
import type { ChecklistParts } from '../../records/card-parts.ts'
import { createdAt } from '../../records/ids.ts'
import { localTime } from '../../records/zoned-time.ts'
import type { BoardRow, CardRow, CheckItemRow } from '../../store/rows.ts'

/** Items are ticked at once, not with the form. */
export function renderChecklists(
  checklists: readonly ChecklistParts[],
  checkAction: string
): Markup | false {
  if (checklists.length === 0) return false
  return html`<section class="panel"><h2>Checklists</h2>${checklists.map(({ checklist, items }) => {
    const done = items.filter(({ is_complete }) => is_complete === 1).length
    return html`<h3 dir="auto">${checklist.name} <small class="soft" data-done="${checklist.id}">${done} of ${items.length}</small></h3>
<ul class="checklist" data-checklist="${checklist.id}">${items.map((item) => renderItem(item, checkAction))}</ul>`
  })}</section>`
}

function renderItem({ id, name, is_complete }: CheckItemRow, action: string): Markup {
  const isComplete = is_complete === 1
  return html`<li><button role="checkbox" aria-checked="${String(isComplete)}" name="do" value="check:${id}:${isComplete ? 0 : 1}" formaction="${action}" formnovalidate data-check="${id}"><span class="box" aria-hidden="true"></span><bdi>${name}</bdi></button></li>`
}

export function renderComments(
  comments: readonly AuthoredAction[],
  board: BoardRow
): Markup | false {
  if (comments.length === 0) return false
  return html`<section class="panel"><h2>Comments</h2><ul class="comments">${comments.map(
    ({ data, created_at, full_name, user_name }) => {
      const { text = '' }: { text?: string } = JSON.parse(data)
      return html`<li><p class="soft"><bdi>${full_name || user_name || 'A member'}</bdi>, ${renderMoment(created_at, board)}</p>
<p class="prose" dir="auto">${text}</p></li>`
    }
  )}</ul></section>`
}

/** What is known of a card besides the form. */
export function renderFacts(card: CardRow, board: BoardRow, contentUrl: string): Markup {
  return html`<dl class="card-facts">
<dt>Number</dt><dd>${card.number}</dd>
<dt>Created</dt><dd>${renderMoment(createdAt(card.id), board)}</dd>
<dt>Changed</dt><dd>${renderMoment(card.changed_at, board)}</dd>
${card.published_at !== null && html`<dt>First public</dt><dd>${renderMoment(card.published_at, board)}</dd>`}
<dt>Content API</dt><dd><a href="${contentUrl}">JSON</a></dd>
</dl>`
}

/** In the time zone of the board. */
function renderMoment(time: string, { time_zone }: BoardRow): Markup {
  const local = localTime(time_zone, Date.parse(time)).replace('T', ' ')
  return html`<time datetime="${time}" title="${time_zone}">${local}</time>`
}
