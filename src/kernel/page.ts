import { readFileSync } from 'node:fs'
import { html, type Markup } from './html.ts'
import { faviconOf, icon, MARK } from './page-icons.ts'
import { inlineHash, STYLE_SOURCE, shortenStyle, styleSection } from './page-style.ts'

const STYLE = shortenStyle(STYLE_SOURCE)
const SCRIPT_SOURCE = readFileSync(new URL('./page-script.js', import.meta.url), 'utf8')
/** Without comments and indentation, which are a sixth of it. */
const SCRIPT = SCRIPT_SOURCE.replace(/\/\*.*?\*\//gs, '').replace(/\n\s+/g, '\n')

type PageHeaders = Readonly<Record<string, string>>

function pageHeaders(scripts: string, ownStyle = ''): PageHeaders {
  return Object.freeze({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src ${inlineHash(STYLE)}${ownStyle}; img-src 'self' data:; ${scripts}` +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin'
  })
}

/** Style and script of the top bar, for the head of pages with a layout of their own. */
export const TOP_BAR_HEAD: Markup = html`<style>${{ markup: shortenStyle(styleSection('Tokens') + styleSection('Top bar')) }}</style>
<script>${{ markup: SCRIPT }}</script>`

/** What a policy needs in `script-src` for the script of all pages. */
export const PAGE_SCRIPT_HASH = inlineHash(SCRIPT)

const NO_SCRIPTS = `script-src ${PAGE_SCRIPT_HASH}; `
const OWN_SCRIPTS = `script-src 'self' ${PAGE_SCRIPT_HASH}; connect-src 'self'; `

/** Pages load nothing from other origins, run only the script of all pages and cannot be framed. */
export const PAGE_HEADERS = pageHeaders(NO_SCRIPTS)

/** For pages with a script of their own, of the same origin, which may connect only to it. */
export const SCRIPTED_PAGE_HEADERS = pageHeaders(OWN_SCRIPTS)

/** Style of a few pages, which the others do not have to load. */
export interface PageStyle {
  readonly sheet: string
  readonly headers: PageHeaders
  readonly scriptedHeaders: PageHeaders
}

/** To be created once; it adds to the style of all pages. */
export function createPageStyle(source: string): PageStyle {
  const sheet = shortenStyle(source)
  const hash = ` ${inlineHash(sheet)}`
  return {
    sheet,
    headers: pageHeaders(NO_SCRIPTS, hash),
    scriptedHeaders: pageHeaders(OWN_SCRIPTS, hash)
  }
}

/** The headers of a page, which allow its own style and its own script. */
export function headersOf({ style, script }: Pick<Page, 'style' | 'script'>): PageHeaders {
  if (script === undefined) return style?.headers ?? PAGE_HEADERS
  return style?.scriptedHeaders ?? SCRIPTED_PAGE_HEADERS
}

/** What the top bar of a page shows, from the point of view of the page's reader. */
export interface Frame {
  /** Name of the service that the page belongs to; undefined for the console. */
  readonly service: string | undefined
  /** URL of the console without a trailing slash; undefined if the reader cannot reach it. */
  readonly console: string | undefined
  /** Pages of the running services that the reader can reach. */
  readonly services: readonly { readonly name: string; readonly href: string }[]
  /** Whether other machines may reach the process. */
  readonly isReachable: boolean
  /** Parts of the console; undefined on pages of services. */
  readonly sections?: readonly { text: string; href: string; current: boolean }[]
  /** URL of the form that ends the session; undefined if the reader has not signed in. */
  readonly signOut?: string | undefined
}

/** For pages whose reader is not known, such as a report in a file. */
export const NO_FRAME: Frame = {
  service: undefined,
  console: undefined,
  services: [],
  isReachable: false
}

export interface Page {
  title: string
  /** The heading; the title by default, none if it is part of `main`. */
  heading?: Markup | false
  /** Breadcrumbs after the brand; the last one is the page itself and has no `href`. */
  crumbs?: readonly { text: string; href?: string }[]
  /** Links to related pages. */
  tabs?: readonly { text: string; href: string; current: boolean }[]
  main: Markup
  foot?: Markup
  /** URL of a module; requires `SCRIPTED_PAGE_HEADERS`. The page must work without it too. */
  script?: string
  /** Style that only some pages need; requires its headers (`headersOf`). */
  style?: PageStyle
}

/** Every page for operators and developers is rendered with this layout. */
export function renderPage(page: Page, frame: Frame): string {
  const head = html`${page.style !== undefined && html`<style>${{ markup: page.style.sheet }}</style>`}
<script>${{ markup: SCRIPT }}</script>
${page.script === undefined ? '' : html`<script type="module" src="${page.script}"></script>`}`
  const { heading = html`<h1>${page.title}</h1>` } = page
  return renderDocument({
    title: `${page.title} · nonet`,
    favicon: faviconOf(frame.service),
    head,
    body: html`${renderTopBar(page, frame)}
${page.tabs === undefined ? '' : renderTabs(page.tabs, frame)}
<main id="main" tabindex="-1" class="${frame.service ?? ''}">
${heading}
${page.main}
</main>
${page.foot === undefined ? '' : html`<footer class="foot">${page.foot}</footer>`}`
  })
}

interface Document {
  title: string
  favicon: string
  head: Markup
  body: Markup
}

function renderDocument({ title, favicon, head, body }: Document): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${favicon}">
<style>${{ markup: STYLE }}</style>
${head}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${body}
</body>
</html>
`.markup
}

/** The top bar of `renderPage`, for pages with a layout of their own. */
export function renderTopBar({ crumbs = [] }: Pick<Page, 'crumbs'>, frame: Frame): Markup {
  return html`<header class="top">
${renderBrand(frame)}
${frame.sections !== undefined && renderSections(frame.sections)}
${crumbs.length > 0 && html`<nav aria-label="Breadcrumb"><ol class="crumbs">${crumbs.map(renderCrumb)}</ol></nav>`}
<div class="tools">
<span class="${frame.isReachable ? 'pill open' : 'pill'}">${frame.isReachable ? 'reachable from the network' : 'this machine only'}</span>
${renderSwitcher(frame)}
${frame.signOut !== undefined && html`<form method="post" action="${frame.signOut}"><button class="quiet">Sign out</button></form>`}
<button type="button" class="theme" hidden>${icon('theme')}</button>
</div>
</header>`
}

function renderBrand({ console }: Frame): Markup {
  if (console === undefined) return html`<span class="brand">${MARK}nonet</span>`
  return html`<a class="brand" href="${console}/">${MARK}nonet</a>`
}

function renderSections(sections: NonNullable<Frame['sections']>): Markup {
  return html`<nav class="sections" aria-label="Console"><ul>${sections.map(
    ({ text, href, current }) =>
      html`<li><a href="${href}"${current && html` aria-current="true"`}>${text}</a></li>`
  )}</ul></nav>`
}

function renderCrumb({ text, href }: { text: string; href?: string }): Markup {
  return href === undefined
    ? html`<li><span aria-current="page">${text}</span></li>`
    : html`<li><a href="${href}">${text}</a></li>`
}

/** Opens without a script too. */
function renderSwitcher({ service, services, sections }: Frame): Markup | false {
  if (services.length === 0) return false
  return html`<details class="switcher"><summary>${sections === undefined ? 'Services' : 'Open'}</summary><ul>
${services.map(({ name, href }) => html`<li><a href="${href}"${name === service && html` aria-current="true"`}><i class="tile ${name}"></i>${name}</a></li>`)}
</ul></details>`
}

function renderTabs(tabs: NonNullable<Page['tabs']>, { service }: Frame): Markup {
  return html`<nav class="tabs ${service ?? ''}" aria-label="Pages"><ul>
${tabs.map(({ text, href, current }) => html`<li><a href="${href}"${current && html` aria-current="page"`}>${text}</a></li>`)}
</ul></nav>`
}
