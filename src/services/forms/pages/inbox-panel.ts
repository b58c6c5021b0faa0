import { html, type Markup, type Part } from '../../../kernel/html.ts'
import { askFirst, emptyState } from '../../../kernel/page-parts.ts'
import { MAX_SUBMISSIONS } from '../inbox.ts'
import type { Paging } from './paging.ts'
import { type ShownSubmission, submissionItem } from './submission-item.ts'

const TEXTS = {
  title: 'Inbox',
  memory: `The last ${MAX_SUBMISSIONS} submissions are kept in memory and deleted when nonet stops.`,
  reload: 'Reload the page to see new submissions.',
  empty: 'No submissions yet',
  next: 'Send the form “Try it”, or send a request to the URL of the function: it appears here.',
  gone: `This submission is no longer in the inbox, which keeps the last ${MAX_SUBMISSIONS}.`,
  question: 'Delete all submissions?'
}

export interface InboxView extends Omit<Paging, 'submissions'> {
  readonly submissions: readonly ShownSubmission[]
  /** Path of the console routes of forms. */
  readonly prefix: string
  /** URL for a form that posts to this path below the prefix. */
  readonly actionOf: (path: string) => string
}

/** The script replaces what is in `#inbox` after each change. */
export function inboxPanel(view: InboxView): Markup {
  const { submissions, total, page, prefix, isGone } = view
  return html`<section class="panel" aria-labelledby="inbox-title">
<header><h2 class="panel-title" id="inbox-title">${TEXTS.title}</h2>
<span id="live" class="soft small">${TEXTS.reload}</span></header>
<div id="inbox" data-events="${page === 1 && `${prefix}/events`}">
${isGone && html`<p class="note" role="alert">${TEXTS.gone}</p>`}
${total === 0 ? emptyState(TEXTS.empty, TEXTS.next) : html`<ul class="inbox">${submissions.map((shown) => submissionItem(shown, view))}</ul>`}
${total > 0 && footer(view)}
</div>
</section>`
}

function footer({ total, page, pages, prefix, actionOf }: InboxView): Markup {
  const pageLink = (to: number, text: string): Part =>
    to >= 1 && to <= pages && html`<a href="${prefix}/?page=${to}">${text}</a>`
  return html`<div class="pages"><span>${total === 1 ? '1 submission' : `${total} submissions`}</span>
${pages > 1 && html`<span>page ${page} of ${pages}</span>`}
${pageLink(page - 1, 'Newer')}${pageLink(page + 1, 'Older')}
${askFirst(
  'Clear',
  TEXTS.question,
  html`<form action="${actionOf('/catch/clear')}" method="post" data-fetch><button class="danger">Delete all</button></form>`
)}</div>
<p class="small soft">${TEXTS.memory}</p>`
}
