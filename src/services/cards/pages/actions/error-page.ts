import type { FastifyError } from 'fastify'
import { html, type Markup } from '../../../../kernel/html.ts'
import type { CardContext } from '../../context.ts'
import { renderMemberPage } from '../member-layout.ts'
import type { PageRequest, ShownPage } from '../page-request.ts'
import type { ActionRequest } from './action.ts'

/** Above this length a text gets more than one line. */
const LONG = 80
const MAX_FIELDS = 50

/** What was typed, in a form that sends it again; files have to be chosen again. */
export function actionErrorPage(
  context: CardContext,
  request: PageRequest & Pick<ActionRequest, 'input'>,
  path: string,
  error: FastifyError
): ShownPage {
  const { input, action } = request
  const fields = [...input.values]
    .filter((field): field is [string, string] => typeof field[1] === 'string')
    .slice(0, MAX_FIELDS)
  return renderMemberPage(context, request, {
    title: 'This was not saved',
    crumbs: [{ text: 'Not saved' }],
    status: error.statusCode ?? 500,
    main: html`<p class="note" role="alert">${error.message}</p>
${
  fields.length > 0 &&
  html`<form class="stack" action="${action(path)}" method="post">
<p>This is what you sent. Correct it and send it again, or go back.</p>
${fields.map(renderField)}
<p><button>Send again</button></p>
</form>`
}`
  })
}

function renderField([name, value]: [string, string]): Markup {
  const label = name.replace(/[_-]+/g, ' ')
  return value.length > LONG || value.includes('\n')
    ? html`<label>${label}<textarea name="${name}" rows="8">
${value}</textarea></label>`
    : html`<label>${label}<input name="${name}" value="${value}"></label>`
}
