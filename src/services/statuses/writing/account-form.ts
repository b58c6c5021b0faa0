import { html, type Markup } from '../../../kernel/html.ts'
import type { WritingView } from './view.ts'

/** For the first account, and for another one. */
export function renderAccountForm({ actionOf, newAccount, accounts }: WritingView): Markup {
  const isFirst = accounts.length === 0
  return html`<section class="panel" aria-labelledby="account-title"><header><h2 class="panel-title" id="account-title">${isFirst ? 'Begin with a new account' : 'Another account'}</h2></header>
${isFirst && html`<p>Your posts get URLs such as <code>/ada/status/20</code>. Only the number decides: a link with another user name leads to the same post.</p>`}
<form class="fill" method="post" action="${actionOf('/accounts')}">
<label>User name <input name="user_name" value="${newAccount.userName}" required maxlength="15" pattern="[A-Za-z0-9_]+" title="letters, digits and underscores" aria-describedby="user-name-rule" autocapitalize="none" spellcheck="false" autocomplete="off"></label>
<p class="small soft" id="user-name-rule">Up to 15 letters from A to Z, digits and underscores.</p>
<label>Name <input name="name" value="${newAccount.name}" maxlength="50" autocomplete="off"></label>
<button>Add the account</button>
</form>
</section>`
}
