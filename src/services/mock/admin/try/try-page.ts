import { html, type Markup } from '../../../../kernel/html.ts'
import { methodBadge } from '../../../../kernel/page-parts.ts'
import type { AdminPage } from '../page.ts'
import { renderField } from './fields.ts'
import { memberField, parameterField } from './form-values.ts'
import { resultPanel } from './result.ts'
import type { SentEntry } from './send.ts'
import type { BodyForm, FilledForm, TryForm } from './try-form.ts'

const TEXTS = {
  request: 'Request',
  send: 'Send',
  forwards: 'The mock forwards this request to',
  rejected: 'Not sent:',
  nothing: 'This operation has no parameters and no body.',
  body: 'Body',
  bodyText: 'Text of the body',
  asText: 'Edit as text',
  asFields: 'Edit as fields',
  examples: 'Fill in:',
  generated: 'generated',
  type: 'Content type:',
  more: 'Response to ask for, further headers',
  status: 'Status',
  example: 'Example',
  usual: 'as usual',
  accept: 'Accept',
  any: '*/*',
  headers: 'Further headers, one per line',
  raw: 'Edit all of it as plain text',
  deprecated: 'This operation is deprecated.'
}

const GROUPS = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
  ['cookie', 'Cookies']
] as const

export interface TryView extends FilledForm {
  /** URL of the form. */
  action: string
  /** URL of the upstream; undefined if the mock responds. */
  upstream: string | undefined
  sent?: SentEntry | undefined
  /** Why the request was not sent. */
  error?: string | undefined
}

export function tryPage(view: TryView): AdminPage {
  const { operation } = view.form
  return {
    tab: 'operations',
    title: `${operation.method} ${operation.path}`,
    script: '/__nonet/assets/try-form.js',
    main: html`<p class="lead">${[operation.summary, operation.deprecated ? TEXTS.deprecated : undefined].filter((text) => text !== undefined).join(' ')}</p>
<div class="columns">
${renderRequest(view)}
${resultPanel(view.sent)}
</div>`
  }
}

function renderRequest(view: TryView): Markup {
  const { form, action, upstream, error, values } = view
  const { operation, served } = form
  return html`<section class="panel" aria-labelledby="request-title">
<header><h2 class="panel-title" id="request-title">${TEXTS.request}</h2> ${methodBadge(operation.method)} <code>${form.prefix}${operation.path}</code><button form="request">${TEXTS.send}</button></header>
${error !== undefined && html`<p class="note" role="alert">${TEXTS.rejected} ${error}</p>`}
${upstream !== undefined && html`<p class="note">${TEXTS.forwards} ${upstream}.</p>`}
<form id="request" class="fill" method="post" action="${action}#response">
<input type="hidden" name="operation" value="${operation.method} ${operation.path}"><input type="hidden" name="document" value="${served.label}">
${renderParameters(view)}
${renderCredentials(view)}
${form.body === undefined ? '' : renderBody(view, form.body)}
${form.parameters.length === 0 && form.body === undefined && html`<p class="soft">${TEXTS.nothing}</p>`}
${renderMore(form, values, upstream === undefined)}
<p><button>${TEXTS.send}</button> <button class="quiet" name="raw" value="yes">${TEXTS.raw}</button></p>
</form>
</section>`
}

function renderParameters({ form, values }: TryView): Markup[] {
  return GROUPS.flatMap(([location, title]) => {
    const parameters = form.parameters.filter(({ parameter }) => parameter.in === location)
    if (parameters.length === 0) return []
    return [
      html`<h3 class="panel-title">${title}</h3>${parameters.map(({ parameter, facts }) => {
        const field = parameterField(parameter)
        const { name, required, deprecated } = parameter
        const value = values[field] ?? ''
        return renderField({
          field,
          label: name,
          hint: facts.text,
          required,
          deprecated,
          value,
          facts
        })
      })}`
    ]
  })
}

function renderCredentials({ form, values }: TryView): Markup | '' {
  if (form.credentials.length === 0) return ''
  const fields = form.credentials.flatMap((one) => one.fields)
  return html`<h3 class="panel-title">Credentials</h3>${fields.map(({ field, label, hint }) =>
    renderField({ field, label, hint, required: false, value: values[field] ?? '' })
  )}`
}

function renderBody({ values, view }: TryView, body: BodyForm): Markup {
  const { media, types, members, examples, required } = body
  const isFields = view === 'fields' && members !== undefined
  const choices = [...examples, '']
  return html`<h3 class="panel-title">${TEXTS.body} <small class="soft">${types.length === 1 && `${media.type}, `}${required ? 'required' : 'optional'}</small></h3>
<input type="hidden" name="type" value="${media.type}"><input type="hidden" name="view" value="${isFields ? 'fields' : 'text'}">
${types.length > 1 && html`<p class="bar pages"><span class="soft">${TEXTS.type}</span>${types.map((type) => html`<button class="quiet" name="pick" value="${type}"${type === media.type && html` aria-pressed="true"`}>${type}</button>`)}</p>`}
${
  isFields
    ? renderMembers(values, members)
    : html`<label>${TEXTS.bodyText}<textarea name="body" rows="${rowsOf(values.body ?? '')}" class="code" spellcheck="false">
${values.body ?? ''}</textarea></label>`
}
<p class="bar pages"><span class="soft">${TEXTS.examples}</span>${choices.map((key) => html`<button class="quiet" name="fill" value="${key}">${key === '' ? TEXTS.generated : key}</button>`)}${members !== undefined && html`<button class="quiet" name="show" value="${isFields ? 'text' : 'fields'}">${isFields ? TEXTS.asText : TEXTS.asFields}</button>`}</p>`
}

function renderMembers(
  values: TryView['values'],
  members: NonNullable<BodyForm['members']>
): Markup[] {
  return members.map(({ name, required, facts }) => {
    const field = memberField(name)
    return renderField({
      field,
      label: name,
      hint: facts.text,
      required,
      value: values[field] ?? '',
      facts
    })
  })
}

function rowsOf(text: string): number {
  return Math.min(Math.max(text.split('\n').length + 1, 4), 24)
}

function renderMore(form: TryForm, values: TryView['values'], isMocked: boolean): Markup {
  const statuses = form.operation.responses
    .map(({ code }) => code)
    .filter((code) => /^\d{3}$/.test(code))
  const examples = [
    ...new Set(
      form.operation.responses.flatMap(({ contents }) =>
        contents.flatMap((media) => media.examples.map(({ key }) => key))
      )
    )
  ]
  const isOpen = ['status', 'example', 'accept', 'headers'].some(
    (name) => (values[name] ?? '') !== ''
  )
  return html`<details${isOpen && html` open`}><summary>${TEXTS.more}</summary><div class="fill">
${isMocked && statuses.length > 0 && choice('status', TEXTS.status, TEXTS.usual, statuses, values.status)}
${isMocked && examples.length > 0 && choice('example', TEXTS.example, TEXTS.usual, examples, values.example)}
${form.accepts.length > 1 && choice('accept', TEXTS.accept, TEXTS.any, form.accepts, values.accept)}
<label>${TEXTS.headers}<textarea name="headers" rows="3" class="code" spellcheck="false" placeholder="X-Request-Id: 7">
${values.headers ?? ''}</textarea></label>
</div></details>`
}

function choice(
  name: string,
  label: string,
  none: string,
  options: readonly string[],
  value = ''
): Markup {
  return html`<label>${label}<select name="${name}"><option value="">${none}</option>${options.map((option) => html`<option${option === value && html` selected`}>${option}</option>`)}</select></label>`
}
