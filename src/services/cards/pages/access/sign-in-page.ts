import { html } from '../../../../kernel/html.ts'
import type { CardContext } from '../../context.ts'
import { renderMemberPage } from '../member-layout.ts'
import type { PageRequest, ShownPage } from '../page-request.ts'

export interface SignInView {
  /** Why the browser is not signed in. */
  message?: string
  status?: number
  /** Path below the root that follows. */
  next?: string
}

/** `/sign-in`: a form for a token, and the way by the console. */
export async function signInPage(
  context: CardContext,
  request: PageRequest,
  { message, status = 200, next = '' }: SignInView = {}
): Promise<ShownPage> {
  const { root, baseUrl } = request
  const { console } = context.kernel.frame(baseUrl)
  return renderMemberPage(context, request, {
    title: 'Sign in',
    crumbs: [{ text: 'Sign in' }],
    status,
    main: html`${message !== undefined && html`<p class="note" role="alert">${message}</p>`}
${
  console !== undefined &&
  html`<p><a class="button" href="${console}/open/cards">Sign in from the console</a></p>
<p class="soft">The console knows you, so it needs no token. Or paste one:</p>`
}
<form class="stack" action="${root}/sign-in" method="post">
<input type="hidden" name="next" value="${next}">
<label>Token<input name="pasted" type="password" autocomplete="off" spellcheck="false" required size="40" autofocus></label>
<button>Sign in</button>
</form>
<p class="soft">A member's token decides what you see and may change. The operator makes one with <code>nonet token create cards --name laptop</code>.</p>`
  })
}
