import { readFileSync } from 'node:fs'
import { html, type Markup } from '../../../../kernel/html.ts'
import { renderDescription } from '../../content/description.ts'
import type { CardContext } from '../../context.ts'
import type { Viewer } from '../../records/viewer.ts'
import { type BoardView, readBoardView } from '../../store/board-view.ts'
import type { BoardRow } from '../../store/rows.ts'
import type { Undo } from '../../store/undo.ts'
import { createImageToken } from '../access/image-token.ts'
import { createMemberStyle, renderMemberPage } from '../member-layout.ts'
import type { PageRequest, ShownPage } from '../page-request.ts'
import { boardPath } from '../read-pages.ts'
import { boardLinks } from './board-links.ts'
import { type ColumnView, renderArchive, renderColumn } from './column.ts'
import { filterQuery, readFilter } from './view-query.ts'

const STYLE = createMemberStyle(readFileSync(new URL('./board.css', import.meta.url), 'utf8'))

/** An error of an action that is shown above the board. */
export interface BoardMessage {
  readonly message: string
  readonly status: number
}

/** The board as a signed-in member sees it. */
export async function memberBoardPage(
  context: CardContext,
  request: PageRequest & { viewer: Viewer & { kind: 'member' } },
  board: BoardRow,
  error?: BoardMessage
): Promise<ShownPage> {
  const { viewer, root, canEdit, action, query } = request
  const { store, kernel } = context
  const filter = readFilter(query)
  const time = kernel.now().getTime()
  const shown = await store.read(() => readBoardView(viewer, board, filter, time))
  const links = boardLinks(board)
  const view: ColumnView = {
    board,
    lists: shown.columns.map(({ list }) => list),
    root,
    imageToken: await createImageToken(context, board.id),
    canEdit,
    moveAction: action(links.move),
    addAction: action(links.add),
    moveListAction: (list) => action(links.moveList(list)),
    query: filterQuery(filter),
    filter,
    page: root + boardPath(board)
  }
  const lead = renderDescription(board.id, board.description, () => undefined).html
  const main = html`<div class="wide" id="board-page" data-revision="${board.revision}" data-events="${root}${links.events}"${canEdit && html` data-move="${view.moveAction}"`}>
<div class="head"><h1 dir="auto">${board.name}</h1>${renderTools(shown, view, request)}</div>
${lead !== '' && html`<div class="lead" dir="auto">${{ markup: lead }}</div>`}
<p class="note alert" id="board-message" role="alert"${error === undefined && html` hidden`}>${error?.message}</p>
<p class="hidden" id="board-status" role="status"></p>
${renderChooser(shown)}
<div class="board" id="board">${shown.columns.map((column) => renderColumn(column, view))}${shown.archive.total > 0 && renderArchive(shown.archive, view)}</div>
<div id="hint" data-key="hint">${renderEmpty(shown, view, root + links.settings)}</div>
<div id="undo" data-key="undo">${shown.undo !== undefined && canEdit && renderUndo(shown.undo, action(links.undo), time)}</div>
<p class="soft small" id="keys" hidden>Space lifts a card, arrows move it, Space drops it, Escape returns it. Arrows alone go from card to card.</p>
</div>`
  return renderMemberPage(context, request, {
    title: board.name,
    crumbs: [{ text: board.name }],
    heading: false,
    main,
    style: STYLE,
    status: error?.status ?? 200,
    script: 'board'
  })
}

function renderTools(
  { labels }: BoardView,
  { page, filter, board }: ColumnView,
  { canEdit, root }: PageRequest
): Markup {
  const links = boardLinks(board)
  return html`<div class="tools"><form class="find" id="filter" action="${page}" method="get" role="search">
<input type="search" name="q" value="${filter.text}" placeholder="Find a card" aria-label="Find a card">
${labels.length > 0 && html`<select name="label" aria-label="Label"><option value="">All labels</option>${labels.map(({ id, name, color }) => html`<option value="${id}"${id === filter.label && html` selected`}>${name || color}</option>`)}</select>`}
${filter.showsArchive && html`<input type="hidden" name="archive" value="show">`}
<button class="plain">Find</button>${(filter.text !== '' || filter.label !== '') && html`<a class="button plain" data-view data-clear href="${page}">Clear</a>`}</form>
<a class="button plain" href="${root}${links.settings}#keys">Publishable key</a>
<a class="button plain" href="${root}${links.settings}">Settings</a>
${canEdit && html`<a class="button" href="${root}${links.newCard}">New card</a>`}</div>`
}

/** What to do first on a board without lists or cards. */
function renderEmpty(
  { columns, archive }: BoardView,
  { canEdit }: ColumnView,
  settings: string
): Markup | false {
  if (columns.length === 0) {
    return html`<p>This board has no lists yet.${canEdit && html` Add one in its <a href="${settings}#lists">settings</a>.`}</p>`
  }
  const isEmpty = archive.total === 0 && columns.every(({ total }) => total === 0)
  if (!isEmpty || !canEdit) return false
  return html`<p class="soft">No cards yet. Type a name below a list, or choose New card to add text and images at once. Cards in Published lists are the ones that a site shows.</p>`
}

/** Links to the columns, for narrow screens. */
function renderChooser({ columns }: BoardView): Markup | false {
  if (columns.length < 2) return false
  return html`<nav class="chooser" aria-label="Lists" data-key="chooser"><ul>${columns.map(({ list, total }) => html`<li><a href="#list-${list.id}"><bdi>${list.name}</bdi> <span>${total}</span></a></li>`)}</ul></nav>`
}

function renderUndo({ id, about, endsAt }: Undo, action: string, time: number): Markup {
  return html`<form class="undo" action="${action}" method="post" data-left="${endsAt - time}">
<input type="hidden" name="undo" value="${id}"><p>${undoText(about)}</p><button class="plain">Undo</button></form>`
}

export function undoText({ name, change, list }: Undo['about']): string {
  return `“${name}” was ${change}${list === undefined ? '' : ` to ${list}`}.`
}
