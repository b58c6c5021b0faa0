import { html, type Markup } from './html.ts'

/** Longer texts are shown without colours, because each coloured word is an element. */
const MAX_LENGTH = 100_000

type Kind = 'name' | 'text' | 'value' | 'note'

const JSON_TOKEN =
  /(?<text>"(?:[^"\\]|\\.)*")(?=(?<name>\s*:)?)|(?<value>-?\d[\d.eE+-]*|\b(?:true|false|null)\b)/g
const SHELL_TOKEN =
  /(?<note>(?<=^|\s)#.*)|(?<text>'[^']*'|"(?:[^"\\]|\\.)*")|(?<name>(?<=^|\n)\s*[A-Za-z_]\w*(?==)|(?<=\s)--?[A-Za-z][\w-]*)|(?<value>https?:\/\/[^\s'"]+)/g
const SCRIPT_TOKEN =
  /(?<note>\/\/.*)|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<name>\b(?:import|from|export|default|const|let|await|async|function|return|new|if|else|for|of)\b)|(?<value>\b\d[\d.]*\b|\b(?:true|false|null|undefined)\b)/g

/** JSON with colours; the text is shown as it is, valid or not. */
export function highlightJson(text: string): Markup {
  return highlight(text, JSON_TOKEN)
}

/** Commands of a shell, and files of environment variables. */
export function highlightShell(text: string): Markup {
  return highlight(text, SHELL_TOKEN)
}

/** JavaScript and TypeScript. */
export function highlightScript(text: string): Markup {
  return highlight(text, SCRIPT_TOKEN)
}

function highlight(text: string, token: RegExp): Markup {
  if (text.length > MAX_LENGTH) return html`${text}`
  const parts: (Markup | string)[] = []
  let from = 0
  for (const { 0: found, index, groups = {} } of text.matchAll(token)) {
    parts.push(text.slice(from, index))
    parts.push(html`<span class="hl-${kindOf(groups)}">${found}</span>`)
    from = index + found.length
  }
  return html`${parts}${text.slice(from)}`
}

function kindOf(groups: Readonly<Record<string, string | undefined>>): Kind {
  if (groups.note !== undefined) return 'note'
  if (groups.name !== undefined) return 'name'
  return groups.text === undefined ? 'value' : 'text'
}
