import { html, type Markup } from '../../kernel/html.ts'
import { renderMarkdown } from '../../kernel/markdown.ts'
import type { Page } from '../../kernel/page.ts'
import { type DocDocument, type DocPart, ID_PREFIX, type Library } from './library.ts'
import { insertUrls, type RunningUrl } from './running-urls.ts'

const INDEX_HREF = '/docs/'

export function indexPage({ groups }: Library): Page {
  return {
    title: 'Documentation',
    crumbs: [],
    main: html`<p class="lead">Commands on these pages contain the URLs of the services that are running now.</p>
${groups.map(
  ({ title, documents }) => html`<section><h2>${title}</h2>
<ul class="catalog">${documents.map(renderEntry)}</ul></section>`
)}`
  }
}

function renderEntry({ path, title, summary, parts }: DocDocument): Markup {
  return html`<li class="${serviceOf(path)}"><a href="${parts[0]?.href}">${renderTile(path)}${title}</a><p>${summary}</p></li>`
}

export function documentPage(
  part: DocPart,
  library: Library,
  running: readonly RunningUrl[]
): Page {
  const { document } = part
  const content = renderMarkdown(part.text, {
    idPrefix: ID_PREFIX,
    usedIds: part.document.parts
      .slice(0, part.number - 1)
      .flatMap(({ headings }) => headings.map(({ id }) => id)),
    relativeLinks: true,
    resolveLink: (target) => {
      const resolved = library.resolve(target, part)
      return typeof resolved === 'string' ? insertUrls(resolved, '', running) : resolved
    },
    changeCode: (text, language) => insertUrls(text, language, running)
  })
  return {
    title: titleOf(part),
    heading: false,
    crumbs: [{ text: document.title }],
    main: html`<div class="guide ${serviceOf(document.path)}">
<details class="contents"><summary>Contents</summary><nav aria-label="Documentation">${renderContents(part, library)}</nav></details>
<article class="article">
${part.number > 1 && html`<h1>${titleOf(part)}</h1>`}
${content}
${renderNeighbours(part, library)}
</article>
</div>`
  }
}

function titleOf({ document, number }: DocPart): string {
  const { title, parts } = document
  return number === 1 ? title : `${title}, part ${number} of ${parts.length}`
}

/** The documents, and the sections of the one that is shown. */
function renderContents(part: DocPart, { groups }: Library): Markup {
  return html`<p><a href="${INDEX_HREF}">All documentation</a></p>
${groups.map(
  ({ title, documents }) => html`<p>${title}</p>
<ul>${documents.map((document) => renderDocumentLink(document, part))}</ul>`
)}`
}

function renderDocumentLink(document: DocDocument, shown: DocPart): Markup {
  const { path, title, parts } = document
  const isShown = document === shown.document
  const current = shown.number === 1 ? html` aria-current="page"` : html` aria-current="true"`
  return html`<li><a href="${parts[0]?.href}"${isShown && current}>${renderTile(path)}${title}</a>${isShown && renderSections(document, shown)}</li>`
}

function renderSections({ parts }: DocDocument, shown: DocPart): Markup {
  const sections = parts.flatMap((part) =>
    part.headings
      .filter(({ level }) => level === 2)
      .map(({ id, text }) => ({
        text,
        href: `${part === shown ? '' : part.href}#${ID_PREFIX}${id}`
      }))
  )
  return html`<ul class="outline">${sections.map(({ text, href }) => html`<li><a href="${href}">${text}</a></li>`)}</ul>`
}

function renderNeighbours(part: DocPart, { parts }: Library): Markup {
  const index = parts.indexOf(part)
  const [previous, next] = [parts[index - 1], parts[index + 1]]
  return html`<nav class="neighbours" aria-label="Previous and next page">
${previous !== undefined && html`<a href="${previous.href}" rel="prev"><small>Previous</small>${titleOf(previous)}</a>`}
${next !== undefined && html`<a class="next" href="${next.href}" rel="next"><small>Next</small>${titleOf(next)}</a>`}
</nav>`
}

function serviceOf(path: string): string {
  return /^services\/([a-z]+)$/.exec(path)?.[1] ?? ''
}

function renderTile(path: string): Markup | false {
  const service = serviceOf(path)
  return service !== '' && html`<i class="tile ${service}"></i>`
}
