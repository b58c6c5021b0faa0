import { html } from '../kernel/html.ts'
import type { Page } from '../kernel/page.ts'

export function tokenPage(message: string): Page {
  return {
    title: 'Admin token required',
    crumbs: [{ text: 'console' }],
    main: html`<p>${message}</p>
<p>This console is reachable from other machines or through a proxy, so it requires the token.
Open the console URL printed at startup, or paste the token here.</p>
<form action="/" method="get">
<label>Admin token <input name="token" type="password" autocomplete="off" required></label>
<button>Open the console</button>
</form>`
  }
}
