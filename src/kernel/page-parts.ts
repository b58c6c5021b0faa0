import { highlightJson, highlightScript, highlightShell } from './highlight.ts'
import { html, type Markup, type Part } from './html.ts'
import { indentJson } from './indent-json.ts'
import { icon } from './page-icons.ts'

/**
 * Hidden until the script of the page runs, without which it would do nothing. Without `text` the code
 * next to it is copied.
 */
function copyButton(label: string, text?: string): Markup {
  return html`<button type="button" class="copy" aria-label="${label}"${text !== undefined && html` data-copy="${text}"`} hidden>${icon('copy')}</button>`
}

/** A URL, or another value of one line, with a button that copies it. */
export function address(url: string, label = 'Copy the URL'): Markup {
  return html`<div class="address"><code>${url}</code>${copyButton(label)}</div>`
}

export type CodeLanguage = 'json' | 'shell' | 'script' | 'plain'

const HIGHLIGHTERS: Readonly<Record<CodeLanguage, (text: string) => Markup>> = {
  json: highlightJson,
  shell: highlightShell,
  script: highlightScript,
  plain: (text) => html`${text}`
}

/** Code with colours and a button that copies it; `label` names it for screen readers. */
export function codeBlock(text: string, language: CodeLanguage = 'plain', label?: string): Markup {
  const isSession = language === 'shell' && /^\$ /m.test(text)
  const copy = isSession
    ? copyButton('Copy the commands', commandsOf(text))
    : copyButton('Copy the code')
  return html`<div class="block"><pre tabindex="0"${label !== undefined && html` role="region" aria-label="${label}"`}>${HIGHLIGHTERS[language](text)}</pre>${copy}</div>`
}

/** Commands of a shell session without their prompts and their output. */
function commandsOf(session: string): string {
  let continues = false
  const lines = session.split('\n').filter((line) => {
    const isCommand = continues || line.startsWith('$ ')
    continues = isCommand && line.endsWith('\\')
    return isCommand
  })
  return lines.map((line) => line.replace(/^\$ /, '')).join('\n')
}

/** Tabs of code that need no script. `name` is unique in the page. */
export function codeTabs(
  name: string,
  tabs: readonly {
    readonly label: string
    readonly text: string
    readonly language: CodeLanguage
  }[]
): Markup {
  return html`<div class="views" role="group" aria-label="Code">${tabs.map(
    ({ label, text, language }, index) => {
      const id = `${name}-${index}`
      return html`<input type="radio" name="${name}" id="${id}"${index === 0 && html` checked`}><label for="${id}">${label}</label><div>${codeBlock(text, language)}</div>`
    }
  )}</div>`
}

/** JSON indented and with colours; other text as it is. */
export function jsonBlock(text: string, label?: string): Markup {
  const indented = indentJson(text)
  return indented === undefined
    ? codeBlock(text, 'plain', label)
    : codeBlock(indented, 'json', label)
}

/** A point in time: exact in UTC, and local as soon as the script of the page runs. */
export function time(when: Date | string | number): Markup {
  const exact = new Date(when).toISOString()
  const utc = `${exact.slice(0, 19).replace('T', ' ')} UTC`
  return html`<time datetime="${exact}" title="${exact}" data-local>${utc}</time>`
}

export function methodBadge(method: string): Markup {
  return html`<span class="method ${method.toLowerCase().replace(/[^a-z]/g, '')}">${method}</span>`
}

export function statusFigure(status: number): Markup {
  return html`<span class="status s${Math.floor(status / 100)}">${status}</span>`
}

/** Method and target of a request on one line; `title` has what does not fit. */
export function requestLine(method: string, target: string, href?: string): Markup {
  const shown = html`<code class="target" title="${target}">${target}</code>`
  return html`${methodBadge(method)} ${href === undefined ? shown : html`<a href="${href}">${shown}</a>`}`
}

/** A list or page without content: what is missing, and what to do next. */
export function emptyState(title: string, next: Part): Markup {
  return html`<div class="empty"><p>${title}</p>${typeof next === 'string' ? html`<p>${next}</p>` : next}</div>`
}

/** A button that asks before its form is sent, without a script. */
export function askFirst(label: string, question: string, confirm: Markup): Markup {
  return html`<details class="ask"><summary>${label}</summary><span>${question}</span>${confirm}</details>`
}
