import { html, type Markup } from '../../../../kernel/html.ts'
import type { ListRow } from '../../store/rows.ts'
import { type CardForm, type EditedBoard, STATES, type State } from './card-form.ts'
import { renderError, renderInput, renderSelect } from './controls.ts'
import type { FieldErrors } from './field-errors.ts'

const TEXTS: Readonly<Record<State, string>> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published'
}

/** State, time of publication and list; scripts keep the three in line. */
export function renderPublication(form: CardForm, on: EditedBoard, errors: FieldErrors): Markup {
  const { time_zone: zone } = on.board
  const states = STATES.map(
    (state) =>
      html`<label><input type="radio" name="state" value="${state}"${state === form.state && html` checked`}> ${TEXTS[state]}</label>`
  )
  const list = { name: 'list', label: 'List', errors }
  const time = { name: 'publishAt', label: 'Publish at', hint: `Time zone: ${zone}`, errors }
  return html`<fieldset class="choice states"><legend>Publication</legend>${states}</fieldset>
<div class="schedule">${renderInput(time, form.publishAt, html` type="datetime-local"`)}</div>
<div class="control">${renderSelect(list, on.lists.map(choiceOf), form.list, roles(on.lists))}</div>
${renderError({ name: 'state', errors })}`
}

/** The name says what most lists are for. */
function choiceOf({ id, name, role, closed }: ListRow): { value: string; text: string } {
  const isNamed = role !== 'published' || name.toLowerCase() === role
  const about = closed === 1 ? ' (archived)' : isNamed ? '' : ' (public)'
  return { value: id, text: name + about }
}

/** Which lists are public, for the script. */
function roles(lists: readonly ListRow[]): Markup {
  const open = lists.filter(({ role, closed }) => role === 'published' && closed === 0)
  return html` data-public="${open.map(({ id }) => id).join(' ')}"`
}
