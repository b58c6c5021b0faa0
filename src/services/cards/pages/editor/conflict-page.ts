import { html, type Markup } from '../../../../kernel/html.ts'
import type { CardContext } from '../../context.ts'
import type { ActionRequest } from '../actions/action.ts'
import { renderMemberPage } from '../member-layout.ts'
import type { ShownPage } from '../page-request.ts'
import { boardPath, cardPath } from '../read-pages.ts'
import { type CardForm, formOf } from './card-form.ts'
import { describeForm } from './describe-form.ts'
import type { EditedCard } from './edited-card.ts'
import { EDITOR_STYLE } from './editor-form.ts'
import { editorPaths } from './paths.ts'
import { formFields } from './read-form.ts'

export interface Conflict {
  /** As it is stored now. */
  readonly card: EditedCard
  readonly form: CardForm
  readonly message: string
  /** Whether files came with the form, which are not stored. */
  readonly hasFiles: boolean
}

/** Both versions side by side; the buttons send what was typed with the new revision. */
export function conflictPage(
  context: CardContext,
  request: ActionRequest,
  { card, form, message, hasFiles }: Conflict
): ShownPage {
  const { parts, on } = card
  const { action, root } = request
  const paths = editorPaths(parts.card.short_link)
  const stored = describeForm(formOf(parts, on), card)
  const typed = new Map(describeForm(form, card).map((row) => [row.name, row]))
  const rows = stored.flatMap(({ name, label, text }) => {
    const mine = typed.get(name)?.text ?? ''
    return mine === text ? [] : [{ label, text, mine }]
  })
  const hidden = formFields(form).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`
  )
  const main = html`<p class="note" role="alert">${message}.</p>
${hasFiles && html`<p class="note">The files you chose are not stored: choose them again.</p>`}
${rows.length === 0 ? html`<p>What you typed is the same as what is stored now.</p>` : html`<div class="versions">${rows.map(renderRow)}</div>`}
<form class="conflict" action="${action(paths.save)}" method="post" enctype="multipart/form-data">
<input type="hidden" name="revision" value="${parts.card.revision}">${hidden}
<button formaction="${action(paths.arrange)}">Go on editing mine</button>
<button class="danger">Save mine over it</button>
<a class="button plain" href="${root}${cardPath(parts.card)}">Keep the stored version</a>
</form>`
  return renderMemberPage(context, request, {
    title: 'This card was changed meanwhile',
    crumbs: [
      { text: on.board.name, path: boardPath(on.board) },
      { text: parts.card.name, path: cardPath(parts.card) },
      { text: 'Conflict' }
    ],
    main,
    style: EDITOR_STYLE,
    status: 409
  })
}

function renderRow({ label, text, mine }: { label: string; text: string; mine: string }): Markup {
  return html`<section><h2>${label}</h2><div class="two-versions">
<div><h3>Stored now</h3><p class="prose" dir="auto">${text || '–'}</p></div>
<div class="mine"><h3>Yours</h3><p class="prose" dir="auto">${mine || '–'}</p></div>
</div></section>`
}
