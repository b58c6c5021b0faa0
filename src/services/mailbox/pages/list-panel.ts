import { html, type Markup, type Part } from '../../../kernel/html.ts'
import { askFirst, emptyState, time } from '../../../kernel/page-parts.ts'
import { messageIdOf } from '../messages/message-id.ts'
import type { FoundMessage } from '../sandbox/mail-store.ts'
import { pageUrl } from './list-query.ts'
import type { MailList } from './mail-list.ts'
import { namesOf, recipientsOf, subjectOf } from './message-texts.ts'

const TEXTS = {
  title: 'Caught mail',
  reload: 'Reload the page to see new mail.',
  all: 'All accounts',
  search: 'Search mail',
  empty: 'No mail yet',
  emptyNext: 'Send a message to any address: it appears here at once.',
  noMatch: 'No message matches',
  noMatchNext: 'Subject, sender, recipients and the beginning of the text are searched.'
}

export interface ListView {
  readonly list: MailList
  /** Id of the message that is shown beside the list. */
  readonly open: string | undefined
  readonly clearUrl: string
}

/** The script of the page replaces what is in `#mail` after each change. */
export function listPanel(view: ListView): Markup {
  const { list, open } = view
  const { query } = list
  const events = pageUrl('/events', { account: query.account })
  const source = pageUrl('/', query, open === undefined ? {} : { open })
  return html`<section class="panel mail-list" aria-labelledby="mail-title">
<header><h2 class="panel-title" id="mail-title">${TEXTS.title}</h2>
<span id="live" class="soft small">${TEXTS.reload}</span></header>
${searchForm(list)}
<div id="mail" data-events="${events}" data-source="${source}">
${list.messages.length === 0 ? nothing(list) : html`<ul class="mails">${list.messages.map((message) => mailItem(message, view))}</ul>`}
${footer(view)}
</div>
</section>`
}

function searchForm({ query, accounts }: MailList): Markup {
  const isListed = accounts.some(({ id }) => id === query.account)
  return html`<form class="mail-search" method="get" action="/" role="search">
${
  accounts.length > 0 &&
  html`<label class="hidden" for="account">Account</label><select name="account" id="account">
<option value="">${TEXTS.all}</option>
${!isListed && query.account !== undefined && html`<option value="${query.account}" selected>${query.account}</option>`}
${accounts.map(({ id, address }) => html`<option value="${id}"${id === query.account && html` selected`}>${address}</option>`)}
</select>`
}
<label class="hidden" for="q">${TEXTS.search}</label><input type="search" name="q" id="q" value="${query.text}" placeholder="${TEXTS.search}" maxlength="200">
<button class="quiet">Search</button>
</form>`
}

function nothing({ query }: MailList): Markup {
  return query.text === ''
    ? emptyState(TEXTS.empty, TEXTS.emptyNext)
    : emptyState(`${TEXTS.noMatch} “${query.text}”`, TEXTS.noMatchNext)
}

function mailItem(message: FoundMessage, { list, open }: ListView): Markup {
  const { contents, mailboxName } = message
  const id = messageIdOf(message)
  const chips = [
    ...(list.query.account === undefined ? [message.account] : []),
    ...(mailboxName === 'INBOX' ? [] : [mailboxName])
  ]
  const href = pageUrl(`/sandbox/messages/${id}`, list.query)
  return html`<li><a href="${href}" class="mail"${id === open && html` aria-current="true"`}>
<span class="mail-from" dir="auto">${namesOf(contents.from, contents.envelopeFrom)}</span> ${time(message.internalDate)}
<span class="mail-subject" dir="auto">${subjectOf(contents)}</span>
<span class="mail-more"><span class="hidden">to </span>${recipientsOf(contents, list.showsEnvelope ? contents.envelopeTo : [])}${chips.map((text) => html` <span class="chip">${text}</span>`)}</span>
${contents.preview !== '' && html`<span class="mail-preview" dir="auto">${contents.preview}</span>`}
</a></li>`
}

function footer({ list, clearUrl }: ListView): Part {
  const { query, messages, total, hasOlder } = list
  const last = messages.at(-1)?.number
  if (total === 0) return false
  const question = query.text === '' ? 'Delete all of them?' : 'Delete all that match?'
  return html`<div class="pages"><span>${total === 1 ? '1 message' : `${total} messages`}</span>
${query.before !== undefined && html`<a href="${pageUrl('/', { ...query, before: undefined })}">Newest</a>`}
${hasOlder && html`<a href="${pageUrl('/', { ...query, before: last })}">Older</a>`}
${askFirst(
  'Delete all',
  question,
  html`<form action="${clearUrl}" method="post">
<input type="hidden" name="account" value="${query.account ?? ''}"><input type="hidden" name="q" value="${query.text}">
<button class="danger">Delete ${total === 1 ? '1 message' : `${total} messages`}</button></form>`
)}</div>`
}
