import { html, type Markup, type Part } from '../../../kernel/html.ts'
import { address, askFirst, codeBlock, time } from '../../../kernel/page-parts.ts'
import type { FoundMessage } from '../sandbox/mail-store.ts'
import { FRAME_SANDBOX } from './frame-document.ts'
import { type ListQuery, pageUrl } from './list-query.ts'
import { bytesText, namesOf, peopleOf, recipientsOf, subjectOf } from './message-texts.ts'

export const VIEWS = ['html', 'text', 'source', 'headers', 'attachments'] as const
export type View = (typeof VIEWS)[number]

const LABELS: Readonly<Record<View, string>> = {
  html: 'HTML',
  text: 'Text',
  source: 'Source',
  headers: 'Headers',
  attachments: 'Attachments'
}

const TEXTS = {
  back: 'Back to the list',
  frame: 'The message as HTML',
  safe: 'Scripts, forms and anything from other hosts are off.',
  noText: 'The message has no text.',
  cut: 'Only the beginning is shown.',
  download: 'Download the source',
  noAttachments: 'The message has no attachments.'
}

export interface ShownText {
  readonly text: string
  readonly isCut: boolean
}

export interface ShownAttachment {
  /** Part number of IMAP, such as `2.1`. */
  readonly number: string
  readonly name: string
  readonly type: string
  readonly size: number
}

export interface MessageView {
  readonly id: string
  readonly message: FoundMessage
  readonly list: ListQuery
  /** Views that the message has. */
  readonly views: readonly View[]
  readonly view: View
  /** Of the view `text` or `source`. */
  readonly text?: ShownText | undefined
  /** Of the view `headers`. */
  readonly headers?: readonly { readonly name: string; readonly value: string }[]
  /** Of the view `html`. */
  readonly remoteImages?: number
  readonly isCut?: boolean
  readonly attachments: readonly ShownAttachment[]
  /** Recipients that the SMTP server was told, as far as the reader may know them. */
  readonly deliveredTo: readonly string[]
  readonly deleteUrl: string
  /** URL of the message in the API. */
  readonly apiUrl: string
}

export function messagePanel(view: MessageView): Markup {
  const { id, message, list, deliveredTo, deleteUrl } = view
  const { contents } = message
  const path = `/sandbox/messages/${id}`
  return html`<article class="panel message" aria-labelledby="subject">
<p class="mail-back"><a href="${pageUrl('/', list)}">${TEXTS.back}</a></p>
<header class="message-head">
<h2 id="subject" dir="auto">${subjectOf(contents)}</h2>
<dl class="parts">
<dt>From</dt><dd dir="auto">${peopleOf(contents.from) || namesOf([], contents.envelopeFrom)}</dd>
<dt>To</dt><dd dir="auto">${peopleOf(contents.recipients) || recipientsOf(contents, deliveredTo)}</dd>
<dt>Delivered to</dt><dd>${deliveredTo.length > 0 && html`${recipientsOf(contents, deliveredTo)} in `}<a href="/sandbox/accounts/${encodeURIComponent(message.account)}">${message.account}</a>, ${message.mailboxName}</dd>
<dt>Received</dt><dd>${time(message.internalDate)}, ${bytesText(message.size)}</dd>
</dl>
${askFirst('Delete', 'Delete this message?', html`<form action="${deleteUrl}" method="post"><input type="hidden" name="account" value="${list.account ?? ''}"><input type="hidden" name="q" value="${list.text}"><button class="danger">Delete it</button></form>`)}
</header>
<nav class="message-views" aria-label="Views of the message"><ul>${view.views.map(
    (name) =>
      html`<li><a href="${pageUrl(path, list, { view: name })}"${name === view.view && html` aria-current="page"`}>${LABELS[name]}${name === 'attachments' && html` <span class="chip">${view.attachments.length}</span>`}</a></li>`
  )}</ul></nav>
<div class="message-body">${content(view, path)}</div>
<footer class="message-foot"><span class="soft small">As JSON</span>${address(view.apiUrl)}</footer>
</article>`
}

function content(view: MessageView, path: string): Part {
  switch (view.view) {
    case 'html':
      return htmlView(view, path)
    case 'text':
      return textView(view.text)
    case 'source':
      return html`<p><a href="${path}/source">${TEXTS.download}</a></p>${textView(view.text)}`
    case 'headers':
      return headerList(view.headers ?? [])
    case 'attachments':
      return attachmentList(view.attachments, path)
  }
}

function htmlView({ remoteImages = 0, isCut }: MessageView, path: string): Markup {
  const images =
    remoteImages === 1 ? '1 remote image blocked' : `${remoteImages} remote images blocked`
  return html`<p class="message-note">${remoteImages > 0 && html`<span class="chip blocked">${images}</span> `}<span class="soft small">${TEXTS.safe}${isCut && ` ${TEXTS.cut}`}</span></p>
<iframe class="message-frame" title="${TEXTS.frame}" src="${path}/html" sandbox="${FRAME_SANDBOX}" referrerpolicy="no-referrer"></iframe>`
}

function textView(shown: ShownText | undefined): Part {
  if (shown === undefined) return html`<p class="soft">${TEXTS.noText}</p>`
  return html`<div class="message-text">${codeBlock(shown.text, 'plain', 'Text of the message')}</div>
${shown.isCut && html`<p class="soft small">${TEXTS.cut}</p>`}`
}

function headerList(headers: NonNullable<MessageView['headers']>): Markup {
  return html`<dl class="message-headers">${headers.map(({ name, value }) => html`<dt><code>${name}</code></dt><dd dir="auto">${value}</dd>`)}</dl>`
}

function attachmentList(attachments: readonly ShownAttachment[], path: string): Markup {
  if (attachments.length === 0) return html`<p class="soft">${TEXTS.noAttachments}</p>`
  return html`<ul class="entries rows">${attachments.map(
    ({ number, name, type, size }) =>
      html`<li><p><a href="${path}/parts/${number}" download dir="auto">${name}</a><br><span class="soft small">${type}</span></p><span class="soft small number">${bytesText(size)}</span></li>`
  )}</ul>`
}
