import { html } from '../../../kernel/html.ts'
import { renderArticle } from './article.ts'
import { renderStatusPage, shownName } from './layout.ts'
import { createLinks, postPath } from './links.ts'
import { postTitle } from './metadata.ts'
import type { PostItem, Site } from './views.ts'

/** The post alone, for a frame on another site; links leave the frame. */
export function renderEmbed(item: PostItem, site: Site): string {
  const { post } = item
  const links = createLinks(site)
  return renderStatusPage(
    {
      title: postTitle(post),
      className: 'embed',
      head: html`<base target="_blank">
<link rel="canonical" href="${links.absolute(postPath(post.account.userName, post.id))}">
<meta name="robots" content="noindex">`,
      main: html`<h1 class="hidden">Post by ${shownName(post.account)}</h1>
${renderArticle(item, site, { role: 'main' })}`
    },
    site
  )
}
