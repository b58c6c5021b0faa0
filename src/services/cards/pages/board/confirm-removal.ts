import { html } from '../../../../kernel/html.ts'
import type { CardContext } from '../../context.ts'
import { ObjectUnknown } from '../../contract.ts'
import { findBoard, findCard } from '../../store/find.ts'
import { renderMemberPage } from '../member-layout.ts'
import type { PageOutcome, PageRequest } from '../page-request.ts'
import { boardPath, requireLink } from '../read-pages.ts'
import { boardLinks } from './board-links.ts'

/** `/b/:board/-/cards/:card/delete`: a card is deleted after this page only. */
export async function confirmRemovalPage(
  context: CardContext,
  request: PageRequest
): Promise<PageOutcome> {
  const { viewer, params, root, canEdit, action } = request
  if (!canEdit || viewer.kind !== 'member') throw new ObjectUnknown()
  const link = requireLink(params.board)
  const { board, card } = await context.store.read(function* () {
    const found = yield* findBoard(viewer, link)
    const shown = yield* findCard(viewer, params.card ?? '')
    if (shown.board !== found.id) throw new ObjectUnknown()
    return { board: found, card: shown }
  })
  const path = boardPath(board)
  return renderMemberPage(context, request, {
    title: 'Delete this card?',
    crumbs: [{ text: board.name, path }, { text: 'Delete a card' }],
    main: html`<p>“<bdi>${card.name}</bdi>” is deleted with its images, comments and checklists. For 30 seconds you can undo it.</p>
<form action="${action(boardLinks(board).remove)}" method="post">
<input type="hidden" name="card" value="${card.id}"><input type="hidden" name="revision" value="${card.revision}">
<button class="danger">Delete the card</button> <a class="button quiet" href="${root}${path}">Keep it</a>
</form>`
  })
}
