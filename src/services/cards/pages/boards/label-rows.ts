import { html, type Markup } from '../../../../kernel/html.ts'
import { askFirst } from '../../../../kernel/page-parts.ts'
import { LABEL_COLORS } from '../../records/label-colors.ts'
import type { LabelRow } from '../../store/rows.ts'
import { buttonForm, renderOptions } from '../form-parts.ts'
import { renderLabels } from '../layout.ts'
import type { SettingsForm } from './settings-form.ts'

const COLORS = [
  ['', 'no colour'],
  ...LABEL_COLORS.map((color) => [color, color.replace('_', ', ')] as const)
] as const

export function renderLabelRows(
  labels: readonly LabelRow[],
  { path, action, canEdit }: Pick<SettingsForm, 'path' | 'action' | 'canEdit'>
): Markup {
  if (!canEdit) return html`${renderLabels(labels)}`
  return html`<ul class="rows">${labels.map((label) => renderRow(label, `${path}/labels/${label.id}`, action))}</ul>
<form class="filter" method="post" action="${action(`${path}/labels`)}"><label>New label<input name="name" required maxlength="1024" dir="auto"></label><label>Colour<select name="color">${renderOptions(COLORS, 'green')}</select></label><button>Add</button></form>`
}

function renderRow(label: LabelRow, at: string, action: SettingsForm['action']): Markup {
  const name = label.name || (label.color ?? 'label').replace('_', ' ')
  return html`<li>${renderLabels([{ ...label, name }])}<form class="grow" method="post" action="${action(at)}"><label><span class="hidden">Name</span><input name="name" value="${label.name}" maxlength="1024" placeholder="${name}" dir="auto"></label><label><span class="hidden">Colour</span><select name="color">${renderOptions(COLORS, label.color ?? '')}</select></label><button class="quiet" aria-label="Save the label ${name}">Save</button></form>
${askFirst('Delete', `Delete the label “${name}” from all cards?`, buttonForm(action(`${at}/delete`), 'Delete', { kind: 'danger', label: `Delete the label ${name}` }))}</li>`
}
