import { html, type Markup } from '../../../kernel/html.ts'
import { renderAvatar, renderStatusPage, shownName } from './layout.ts'
import { createLinks, type Links, profilePath } from './links.ts'
import { renderSearchForm } from './lists.ts'
import { property } from './metadata.ts'
import { countText, excerptOf } from './text.ts'
import type { AccountsView, Site } from './views.ts'

const MAX_BIO = 160

export function renderAccounts({ accounts }: AccountsView, site: Site): string {
  const links = createLinks(site)
  return renderStatusPage(
    {
      title: site.name,
      head: html`<link rel="canonical" href="${links.absolute('/')}">
${property('og:site_name', site.name)}
${property('og:type', 'website')}
${property('og:title', site.name)}
${property('og:url', links.absolute('/'))}`,
      main:
        accounts.length === 0
          ? renderImportGuide()
          : html`<header class="profile"><h1>${site.name}</h1>
<p class="soft">${countText(accounts.length, 'account')} and their public posts</p></header>
${renderSearchForm(site, links)}
<ul class="accounts">
${accounts.map((counted) => renderAccount(counted, links))}
</ul>`
    },
    site
  )
}

function renderAccount({ account, posts }: AccountsView['accounts'][number], links: Links): Markup {
  const bio = excerptOf(account.bio, MAX_BIO)
  return html`<li class="post h-card">${renderAvatar(account, links)}<div>
<a class="p-name u-url" href="${links.to(profilePath(account.userName))}"><bdi>${shownName(account)}</bdi></a>
<div class="soft">@${account.userName} · ${countText(posts, 'post')}</div>
${bio !== '' && html`<p class="p-note" dir="auto">${bio}</p>`}
</div></li>
`
}

/** For the owner, who opens the page before the first import. */
function renderImportGuide(): Markup {
  return html`<header class="profile"><h1>No posts here yet</h1>
<p>This site keeps public posts at their old URLs. Import an archive to begin.</p></header>
<div class="post guide">
<h2>Posts from X</h2>
<p>Request your archive in the settings of X, under “Your account”, and download it. Then run:</p>
<pre tabindex="0"><code>nonet import statuses twitter-archive.zip</code></pre>
<h2>Posts from Mastodon</h2>
<p>Request your archive in the preferences of your server, under “Import and export”. Then run:</p>
<pre tabindex="0"><code>nonet import statuses archive.zip</code></pre>
<p>Add <code>--dry-run</code> to see first what would be imported. In a clone of nonet, write <code>npx nonet</code>.</p>
</div>`
}
