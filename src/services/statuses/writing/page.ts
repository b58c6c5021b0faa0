import { readFileSync } from 'node:fs'
import { html, type Markup } from '../../../kernel/html.ts'
import { createPageStyle, type Page } from '../../../kernel/page.ts'
import { glyph } from '../../../kernel/page-icons.ts'
import { profilePath } from '../pages/links.ts'
import { renderAccountForm } from './account-form.ts'
import { renderComposer } from './composer.ts'
import { renderImportPanel, renderJob } from './import-panel.ts'
import { renderNote } from './note.ts'
import { renderPosts } from './own-posts.ts'
import { pageUrl, type WritingView } from './view.ts'

const STYLE = createPageStyle(readFileSync(new URL('./writing.css', import.meta.url), 'utf8'))
const CRUMB = 'statuses'

/** The page that authors write on. */
export function writingPage(view: WritingView): Page {
  const { account, prefix } = view
  return {
    title: account === undefined ? 'Write' : `Write as @${account.userName}`,
    heading: html`<div class="head named">${glyph('statuses')}<h1>Write</h1>${renderAccounts(view)}</div>`,
    crumbs: [{ text: CRUMB }],
    main: html`<div id="note" aria-live="polite">${renderNote(view)}</div>
<div class="columns writing">
<div class="pile">
${view.addsAccount || account === undefined ? renderAccountForm(view) : renderComposer(view)}
${renderPosts(view)}
</div>
<div class="pile">
${renderImportPanel(view)}
${account !== undefined && renderTokenHint(view)}
</div>
</div>`,
    script: `${prefix}/assets/writing.js`,
    style: STYLE
  }
}

/** Progress or report of one import, for browsers without JavaScript. */
export function importPage(view: Pick<WritingView, 'prefix' | 'job'>): Page {
  const { prefix, job } = view
  return {
    title: 'Import of an archive',
    crumbs: [{ text: CRUMB, href: pageUrl(prefix, {}) }, { text: 'import' }],
    main: html`<section class="panel" id="import-state">${job !== undefined && renderJob(job, prefix)}</section>
<p><a href="${pageUrl(prefix, {})}">Write</a></p>`,
    style: STYLE
  }
}

function renderAccounts({
  prefix,
  accounts,
  account,
  site,
  addsAccount
}: WritingView): Markup | false {
  if (account === undefined) return false
  const link = (userName: string) =>
    html`<li><a href="${pageUrl(prefix, { account: userName })}"${userName === account.userName && !addsAccount && html` aria-current="true"`}>@${userName}</a></li>`
  return html`<nav class="accounts" aria-label="Accounts"><ul class="filters">${accounts.map(({ userName }) => link(userName))}
<li><a href="${pageUrl(prefix, { account: account.userName, new: '1' })}"${addsAccount && html` aria-current="true"`}>New account</a></li></ul></nav>
<a class="site" href="${site}${profilePath(account.userName)}">Public page of @${account.userName}</a>`
}

function renderTokenHint({ account }: WritingView): Markup {
  return html`<section class="panel" aria-labelledby="token-title"><header><h2 class="panel-title" id="token-title">Post from elsewhere</h2></header>
<p class="small soft">A token does the same from a script or another program:</p>
<pre tabindex="0" role="region" aria-label="Command">nonet token create statuses \\
  --account ${account?.userName}</pre>
<p class="small"><a href="/docs/services/statuses">How to post with it</a></p></section>`
}
