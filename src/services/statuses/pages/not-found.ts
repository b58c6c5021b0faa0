import { html } from '../../../kernel/html.ts'
import { renderStatusPage } from './layout.ts'
import { createLinks } from './links.ts'
import type { Site } from './views.ts'

/** Tells nothing of the request, so that all URLs without a public post have the same page. */
export function renderNotFound({ name, baseUrl, staticFiles }: Site): string {
  const site = { name, baseUrl, staticFiles }
  const links = createLinks(site)
  return renderStatusPage(
    {
      title: `Not found · ${name}`,
      head: html`<meta name="robots" content="noindex">`,
      main: html`<header class="profile"><h1>Not found</h1>
<p>There is no public post and no page at this URL. Check it for typing errors, or continue here:</p>
<p><a class="button" href="${links.to('/')}">${name}</a>${!links.isStatic && html` <a class="button quiet" href="${links.to('/search')}">Search</a>`}</p></header>`
    },
    site
  )
}
