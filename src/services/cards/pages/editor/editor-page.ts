import type { CardContext } from '../../context.ts'
import type { MemberViewer } from '../access/signed-in.ts'
import type { PageOutcome, PageRequest } from '../page-request.ts'
import { cardPath, isAt, requireLink } from '../read-pages.ts'
import type { CardForm, EditedBoard } from './card-form.ts'
import { readEditedBoard, readEditedCard } from './edited-card.ts'
import { renderEditor, renderNewCard } from './editor-form.ts'

/** `/c/<short link>/<number>-<slug>` for members who may change the card. */
export async function editorPage(
  context: CardContext,
  request: PageRequest,
  viewer: MemberViewer
): Promise<PageOutcome> {
  const { names, query } = request
  const card = await readEditedCard(context, viewer, requireLink(names[1]))
  const path = cardPath(card.parts.card)
  if (!isAt(path, names)) return { redirect: path }
  const text = query.has('created')
    ? 'The card is stored.'
    : query.has('saved')
      ? 'Saved.'
      : undefined
  return renderEditor(context, request, card, { message: text && { text } })
}

/** `/b/<short link>/-/new?list=<id>`. */
export async function newCardPage(
  context: CardContext,
  request: PageRequest,
  viewer: MemberViewer
): Promise<PageOutcome> {
  const on = await readEditedBoard(context, viewer, requireLink(request.params.board))
  return renderNewCard(context, request, on, { form: emptyForm(on, request.query.get('list')) })
}

/** In the list that the link names, else the first. */
export function emptyForm({ lists }: EditedBoard, list: string | null): CardForm {
  const chosen = lists.find(({ id }) => id === list) ?? lists[0]
  return {
    ...{ title: '', description: '', publishAt: '', slug: '', cover: '' },
    ...{ labels: [], labelName: '', labelColor: '', completed: '', url: '' },
    ...{ fields: new Map(), images: [], alts: new Map(), removed: new Set() },
    state: chosen?.role === 'published' ? 'published' : 'draft',
    list: chosen?.id ?? ''
  }
}
