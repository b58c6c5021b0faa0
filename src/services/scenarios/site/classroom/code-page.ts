import { html, type Markup } from '../../../../kernel/html.ts'
import type { Page } from '../../../../kernel/page.ts'
import { drawCode } from '../../../../kernel/qr-code.ts'
import { CLASS_STYLE } from './classroom-page.ts'

const TEXTS = {
  title: 'Join the class',
  titleOf: 'Open',
  back: 'Back to the classroom',
  fullScreen: 'Full screen',
  alone: 'Only this machine can reach nonet. Start it with --lan to invite other machines.',
  other: 'Codes of the other services'
}

/** A URL that can be shown as a code. */
export interface CodeLink {
  /** Name of a service; undefined for the class. */
  readonly name: string | undefined
  readonly url: string
}

export interface CodePage {
  /** URL of the page of the class. */
  readonly home: string
  readonly service: string
  readonly links: readonly CodeLink[]
  readonly shown: CodeLink | undefined
  readonly pupils: number
}

/** A code that can be read from the last row: it fills the window, or the screen. */
export function codePage(page: CodePage): Page {
  const { home, service, shown } = page
  return {
    title: shown?.name === undefined ? TEXTS.title : `${TEXTS.titleOf} ${shown.name}`,
    heading: false,
    crumbs: [
      { text: 'scenarios', href: service },
      { text: 'classroom', href: home },
      { text: 'code' }
    ],
    script: `${home}/live-classroom.js`,
    style: CLASS_STYLE,
    main: shown === undefined ? renderAlone(page) : renderCode(page, shown)
  }
}

function renderAlone({ home }: CodePage): Markup {
  return html`<h1>${TEXTS.title}</h1><p class="note">${TEXTS.alone}</p><p><a href="${home}">${TEXTS.back}</a></p>`
}

function renderCode({ home, links, pupils }: CodePage, shown: CodeLink): Markup {
  return html`<div class="poster" id="poster">
<h1>${shown.name === undefined ? TEXTS.title : `${TEXTS.titleOf} ${shown.name}`}</h1>
${drawCode(shown.url)}
<p class="poster-url"><code>${shown.url.replace(/^http:\/\//, '')}</code></p>
${shown.name === undefined && html`<p class="soft" id="facts" data-live><b>${pupils}</b> ${pupils === 1 ? 'pupil is' : 'pupils are'} here</p>`}
</div>
<p class="pages poster-links"><a href="${home}">${TEXTS.back}</a>
<button type="button" class="quiet" data-full-screen="poster" hidden>${TEXTS.fullScreen}</button>
<span id="live" data-events="${home}/events" class="pill" hidden>live</span></p>
${links.length > 1 && html`<nav aria-label="${TEXTS.other}"><p class="soft small">${TEXTS.other}</p><ul class="links">${links.map(({ name }) => renderLink(home, name, shown))}</ul></nav>`}`
}

function renderLink(home: string, name: string | undefined, shown: CodeLink): Markup {
  const href = name === undefined ? `${home}/code` : `${home}/code?for=${name}`
  return html`<li><a href="${href}"${name === shown.name && html` aria-current="page"`}>${name ?? 'the class'}</a></li>`
}
