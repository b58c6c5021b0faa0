import { html, type Markup } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { address, askFirst, time } from '../../../kernel/page-parts.ts'
import type { MailboxStatus, SandboxAccount } from '../sandbox/mail-store.ts'
import { pageUrl } from './list-query.ts'
import { MAIL_STYLE } from './mail-page.ts'
import { bytesText } from './message-texts.ts'
import { type MailServers, serverUrl, snippetTabs } from './snippets.ts'

const TEXTS = {
  login: 'For mail programs',
  loginNote:
    'Connections need no encryption on this machine; STARTTLS works with a certificate that the sandbox made for itself.',
  created: 'The account is ready.',
  token: 'Token of the API',
  tokenNote: 'It is shown only now. A new one: npx nonet token create mailbox --account',
  use: 'Use it',
  folders: 'Mailboxes',
  list: 'Show its mail',
  deleteLabel: 'Delete the account',
  deleteQuestion: 'Delete the account with all of its mail?',
  deleteButton: 'Delete it'
}

export interface AccountView {
  readonly account: SandboxAccount
  readonly password: string
  /** Undefined except right after the account was made. */
  readonly token: string | undefined
  readonly servers: MailServers | undefined
  readonly mailboxes: readonly MailboxStatus[]
  /** Undefined for readers who may not delete it. */
  readonly deleteUrl: string | undefined
}

export function accountPage(view: AccountView): Page {
  const { account, token, servers, deleteUrl } = view
  return {
    title: account.address,
    crumbs: [{ text: 'mailbox', href: '/' }, { text: account.address }],
    style: MAIL_STYLE,
    main: html`${token !== undefined && html`<p class="note" role="status">${TEXTS.created}</p>`}
<p class="pages"><a class="button" href="${pageUrl('/', { account: account.id })}">${TEXTS.list}</a> <span class="soft">Created ${time(account.createdAt)}</span></p>
<div class="columns">
<div class="stacked">${loginPanel(view)}${token !== undefined && tokenPanel(token, account.id)}${foldersPanel(view)}</div>
<section class="panel" aria-labelledby="use"><header><h2 class="panel-title" id="use">${TEXTS.use}</h2></header>
${servers !== undefined && snippetTabs('use', servers, { address: account.address, password: view.password, token })}
</section>
</div>
${
  deleteUrl !== undefined &&
  html`<p></p>${askFirst(TEXTS.deleteLabel, TEXTS.deleteQuestion, html`<form action="${deleteUrl}" method="post"><button class="danger">${TEXTS.deleteButton}</button></form>`)}`
}`
  }
}

function loginPanel({ account, password, servers }: AccountView): Markup {
  return html`<section class="panel" aria-labelledby="login"><header><h2 class="panel-title" id="login">${TEXTS.login}</h2></header>
<dl class="parts urls">
<dt>User</dt><dd>${address(account.address, 'Copy the user')}</dd>
<dt>Password</dt><dd>${address(password, 'Copy the password')}</dd>
${
  servers !== undefined &&
  html`<dt>IMAP</dt><dd>${address(serverUrl('imap', servers.imap))}</dd>
<dt>SMTP</dt><dd>${address(serverUrl('smtp', servers.smtp))}</dd>`
}
</dl>
<p class="small soft">${TEXTS.loginNote}</p>
</section>`
}

function tokenPanel(token: string, id: string): Markup {
  return html`<section class="panel" aria-labelledby="token"><header><h2 class="panel-title" id="token">${TEXTS.token}</h2></header>
${address(token, 'Copy the token')}
<p class="small soft">${TEXTS.tokenNote} ${id}</p>
</section>`
}

function foldersPanel({ mailboxes }: AccountView): Markup {
  return html`<section class="panel" aria-labelledby="folders"><header><h2 class="panel-title" id="folders">${TEXTS.folders}</h2></header>
<div class="wide" tabindex="0" role="region" aria-label="${TEXTS.folders}"><table>
<thead><tr><th scope="col">Name</th><th scope="col" class="number">Messages</th><th scope="col" class="number">Unread</th><th scope="col" class="number">Size</th></tr></thead>
<tbody>${mailboxes.map(
    ({ name, messages, unseen, bytes }) =>
      html`<tr><th scope="row" dir="auto">${name}</th><td class="number">${messages}</td><td class="number">${unseen}</td><td class="number">${bytesText(bytes)}</td></tr>`
  )}</tbody>
</table></div>
</section>`
}
