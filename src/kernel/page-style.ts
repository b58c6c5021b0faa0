import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The style sheet of all pages. */
export const STYLE_SOURCE = readFileSync(new URL('./page.css', import.meta.url), 'utf8')

/** Without comments and most white space, which are a quarter of a style sheet. */
export function shortenStyle(style: string): string {
  return style
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .trim()
}

/** The part of the style sheet of all pages below a comment that begins with the title. */
export function styleSection(title: string): string {
  const section = STYLE_SOURCE.split(/^(?=\/\* )/m).find((part) => part.startsWith(`/* ${title}`))
  if (section === undefined) throw new Error(`page.css has no section ${title}`)
  return section
}

/** The source that a Content-Security-Policy needs for an inline style or script. */
export function inlineHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
