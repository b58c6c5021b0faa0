import { cutText } from '../../../kernel/cut-text.ts'
import { html, type Markup, type Part } from '../../../kernel/html.ts'
import { codeBlock, methodBadge, statusFigure, time } from '../../../kernel/page-parts.ts'
import type { Outcome } from '../handle.ts'
import type { Submission } from '../inbox.ts'
import { type Contents, type Field, shownHeaders } from '../submission.ts'

/** Limits of what is shown, because a sender can fill a request up to its own limits. */
const MAX_VALUE = 300
const MAX_BODY = 1000
const MAX_FIELDS = 25
const MAX_HEADERS = 40
/** Length of a name in the line of a submission. */
const MAX_NAME = 80

export interface ShownSubmission {
  readonly submission: Submission
  readonly contents: Contents
}

export interface ItemOptions {
  /** Id of the submission whose details are open. */
  readonly shown: number | undefined
  readonly actionOf: (path: string) => string
}

export function submissionItem(
  { submission, contents }: ShownSubmission,
  { shown, actionOf }: ItemOptions
): Markup {
  const { id, when, outcome, attempts } = submission
  const dropped = contents.fields?.filter(({ use }) => use === 'dropped').length ?? 0
  return html`<li id="s${id}" data-version="${attempts.at(-1)?.when.getTime()}">
<details${id === shown && html` open`}>
<summary>${time(when)}<span class="who">${senderOf(submission, contents)}</span>
<span class="result">${dropped > 0 && html`<span class="chip">${dropped} dropped</span> `}${badgeOf(attempts.at(-1)?.outcome ?? outcome)}</span></summary>
<div class="entry">
${renderOutcome(submission)}
${contents.form !== undefined && html`<form action="${actionOf(`/submissions/${id}/send`)}" method="post" data-fetch><button class="quiet">${outcome.kind === 'forwarded' || outcome.kind === 'unanswered' ? 'Send again' : 'Send anyway'}</button></form>`}
${renderBody(submission, contents)}
<h3>Headers</h3>
${codeBlock(headerText(submission.rawHeaders))}
</div>
</details></li>`
}

function senderOf({ method, path }: Submission, { fields = [] }: Contents): Part {
  const fieldOf = (wanted: string) => fields.find(({ name }) => name === wanted)?.value ?? ''
  const [email, fullName] = [fieldOf('email'), fieldOf('fullName')]
  if (email === '' && fullName === '')
    return html`${methodBadge(method)} ${shorten(path, MAX_NAME)}`
  const name = fullName !== '' && html`<b>${shorten(fullName, MAX_NAME)}</b> `
  return html`${name}${shorten(email, MAX_NAME)}`
}

/** One or two words for the line of a submission. */
function badgeOf(outcome: Outcome): Markup {
  switch (outcome.kind) {
    case 'forwarded':
      return html`<span class="soft">webhook</span> ${statusFigure(outcome.status)}`
    case 'unanswered':
      return html`<span class="status s5">no response</span>`
    case 'rejected':
      return html`<span class="status s4">rejected</span>`
    case 'honeypot':
      return html`<span class="status s3">honeypot</span>`
  }
}

function renderOutcome({ outcome, attempts, status, text, method, path }: Submission): Markup {
  return html`<dl class="parts">
<dt>Outcome</dt><dd>${describe(outcome)}</dd>
${attempts.map(({ when, outcome: again }) => html`<dt>Sent again</dt><dd>${time(when)}: ${describe(again)}</dd>`)}
<dt>Request</dt><dd>${methodBadge(method)} <code>${shorten(path, MAX_VALUE)}</code></dd>
<dt>Response</dt><dd>${statusFigure(status)} <code>${shorten(text, MAX_VALUE)}</code></dd>
</dl>`
}

function describe(outcome: Outcome): Part {
  switch (outcome.kind) {
    case 'forwarded':
      return html`The webhook responded with ${statusFigure(outcome.status)}${outcome.ok ? '.' : ', which is not a success.'}`
    case 'unanswered':
      return html`Not forwarded: <span class="bad">${withoutName(outcome.error)}</span>`
    case 'rejected':
      return html`Rejected: <span class="bad">${withoutName(outcome.error)}</span>`
    case 'honeypot':
      return 'Not forwarded, because the honeypot field was filled. The client got a success.'
  }
}

function withoutName(error: string): string {
  return shorten(error.replace(/^Error: /, ''), MAX_VALUE)
}

function renderBody({ body }: Submission, { fields }: Contents): Part {
  if (fields === undefined) {
    if (body === undefined) return html`<h3>Body</h3><p>Too long to be kept, or not complete.</p>`
    if (body.length === 0) return html`<h3>Body</h3><p>None.</p>`
    const text = new TextDecoder().decode(body.subarray(0, 4 * MAX_BODY))
    return html`<h3>Body</h3>${codeBlock(shorten(text, MAX_BODY))}`
  }
  const more = fields.length - MAX_FIELDS
  return html`<h3>Fields</h3>
<dl class="parts">${fields.slice(0, MAX_FIELDS).map(renderField)}</dl>
${more > 0 && html`<p class="soft">and ${more} more</p>`}
${fields.length === 0 && html`<p>None.</p>`}`
}

function renderField({ name, value, use }: Field): Markup {
  return html`<dt><code>${shorten(name, MAX_NAME)}</code></dt>
<dd>${shorten(value, MAX_VALUE)}${use !== 'forwarded' && html` <span class="chip">${use}</span>`}</dd>`
}

function headerText(rawHeaders: readonly string[]): string {
  const headers = shownHeaders(rawHeaders)
  const lines = headers
    .slice(0, MAX_HEADERS)
    .map(({ name, value }) => `${name}: ${shorten(value, MAX_VALUE)}`)
  const more = headers.length - lines.length
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${cutText(text, most)}…` : text
}
