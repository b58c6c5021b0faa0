import { html } from './html.ts'
import type { Page } from './page.ts'

/** Which token the page requires. */
export interface SignInTexts {
  title: string
  note: string
  field: string
  /** Shown after a token that is not valid. */
  wrong?: string
}

const ADMIN_TEXTS: SignInTexts = {
  title: 'Admin token required',
  note: 'nonet is reachable from other machines or through a proxy, so this page requires the admin token. Open the URL printed at startup, or paste the token here.',
  field: 'Admin token'
}

const TEXTS = {
  button: 'Sign in',
  signedIn: 'Signed in',
  next: 'Continue to the page'
}

export interface SignIn extends Partial<SignInTexts> {
  /** Last breadcrumb. */
  crumb: string
  /** URL that the form posts the token to. */
  action: string
  /** Why the browser is not signed in. */
  message: string
}

export function signInPage({ crumb, action, message, ...texts }: SignIn): Page {
  const { title, note, field } = { ...ADMIN_TEXTS, ...texts }
  return {
    title,
    crumbs: [{ text: crumb }],
    main: html`<p class="note">${message}</p>
<p>${note}</p>
<form class="filter" action="${action}" method="post">
<label>${field}<input name="token" type="password" autocomplete="off" required size="40"></label>
<button>${TEXTS.button}</button>
</form>`
  }
}

export function signedInPage(crumb: string, path: string): Page {
  return {
    title: TEXTS.signedIn,
    crumbs: [{ text: crumb }],
    main: html`<p><a href="${path}">${TEXTS.next}</a></p>`
  }
}
