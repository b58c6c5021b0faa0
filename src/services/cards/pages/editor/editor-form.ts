import { readFileSync } from 'node:fs'
import { html, type Markup } from '../../../../kernel/html.ts'
import type { CardContext } from '../../context.ts'
import type { CardRow } from '../../store/rows.ts'
import { boardLinks } from '../board/board-links.ts'
import { createMemberStyle, renderMemberPage } from '../member-layout.ts'
import type { PageRequest, ShownPage } from '../page-request.ts'
import { boardPath, cardPath } from '../read-pages.ts'
import { type CardForm, type EditedBoard, formOf, stateOf } from './card-form.ts'
import { renderInput } from './controls.ts'
import { downloadUrls } from './download-urls.ts'
import type { EditedCard } from './edited-card.ts'
import type { FieldErrors } from './field-errors.ts'
import { editorPaths, MAX_FILES, newCardPaths } from './paths.ts'
import { renderChecklists, renderComments, renderFacts } from './render-details.ts'
import { renderFields, renderLabelChoice } from './render-fields.ts'
import { renderOthers, renderUpload } from './render-files.ts'
import { renderImages } from './render-images.ts'
import { renderPublication } from './render-publication.ts'
import { renderTexts } from './render-texts.ts'

export const EDITOR_STYLE = createMemberStyle(
  readFileSync(new URL('./editor.css', import.meta.url), 'utf8')
)
const NO_ERRORS: FieldErrors = new Map()

/** What a page shows besides the stored card. */
export interface Shown {
  /** What was typed; the stored card by default. */
  readonly form?: CardForm | undefined
  /** The one that the typed form was made of. */
  readonly revision?: number | undefined
  readonly errors?: FieldErrors
  /** A sentence above the form, and whether it is an error. */
  readonly message?: { readonly text: string; readonly isError?: boolean } | undefined
  readonly preview?: string | undefined
  readonly status?: number
}

type Request = Pick<PageRequest, 'root' | 'baseUrl' | 'signedIn' | 'action'>

/** The page of a card for members who may change it. */
export async function renderEditor(
  context: CardContext,
  request: Request,
  { parts, on, comments, imageToken }: EditedCard,
  shown: Shown = {}
): Promise<ShownPage> {
  const { card, attachments, checklists } = parts
  const { root, action } = request
  const { form = formOf(parts, on), errors = NO_ERRORS, preview } = shown
  const paths = editorPaths(card.short_link)
  const arrangeAction = action(paths.arrange)
  const downloads = await downloadUrls(context, request, on.board.id, attachments)
  const back = root + boardPath(on.board)
  const content = `${root}/content/${encodeURIComponent(on.board.slug)}/cards/${card.slug ?? card.id}`
  const state = stateOf(
    card,
    on.lists.find(({ id }) => id === card.list)
  )
  const main = html`${renderMessage(shown, card.closed === 1)}
<p class="note" id="changed" role="status" hidden>This card was changed in another window. Save to compare both versions, or <a href="${root}${cardPath(card)}">load it again</a>.</p>
<form class="editor" id="editor" action="${action(paths.save)}" method="post" enctype="multipart/form-data" data-root="${root}" data-card="${card.id}" data-events="${root}${boardLinks(on.board).events}" data-revision-url="${root}${paths.revision}">
<input type="hidden" name="revision" value="${shown.revision ?? card.revision}">
<div class="main-part">
${renderTexts({ form, errors, preview, previewAction: action(paths.preview) })}
<section class="panel"><h2>Images and files</h2>
${renderImages({ form, errors, attachments, root, imageToken, arrangeAction })}
${renderOthers(attachments, { removed: form.removed, arrangeAction, downloads })}
${renderUpload({ errors, maxFiles: MAX_FILES, maxFileBytes: context.options.maxFileBytes, uploadAction: action(paths.upload) })}
</section>
${renderChecklists(checklists, action(paths.check))}
${renderComments(comments, on.board)}
</div>
${renderSide(form, on, errors, renderFacts(card, on.board, content))}
${renderBar('Save', back)}
</form>
${renderTools(card, on, request, state === 'published')}`
  return renderMemberPage(context, request, {
    title: card.name,
    heading: html`<h1 class="card-title"><bdi>${card.name}</bdi> <span class="state ${state}">${card.closed === 1 ? 'archived' : state}</span></h1>`,
    crumbs: [{ text: on.board.name, path: boardPath(on.board) }, { text: card.name }],
    main,
    script: 'card-editor',
    style: EDITOR_STYLE,
    status: shown.status ?? 200
  })
}

/** The page for a new card: files are sent with the form. */
export function renderNewCard(
  context: CardContext,
  request: Request,
  on: EditedBoard,
  shown: Shown & { form: CardForm }
): ShownPage {
  const { root, action } = request
  const { form, errors = NO_ERRORS, preview } = shown
  const paths = newCardPaths(on.board.short_link)
  const main = html`${renderMessage(shown, false)}
<form class="editor" id="editor" action="${action(paths.create)}" method="post" enctype="multipart/form-data" data-root="${root}">
<div class="main-part">
${renderTexts({ form, errors, preview, previewAction: action(paths.preview) })}
<section class="panel"><h2>Images and files</h2>
${renderUpload({ errors, maxFiles: MAX_FILES, maxFileBytes: context.options.maxFileBytes, uploadAction: undefined })}
</section>
</div>
${renderSide(form, on, errors, undefined)}
${renderBar('Create card', root + boardPath(on.board))}
</form>`
  return renderMemberPage(context, request, {
    title: 'New card',
    crumbs: [{ text: on.board.name, path: boardPath(on.board) }, { text: 'New card' }],
    main,
    script: 'card-editor',
    style: EDITOR_STYLE,
    status: shown.status ?? 200
  })
}

function renderSide(
  form: CardForm,
  on: EditedBoard,
  errors: FieldErrors,
  facts: Markup | undefined
): Markup {
  const hint = 'From the title if it is empty'
  return html`<div class="side-part">
<section class="panel">${renderPublication(form, on, errors)}</section>
<section class="panel">${renderLabelChoice(form, on.labels, errors)}
${renderFields(form, on, errors)}</section>
<section class="panel">${renderInput({ name: 'slug', label: 'Name in URLs', hint, errors }, form.slug, html` maxlength="100" autocomplete="off" autocapitalize="off" spellcheck="false"`)}
${facts}</section>
</div>`
}

/** What is done with a card as a whole; unsaved changes are lost. */
function renderTools(
  { id, revision, closed, short_link }: CardRow,
  { board }: EditedBoard,
  { root, action }: Request,
  isPublic: boolean
): Markup {
  const links = boardLinks(board)
  const [to, text] = closed === 1 ? ['board', 'Restore it'] : ['archive', 'Archive it']
  return html`<form class="card-tools" action="${action(links.move)}" method="post">
<input type="hidden" name="card" value="${id}"><input type="hidden" name="revision" value="${revision}">
${isPublic && closed === 0 && html`<a class="button plain" href="${root}/c/${short_link}?public">As the public sees it</a>`}
<button class="plain" name="to" value="${to}">${text}</button>
<a class="button plain" href="${root}${links.confirm(id)}">Delete …</a>
</form>`
}

function renderBar(text: string, back: string): Markup {
  return html`<div class="save-bar"><button class="primary" id="save">${text}</button> <a class="button plain" href="${back}">Back to the board</a>
<span id="status" role="status"></span></div>`
}

function renderMessage({ message, errors = NO_ERRORS }: Shown, isArchived: boolean): Markup {
  const links = [...errors].map(([name, text]) => html`<li><a href="#f-${name}">${text}</a></li>`)
  return html`<div id="messages" tabindex="-1">${message !== undefined && html`<p class="note"${message.isError === true && html` role="alert"`}>${message.text}</p>`}
${errors.size > 0 && html`<div class="note" role="alert"><p>Nothing was saved yet:</p><ul>${links}</ul></div>`}
${isArchived && html`<p class="note">This card is archived, so it is not public.</p>`}</div>`
}
