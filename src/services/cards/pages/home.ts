import { html, type Markup } from '../../../kernel/html.ts'
import { renderDescription } from '../content/description.ts'
import type { CardContext } from '../context.ts'
import { renditionUrl } from '../present/image-url.ts'
import type { CardParts } from '../records/card-parts.ts'
import { readContentBoards } from '../store/content.ts'
import { readCards } from '../store/read-cards.ts'
import type { BoardRow } from '../store/rows.ts'
import { coverOf, memberHomePage } from './boards/member-home.ts'
import { renderCardPage } from './layout.ts'
import type { PageOutcome, PageRequest } from './page-request.ts'
import { boardPath } from './read-pages.ts'

/** More are named without pictures. */
const MAX_PICTURED = 12
const PICTURES = 3

/** The boards that the viewer may see. */
export async function homePage(context: CardContext, request: PageRequest): Promise<PageOutcome> {
  const { viewer, root, signedIn } = request
  if (signedIn !== undefined) return memberHomePage(context, request)
  const { store, options } = context
  const boards = await store.read(() => readContentBoards(viewer))
  const items: Markup[] = []
  for (const [index, board] of boards.entries()) {
    const cards =
      index < MAX_PICTURED
        ? await store.read(() =>
            readCards(viewer, { board: board.id, filter: 'visible' }, { attachments: true })
          )
        : undefined
    items.push(renderBoard(board, cards, root))
  }
  const site = options.title ?? 'Boards'
  const main = html`<h1>${site}</h1>
${items.length === 0 ? renderHowTo() : html`<ul class="boards">${items}</ul>`}
<p><a href="${root}/sign-in">Sign in</a></p>`
  return { html: renderCardPage({ title: site, root, site, main }) }
}

function renderBoard(
  board: BoardRow,
  cards: readonly CardParts[] | undefined,
  root: string
): Markup {
  const pictures = (cards ?? []).flatMap((parts) => coverOf(parts) ?? []).slice(0, PICTURES)
  const { excerpt } = renderDescription(board.id, board.description, () => undefined)
  return html`<li><a href="${root}${boardPath(board)}">
<span class="strip" aria-hidden="true">${pictures.map(
    (image) => html`<img src="${renditionUrl(root, image, { width: 320 })}" alt="" loading="lazy">`
  )}</span>
<span class="name" dir="auto">${board.name}</span></a>
${excerpt !== '' && html`<p dir="auto">${excerpt}</p>`}
${cards !== undefined && html`<p class="soft">${cards.length} ${cards.length === 1 ? 'card' : 'cards'}</p>`}</li>`
}

function renderHowTo(): Markup {
  return html`<p>No board is public here. Boards are made with any client of Trello's API, or imported from an export of Trello:</p>
<pre><code>nonet import cards board.json
nonet token create cards --name laptop</code></pre>
<p>The public sees cards in lists with the role <code>published</code>, of boards whose visibility is <code>public</code>. With <code>Authorization: Bearer …</code> this page shows the boards of the token's member.</p>`
}
