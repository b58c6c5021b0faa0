import { readFileSync } from 'node:fs'
import { createPageStyle, type PageStyle } from '../../../kernel/page.ts'

let style: PageStyle | undefined

/** Read for the first page, so that a start does not wait for it. */
export function referenceStyle(): PageStyle {
  style ??= createPageStyle(readFileSync(new URL('./reference.css', import.meta.url), 'utf8'))
  return style
}
