import { html, type Markup } from '../../../../kernel/html.ts'
import { askFirst, emptyState, time } from '../../../../kernel/page-parts.ts'
import type { CardContext } from '../../context.ts'
import { imageOf } from '../../present/attachment.ts'
import { renditionUrl } from '../../present/image-url.ts'
import type { CardParts } from '../../records/card-parts.ts'
import { type BoardCounts, countCards } from '../../store/board-counts.ts'
import { listBoards } from '../../store/boards.ts'
import { listMembers } from '../../store/members.ts'
import { readCards } from '../../store/read-cards.ts'
import type { BoardRow } from '../../store/rows.ts'
import { createImageToken } from '../access/image-token.ts'
import { alertNote, buttonForm, panel, renderOptions } from '../form-parts.ts'
import { renderImportForm } from '../import/import-form.ts'
import { renderMemberPage } from '../member-layout.ts'
import type { PageRequest, ShownPage } from '../page-request.ts'
import { boardPath } from '../read-pages.ts'
import { renderVisibility } from './visibility.ts'

/** More are named without pictures. */
const MAX_PICTURED = 12
const PICTURES = 3
const PICTURE_WIDTH = 320
/** To choose from. */
const MAX_MEMBERS = 200

/** What was typed into the form for a new board, and what is wrong with it. */
export interface HomeState {
  message?: string
  status?: number
  name?: string
  visibility?: string
}

interface ShownBoard {
  board: BoardRow
  counts: BoardCounts
  pictures: readonly string[]
}

/** `/` of a signed-in member. */
export async function memberHomePage(
  context: CardContext,
  request: PageRequest,
  state: HomeState = {}
): Promise<ShownPage> {
  const { store } = context
  const { viewer, canEdit, root, signedIn } = request
  const boards = await store.read(() => listBoards(viewer, 'all'))
  const counts = await store.read(() => countCards(viewer))
  const shown: ShownBoard[] = []
  for (const [index, board] of boards.filter(({ closed }) => closed === 0).entries()) {
    const pictures = index < MAX_PICTURED ? await readPictures(context, request, board) : []
    shown.push({ board, counts: counts.get(board.id) ?? { cards: 0, published: 0 }, pictures })
  }
  const closed = boards.filter((board) => board.closed === 1)
  const isLimited = signedIn?.viewer.boards !== undefined
  return renderMemberPage(context, request, {
    title: 'Boards',
    status: state.status ?? 200,
    script: 'home',
    main: html`${await renderMembers(context, request)}
${shown.length === 0 && emptyState('No boards yet', canEdit ? 'Create one, or import an export of Trello or nonet.' : 'This token sees no boards.')}
${shown.length > 0 && html`<ul class="boards">${shown.map((one) => renderBoard(one, request))}</ul>`}
${closed.length > 0 && html`<p class="hint">Archived: ${closed.map((board) => html`<a href="${root}/b/${board.short_link}/-/settings"><bdi>${board.name}</bdi></a> `)}</p>`}
${canEdit && !isLimited && html`<div class="two">${renderCreate(request, state)}${panel('import', 'Import a board', renderImportForm(request))}</div>`}
${!canEdit && html`<p class="note">The token you signed in with may only read.</p>`}`
  })
}

function renderBoard(
  { board, counts, pictures }: ShownBoard,
  { root, canEdit, action }: PageRequest
): Markup {
  const { cards, published } = counts
  const isPublic = board.permission === 'public'
  return html`<li><a href="${root}${boardPath(board)}">
<span class="strip" aria-hidden="true">${pictures.map((url) => html`<img src="${url}" alt="" loading="lazy">`)}</span>
<span class="name" dir="auto">${board.name}</span></a>
<p class="soft">${cards} ${cards === 1 ? 'card' : 'cards'}, ${published} published · ${isPublic ? 'public' : 'private'}${board.is_sample === 1 && ' · sample'}</p>
<p class="soft">Changed ${time(board.changed_at)}</p>
<div class="more"><a href="${root}/b/${board.short_link}/-/settings">Settings<span class="hidden"> of ${board.name}</span></a>
${board.is_sample === 1 && canEdit && askFirst('Remove the sample', 'Remove the sample board with its cards?', buttonForm(action('/remove-sample'), 'Remove', { kind: 'danger' }))}</div></li>`
}

async function readPictures(
  context: CardContext,
  { viewer, root }: PageRequest,
  board: BoardRow
): Promise<string[]> {
  const cards = await context.store.read(() =>
    readCards(viewer, { board: board.id, filter: 'visible' }, { attachments: true })
  )
  const images = cards.flatMap((card) => coverOf(card) ?? []).slice(0, PICTURES)
  if (images.length === 0) return []
  const token = await createImageToken(context, board.id)
  return images.map(
    (image) => `${renditionUrl(root, image, { width: PICTURE_WIDTH })}&token=${token}`
  )
}

/** The chosen cover, or the first image. */
export function coverOf({ card, attachments }: CardParts) {
  const cover = attachments.find(({ id }) => id === card.cover_attachment)
  return (cover && imageOf(cover)) ?? attachments.map(imageOf).find((one) => one !== undefined)
}

function renderCreate(
  { action }: PageRequest,
  { message, name = '', visibility = 'private' }: HomeState
): Markup {
  return panel(
    'create',
    'Create a board',
    html`${alertNote(message)}<form class="stack" method="post" action="${action('/boards')}">
<label>Name<input name="name" value="${name}" required maxlength="200" dir="auto"></label>
${renderVisibility(visibility)}
<button>Create</button>
<small>It begins with the lists Draft, Published and Archive, and with fields for the completion date and a URL.</small>
</form>`
  )
}

/** The operator may be any member. */
async function renderMembers(
  { store }: CardContext,
  { signedIn, action }: PageRequest
): Promise<Markup | false> {
  if (signedIn?.isOperator !== true) return false
  const members = await store.read(() => listMembers(MAX_MEMBERS))
  if (members.length < 2) return false
  const names = members.map(({ user_name: name }) => [name, name] as const)
  return html`<form class="filter" method="post" action="${action('/member')}"><label>Boards of<select name="member">${renderOptions(names, signedIn.userName)}</select></label><button class="quiet">Switch</button></form>`
}
