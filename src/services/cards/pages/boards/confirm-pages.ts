import { html } from '../../../../kernel/html.ts'
import { address } from '../../../../kernel/page-parts.ts'
import type { CardContext } from '../../context.ts'
import { AdminScopeMissing } from '../../contract.ts'
import { countCards } from '../../store/board-counts.ts'
import { findBoard } from '../../store/find.ts'
import type { BoardRow } from '../../store/rows.ts'
import { buttonForm } from '../form-parts.ts'
import { renderMemberPage } from '../member-layout.ts'
import type { PageRequest, ShownPage } from '../page-request.ts'
import { boardPath, requireLink } from '../read-pages.ts'

/** `/b/<short link>/-/delete`: asks before the board is deleted. */
export async function deletePage(context: CardContext, request: PageRequest): Promise<ShownPage> {
  const { viewer, params, action } = request
  const board = await context.store.read(() => findBoard(viewer, requireLink(params.board)))
  if (viewer.kind !== 'member' || !viewer.canAdminister) throw new AdminScopeMissing()
  const counts = await context.store.read(() => countCards(viewer))
  const cards = counts.get(board.id)?.cards ?? 0
  return renderMemberPage(context, request, {
    title: `Delete “${board.name}”?`,
    crumbs: [{ text: board.name, path: boardPath(board) }, { text: 'Delete' }],
    main: html`<p>The board, its ${cards} open ${cards === 1 ? 'card' : 'cards'}, its archived cards, its files and its publishable keys are deleted. This cannot be undone; <code>nonet export cards</code> saves a copy.</p>
<div class="pages">${buttonForm(action(`/b/${board.short_link}/-/delete`), 'Delete the board', { kind: 'danger' })} <a href="settings">Back to the settings</a></div>`
  })
}

/** Shows a preview link, which is not stored. */
export function previewPage(
  context: CardContext,
  request: PageRequest,
  board: BoardRow,
  { token, expiresAt }: { token: string; expiresAt: number }
): ShownPage {
  const { baseUrl } = request
  const end = new Date(expiresAt * 1000).toISOString().slice(0, 10)
  return renderMemberPage(context, request, {
    title: 'Preview link',
    crumbs: [{ text: board.name, path: boardPath(board) }, { text: 'Preview link' }],
    main: html`<p>Everyone who opens it before ${end} sees the board with its drafts.</p>
${address(`${baseUrl}${boardPath(board)}?token=${token}`, 'Copy the link')}
<p class="hint">A site under construction reads the drafts with the same token:</p>
${address(`${baseUrl}/content/${board.slug}/cards?token=${token}`)}
<p><a href="settings">Settings of the board</a></p>`
  })
}
