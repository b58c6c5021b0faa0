import { html, type Markup } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import type { Authorization } from '../api/authorize-request.ts'

export interface AuthorizeView {
  authorization: Authorization
  /** URL that the form posts to. */
  action: string
  /** User names to choose from. */
  members: readonly string[]
  /** Whether the form needs the admin token, and why. */
  message: string | undefined
}

const CRUMBS = [{ text: 'cards', href: '..' }, { text: 'authorize' }]

/** What Trello's scopes allow. */
const RIGHTS: Readonly<Record<string, string>> = {
  read: 'read all boards of the member, drafts included',
  write: 'change them',
  account: 'delete them'
}

/** The form that makes a token for an app. */
export function authorizePage({ authorization, action, members, message }: AuthorizeView): Page {
  const { name, expiration, scope, returnUrl } = authorization
  return {
    title: 'Allow an app to use your boards?',
    crumbs: CRUMBS,
    main: html`${message !== undefined && html`<p class="note">${message}</p>`}
<dl>
<dt>App</dt><dd>${name === '' ? 'without a name' : name}</dd>
<dt>May</dt><dd>${scope.map((one) => RIGHTS[one] ?? one).join('; ')}</dd>
<dt>Until</dt><dd>${expiration === 'never' ? 'you revoke the token' : `${expiration.replace(/^\d+/, '$& ')} from now`}</dd>
<dt>Token</dt><dd>${returnUrl === undefined ? 'is shown to you here' : html`is sent to <code>${returnUrl}</code>`}</dd>
</dl>
<form class="filter" action="${action}" method="post">
${hidden('name', name)}${hidden('expiration', expiration)}${hidden('scope', scope.join(','))}${hidden('return_url', returnUrl ?? '')}
${members.length > 1 && html`<label>Member<select name="member">${members.map((one) => html`<option>${one}</option>`)}</select></label>`}
${message !== undefined && html`<label>Admin token<input name="admin_token" type="password" autocomplete="off" required size="40"></label>`}
<button>Allow</button>
</form>`
  }
}

function hidden(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/** Shows the token once, or leads back to the app with it. */
export function tokenPage(secret: string, { returnUrl }: Authorization): Page {
  const back =
    returnUrl !== undefined &&
    html`<p><a href="${withFragment(returnUrl, secret)}">Continue to the app</a></p>`
  return {
    title: 'The token of the app',
    crumbs: CRUMBS,
    main: html`<p>Copy it now: it is not stored and cannot be shown again.</p>
<pre><code>${secret}</code></pre>
${back}`
  }
}

function withFragment(url: string, secret: string): string {
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search}#token=${secret}`
}
