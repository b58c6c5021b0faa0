import { html, type Markup } from '../../../../kernel/html.ts'
import type { ListRow } from '../../store/rows.ts'
import { buttonForm, renderOptions } from '../form-parts.ts'
import type { SettingsForm } from './settings-form.ts'

const ROLES = [
  ['draft', 'Draft'],
  ['published', 'Published'],
  ['archive', 'Archive']
] as const

export function renderLists(lists: readonly ListRow[], form: SettingsForm): Markup {
  const open = lists.filter(({ closed }) => closed === 0)
  const archived = lists.filter(({ closed }) => closed === 1)
  const { path, action, canEdit } = form
  return html`<p class="hint">The public sees the cards of lists with the role Published.</p>
<ol class="rows" id="list-rows">${open.map((list, index) => renderList(list, form, { isFirst: index === 0, isLast: index === open.length - 1 }))}</ol>
${archived.length > 0 && html`<p class="hint">Archived lists. The board does not show their cards:</p><ul class="rows">${archived.map((list) => html`<li><span class="grow" dir="auto">${list.name}</span>${canEdit && buttonForm(action(`${path}/lists/${list.id}/archive`), 'Restore', { fields: { closed: 'false' }, label: `Restore ${list.name}` })}</li>`)}</ul>`}
${canEdit && html`<form class="filter" method="post" action="${action(`${path}/lists`)}"><label>New list<input name="name" required maxlength="16384" dir="auto"></label><label>Role<select name="role">${renderOptions(ROLES, 'draft')}</select></label><button>Add</button></form>`}`
}

function renderList(
  { id, name, role }: ListRow,
  { path, action, canEdit }: SettingsForm,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean }
): Markup {
  const at = `${path}/lists/${id}`
  if (!canEdit)
    return html`<li><span dir="auto">${name}</span> <span class="soft">${role}</span></li>`
  const move = (to: 'left' | 'right', text: string) =>
    buttonForm(action(`${at}/move`), text, { fields: { to }, label: `Move ${name} ${to}` })
  return html`<li data-list="${id}"><form class="grow" method="post" action="${action(at)}"><label><span class="hidden">Name</span><input name="name" value="${name}" required maxlength="16384" dir="auto"></label><label><span class="hidden">Role</span><select name="role">${renderOptions(ROLES, role)}</select></label><button class="quiet" aria-label="Save ${name}">Save</button></form>
${!isFirst && move('left', '←')}${!isLast && move('right', '→')}
${buttonForm(action(`${at}/archive`), 'Archive', { fields: { closed: 'true' }, label: `Archive ${name}` })}</li>`
}
