import { html, type Markup } from '../../../../kernel/html.ts'
import { askFirst } from '../../../../kernel/page-parts.ts'
import type { CardContext } from '../../context.ts'
import { findBoard } from '../../store/find.ts'
import { readLabels } from '../../store/labels.ts'
import { readLists } from '../../store/lists.ts'
import { readFields } from '../../store/read-fields.ts'
import type { BoardRow, FieldRow } from '../../store/rows.ts'
import { alertNote, buttonForm, panel, renderOptions } from '../form-parts.ts'
import { renderMemberPage } from '../member-layout.ts'
import type { PageRequest, ShownPage } from '../page-request.ts'
import { boardPath, requireLink } from '../read-pages.ts'
import { listKeys, renderKeys } from './keys.ts'
import { renderLabelRows } from './label-rows.ts'
import { renderLists } from './list-rows.ts'
import type { SettingsForm } from './settings-form.ts'
import { renderVisibility } from './visibility.ts'

const MAX_LABELS = 500

/** What was typed and could not be stored, with the reason. */
export interface SettingsState {
  message?: string
  status?: number
  typed?: Readonly<Record<string, string>>
}

/** `/b/<short link>/-/settings`. */
export async function settingsPage(
  context: CardContext,
  request: PageRequest,
  { message, status = 200, typed }: SettingsState = {}
): Promise<ShownPage> {
  const { viewer, params, canEdit, action, signedIn } = request
  const link = requireLink(params.board)
  const { board, lists, labels, fields } = await context.store.read(function* () {
    const found = yield* findBoard(viewer, link)
    return {
      board: found,
      lists: yield* readLists(viewer, found.id, 'all'),
      labels: yield* readLabels(viewer, found.id, MAX_LABELS),
      fields: (yield* readFields(viewer, found.id)).map(({ field }) => field)
    }
  })
  const keys = await listKeys(context, board.id)
  const path = `/b/${board.short_link}/-`
  const form = { path, action, canEdit }
  const canAdminister = canEdit && signedIn?.viewer.canAdminister === true
  return renderMemberPage(context, request, {
    title: `Settings of ${board.name}`,
    heading: html`<h1 dir="auto">Settings</h1>`,
    crumbs: [{ text: board.name, path: boardPath(board) }, { text: 'Settings' }],
    status,
    script: 'settings',
    main: html`${alertNote(message)}
${!canEdit && html`<p class="note">The token you signed in with may only read, so nothing can be changed here.</p>`}
<div class="two"><div class="pile">
${panel('board', 'Board', renderBoardForm(board, fields, form, typed))}
${panel('keys', 'Publishable keys', renderKeys(keys, { ...form, canEdit: canAdminister }))}
${canEdit && panel('preview', 'Preview link', renderPreview(form))}
${canEdit && panel('remove', 'Archive or delete', renderRemoval(board, form, canAdminister))}
</div><div class="pile">
${panel('lists', 'Lists', renderLists(lists, form))}
${panel('labels', 'Labels', renderLabelRows(labels, form))}
</div></div>`
  })
}

function renderBoardForm(
  board: BoardRow,
  fields: readonly FieldRow[],
  { path, action, canEdit }: SettingsForm,
  typed: SettingsState['typed'] = {}
): Markup {
  const value = (name: string, stored: string) => typed[name] ?? stored
  const none = ['', 'none'] as const
  const ofType = (type: FieldRow['type']) =>
    fields.filter((field) => field.type === type).map(({ id, name }) => [id, name] as const)
  return html`<form class="stack" method="post" action="${action(`${path}/settings`)}"><fieldset class="stack"${!canEdit && html` disabled`}><legend class="hidden">Board</legend>
<label>Name<input name="name" value="${value('name', board.name)}" required maxlength="16384" dir="auto"></label>
<label>Description<textarea name="description" rows="4" dir="auto">
${value('description', board.description)}</textarea><small>Markdown; shown above the board.</small></label>
${renderVisibility(value('visibility', board.permission))}
<label>Slug<input name="slug" value="${value('slug', board.slug)}" required maxlength="100" spellcheck="false"><small>The name of the board in the content API: <code>/content/${board.slug}/cards</code></small></label>
<label>Time zone<input name="timeZone" value="${value('timeZone', board.time_zone)}" required maxlength="64" list="zones" spellcheck="false"><small>For the days of completion dates, such as Europe/Berlin.</small></label>
<datalist id="zones">${Intl.supportedValuesOf('timeZone').map((zone) => html`<option>${zone}</option>`)}</datalist>
<label>Completion date<select name="completedField">${renderOptions([none, ...ofType('date')], value('completedField', board.completed_field ?? ''))}</select><small>The date field that sites read as <code>completedAt</code>.</small></label>
<label>URL<select name="urlField">${renderOptions([none, ...ofType('text')], value('urlField', board.url_field ?? ''))}</select><small>The text field that sites read as <code>url</code>.</small></label>
${canEdit && html`<button>Save</button>`}
</fieldset></form>`
}

function renderPreview({ path, action }: SettingsForm): Markup {
  return html`<p class="hint">Everyone who has the link sees the board with its drafts, and can change nothing.</p>
<form class="filter" method="post" action="${action(`${path}/preview`)}"><label>Valid for<select name="days">${renderOptions(
    [
      ['1', 'a day'],
      ['7', 'a week'],
      ['30', '30 days']
    ],
    '1'
  )}</select></label><button class="quiet">Make a link</button></form>`
}

function renderRemoval(
  { closed, name }: BoardRow,
  { path, action }: SettingsForm,
  canAdminister: boolean
): Markup {
  const archive =
    closed === 1
      ? buttonForm(action(`${path}/archive`), 'Reopen the board', { fields: { closed: 'false' } })
      : askFirst(
          'Archive the board',
          'Nobody but you sees it then; you can reopen it here.',
          buttonForm(action(`${path}/archive`), 'Archive', { fields: { closed: 'true' } })
        )
  return html`<div class="rows">${archive}</div>
${canAdminister ? html`<p><a href="delete">Delete “<bdi>${name}</bdi>” …</a></p>` : html`<p class="hint">Deleting a board needs a token with the scope admin.</p>`}`
}
