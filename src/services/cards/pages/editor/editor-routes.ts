import type { CardContext } from '../../context.ts'
import { ObjectUnknown } from '../../contract.ts'
import { findCard } from '../../store/find.ts'
import type { PageOutcome, PageRequest } from '../page-request.ts'
import { requireLink } from '../read-pages.ts'
import { sendingJson } from '../send.ts'

/** `/b/<short link>/-/new`, for members who may write. */
export async function newCardRoute(
  context: CardContext,
  request: PageRequest
): Promise<PageOutcome> {
  const { viewer, canEdit } = request
  if (!canEdit || viewer.kind !== 'member') throw new ObjectUnknown()
  const { newCardPage } = await import('./editor-page.ts')
  return newCardPage(context, request, viewer)
}

/** `/c/<short link>/-/revision`: whether an open editor shows the card as it is. */
export async function revisionRoute(
  { store }: CardContext,
  { viewer, canEdit, params }: PageRequest
): Promise<PageOutcome> {
  if (!canEdit) throw new ObjectUnknown()
  const { revision } = await store.read(() => findCard(viewer, requireLink(params.card)))
  return { send: sendingJson(200, { revision }) }
}
