import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A string of HTML; all other strings are escaped when they are inserted into a template. */
export interface Markup {
  readonly markup: string
}

type Part = Markup | string | number | null | undefined | false | readonly Part[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

function renderPart(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeText(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(renderPart).join('')
}

/** A template of HTML that escapes strings; `Markup` is inserted unchanged, arrays are joined. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return { markup: String.raw({ raw: strings }, ...parts.map(renderPart)) }
}

const STYLE = readFileSync(new URL('./page.css', import.meta.url), 'utf8').trim()
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

function pageHeaders(more: string): Readonly<Record<string, string>> {
  return Object.freeze({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self' data:; ${more}` +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin'
  })
}

/** Pages load nothing from other origins and cannot be framed. */
export const PAGE_HEADERS = pageHeaders('')

/** For pages with a script, which is of the same origin and may connect only to it. */
export const SCRIPTED_PAGE_HEADERS = pageHeaders("script-src 'self'; connect-src 'self'; ")

export interface Page {
  title: string
  /** Breadcrumbs; the last one is the page itself and has no `href`. */
  crumbs?: readonly { text: string; href?: string }[]
  /** Links to related pages. */
  tabs?: readonly { text: string; href: string; current: boolean }[]
  main: Markup
  foot?: Markup
  /** URL of a module; requires `SCRIPTED_PAGE_HEADERS`. The page must work without it too. */
  script?: string
}

const EMPTY_ICON = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E'

/** Every page of every service is rendered with this layout. */
export function renderPage(page: Page): string {
  const crumbs = page.crumbs ?? []
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · nonet</title>
<link rel="icon" href="${EMPTY_ICON}">
<style>${{ markup: STYLE }}</style>
${page.script === undefined ? '' : html`<script type="module" src="${page.script}"></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<nav aria-label="Breadcrumb"><ol>
<li><span class="brand">nonet</span></li>
${crumbs.map(({ text, href }) => html`<li>${href === undefined ? html`<span aria-current="page">${text}</span>` : html`<a href="${href}">${text}</a>`}</li>`)}
</ol></nav>
${page.tabs === undefined ? '' : renderTabs(page.tabs)}
</header>
<main id="main" tabindex="-1">
<h1>${page.title}</h1>
${page.main}
</main>
${page.foot === undefined ? '' : html`<footer>${page.foot}</footer>`}
</body>
</html>
`.markup
}

function renderTabs(tabs: NonNullable<Page['tabs']>): Markup {
  return html`<nav class="tabs" aria-label="Pages"><ul>
${tabs.map(({ text, href, current }) => html`<li><a href="${href}"${current && html` aria-current="page"`}>${text}</a></li>`)}
</ul></nav>`
}
