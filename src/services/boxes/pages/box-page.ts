import { readFileSync } from 'node:fs'
import { html, type Markup } from '../../../kernel/html.ts'
import { createPageStyle, type Page } from '../../../kernel/page.ts'
import { address } from '../../../kernel/page-parts.ts'
import { COUNTED } from '../store/list-boxes.ts'
import { boxSearch, boxTable, countText, nextBoxes, numbers } from './box-list.ts'
import { boxPath, hiddenFields, type KeyUse, keyField } from './form-parts.ts'
import type { BoxIndexPage } from './operator.ts'
import { type PageRequest, pageUrl, type Tab } from './page-request.ts'
import { snippetTabs } from './snippets.ts'

const TEXTS = {
  title: 'boxes',
  lead: 'Send a JSON object to a box. It is returned exactly as you sent it, with an id and a date.',
  boxes: 'Boxes',
  all: 'All boxes',
  newBox: 'New box',
  open: 'Open a box',
  openNote: 'A box that does not exist yet opens empty and begins with its first record.',
  box: 'Box id',
  openButton: 'Open',
  fresh: 'A box of your own',
  freshNote: 'This id is unused. Anyone who knows it can use the box, so keep it to yourself.',
  freshButton: 'Open this box',
  hiddenList: 'The list of all boxes is on the console, for the operator.',
  privateList: 'Private boxes are listed on the console only.',
  withKey: 'Show with the key',
  withKeyNote: 'A private box looks empty without a key that may read it.'
}

const TAB_TEXTS: Readonly<Record<Tab, string>> = {
  records: 'Records',
  changes: 'Changes',
  schema: 'Schema',
  indexes: 'Indexes',
  keys: 'Keys',
  exchange: 'Import, export'
}

export const PAGE_SCRIPT = '/_page/box-page.js'
export const style = createPageStyle(readFileSync(new URL('./boxes.css', import.meta.url), 'utf8'))

/** Parts of every page of a box. */
export interface BoxFrame {
  readonly look: PageRequest
  /** Boxes for the operator; undefined for all others. */
  readonly boxes: BoxIndexPage | undefined
  /** Short remarks beside the name of the box. */
  readonly facts: readonly (string | Markup)[]
}

/** The page of a box; `body` is the content of its tab. */
export function boxPage({ look, boxes, facts }: BoxFrame, body: Markup): Page {
  const { box, tab } = look
  const content = html`<div class="head named"><h1>${box}</h1><span id="watch"></span><ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul></div>
<nav class="tabs box-tabs" aria-label="This box"><ul>
${Object.entries(TAB_TEXTS).map(([name, text]) => html`<li><a href="${pageUrl({ box, tab: name as Tab })}"${name === tab && html` aria-current="page"`}>${text}</a></li>`)}
</ul></nav>
${body}`
  return {
    title: box,
    heading: false,
    crumbs: [{ text: TEXTS.title, href: '/' }, { text: box }],
    script: PAGE_SCRIPT,
    style,
    main:
      boxes === undefined
        ? content
        : html`<div class="guide box-guide">${sideList(boxes, box)}<div class="box-main">${content}</div></div>`
  }
}

function sideList({ boxes, next }: BoxIndexPage, current: string): Markup {
  const isListed = boxes.some(({ id }) => id === current)
  return html`<details class="contents box-side"><summary>${TEXTS.boxes}</summary><nav aria-label="${TEXTS.boxes}"><p>${TEXTS.boxes}</p><ul>
${!isListed && html`<li><a href="${pageUrl({ box: current })}" aria-current="true"><span>${current}</span></a></li>`}
${boxes.map(({ id, count }) => html`<li><a href="${pageUrl({ box: id })}"${id === current && html` aria-current="true"`}><span>${id}</span> <span class="soft"${id === current && html` id="side-count"`}>${countText(count)}</span></a></li>`)}
</ul><p><a href="/">${next === undefined ? TEXTS.newBox : TEXTS.all}</a></p></nav></details>`
}

/**
 * The form for a box that may be private; the page of every other box can be read without it. It is
 * a POST, because a URL must not contain a key.
 */
export function showWithKey(look: PageRequest, use: KeyUse): Markup | false {
  if (use !== 'new') return false
  return html`<form class="panel box-key" action="/" method="post">
${hiddenFields(look)}
${keyField('needed', true)}
<button name="action" value="show" class="quiet">${TEXTS.withKey}</button>
<span class="small soft box-text">${TEXTS.withKeyNote}</span>
</form>`
}

export interface StartPage {
  /** URL of the service. */
  readonly url: string
  readonly freshBox: string
  readonly boxes: BoxIndexPage | undefined
  readonly message: Markup | undefined
}

/** The page without a box. */
export function startPage({ url, freshBox, boxes, message }: StartPage): Page {
  const freshUrl = url + boxPath(freshBox)
  return {
    title: TEXTS.title,
    crumbs: [{ text: TEXTS.title }],
    script: PAGE_SCRIPT,
    style,
    main: html`<p class="lead">${TEXTS.lead}</p>
${message}
<div class="columns">
<div class="stacked">
<section class="panel" aria-labelledby="boxes-title"><header><h2 class="panel-title" id="boxes-title">${boxes === undefined ? TEXTS.open : TEXTS.boxes}</h2></header>
${boxes !== undefined && listPart(boxes)}
<form action="/" method="get"><label>${TEXTS.box} <input name="box" required maxlength="128" size="26" autocomplete="off" autocapitalize="off" spellcheck="false"></label><button${boxes !== undefined && html` class="quiet"`}>${TEXTS.openButton}</button></form>
<p class="small soft">${TEXTS.openNote}</p>
<p class="small soft">${boxes === undefined ? TEXTS.hiddenList : TEXTS.privateList}</p>
</section>
</div>
<div class="stacked">
<section class="panel" aria-labelledby="fresh-title"><header><h2 class="panel-title" id="fresh-title">${TEXTS.fresh}</h2></header>
${address(freshUrl)}
<p class="small soft">${TEXTS.freshNote}</p>
<p><a class="button" href="${pageUrl({ box: freshBox })}">${TEXTS.freshButton}</a></p>
${snippetTabs({ url: freshUrl, parameters: new URLSearchParams(), needsKey: false })}
</section>
</div>
</div>`
  }
}

function listPart(page: BoxIndexPage): Markup {
  const isLong = page.next !== undefined || page.part !== '' || page.boxes.length > 10
  return html`${isLong && boxSearch(page.part)}
${boxTable(page, '')}
${nextBoxes(page)}`
}

/** The list of boxes on the console; `base` is the URL of the service. */
export function consolePage(page: BoxIndexPage, base: string): Page {
  return {
    title: TEXTS.all,
    crumbs: [{ text: TEXTS.title }],
    main: html`<p class="lead">Counted up to ${numbers.format(COUNTED)} records. Records of a private box are shown only with its key.</p>
${boxSearch(page.part)}
${boxTable(page, base)}
${nextBoxes(page)}`
  }
}
