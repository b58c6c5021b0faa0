import { html, type Markup, type Part } from '../../../kernel/html.ts'
import { address } from '../../../kernel/page-parts.ts'
import type { Caller } from '../api/access.ts'
import type { SandboxAccount } from '../sandbox/mail-store.ts'
import { type MailServers, serverUrl, snippetTabs } from './snippets.ts'

const TEXTS = {
  use: 'Send mail here',
  useNote:
    'Set this as the SMTP server of your application. Mail to any address is caught, and none leaves this machine.',
  closed: 'The ports of the mail server are not open.',
  accounts: 'Accounts',
  accountNote:
    'An account is a mailbox of its own, with a password for mail programs and a token for the API. Mail to addresses without an account is in the account caught.',
  field: 'Address (optional)',
  placeholder: 'ada@sandbox.test',
  add: 'New account',
  none: 'No accounts yet.'
}

export interface SetupView {
  /** Undefined until the ports are open. */
  readonly servers: MailServers | undefined
  readonly caller: Caller
  readonly accounts: readonly SandboxAccount[]
  /** URL of the form for a new account. */
  readonly addUrl: string
}

/** How to send mail to the sandbox, and its accounts; beside the list. */
export function setupPanels(view: SetupView): Markup {
  return html`<div class="stacked">
<section class="panel" aria-labelledby="use"><header><h2 class="panel-title" id="use">${TEXTS.use}</h2></header>
<p>${TEXTS.useNote}</p>
${view.servers === undefined ? html`<p class="note" role="alert">${TEXTS.closed}</p>` : serverList(view.servers)}
${view.servers !== undefined && snippetTabs('use', view.servers)}
</section>
${accountsPanel(view)}
</div>`
}

export function serverList({ smtp, imap, api }: MailServers): Markup {
  return html`<dl class="parts urls">
<dt>SMTP</dt><dd>${address(serverUrl('smtp', smtp))}</dd>
<dt>IMAP</dt><dd>${address(serverUrl('imap', imap))}</dd>
<dt>API</dt><dd>${address(`${api}/v1/sandbox/messages`)}</dd>
</dl>`
}

function accountsPanel({ caller, accounts, addUrl }: SetupView): Part {
  return html`<section class="panel" aria-labelledby="accounts"><header><h2 class="panel-title" id="accounts">${TEXTS.accounts}</h2></header>
<p>${TEXTS.accountNote}</p>
${accounts.length === 0 ? html`<p class="soft">${TEXTS.none}</p>` : html`<ul class="accounts">${accounts.map(accountItem)}</ul>`}
${
  caller.accounts === undefined &&
  html`<form method="post" action="${addUrl}"><label>${TEXTS.field}<input name="address" type="email" placeholder="${TEXTS.placeholder}" autocomplete="off" maxlength="254" size="26"></label>
<button>${TEXTS.add}</button></form>`
}
</section>`
}

function accountItem({ id, address: mail }: SandboxAccount): Markup {
  return html`<li><a href="/sandbox/accounts/${encodeURIComponent(id)}">${mail}</a> <span class="soft small">${id}</span></li>`
}
