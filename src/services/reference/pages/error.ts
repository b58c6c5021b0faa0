import { html } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { typeLinks } from './links.ts'

export function errorPage(status: number, detail: string): Page {
  return {
    title: detail,
    crumbs: [{ text: 'reference', href: '/' }, { text: String(status) }],
    main: html`<p>This URL is not available (${status}).</p>
${typeLinks()}`
  }
}
