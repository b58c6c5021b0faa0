import { html } from '../kernel/html.ts'
import type { Page } from '../kernel/page.ts'
import { glyph } from '../kernel/page-icons.ts'
import type { ServiceView } from './service-view.ts'

type Section = 'API' | 'Snippets' | 'Docs'

/** A page of the console about one service, with tabs to the other pages about it. */
export function servicePage(
  { name, page }: ServiceView,
  section: Section,
  content: Pick<Page, 'title' | 'main' | 'foot'>
): Page {
  const tab = (text: Section, href: string) => ({ text, href, current: text === section })
  return {
    ...content,
    heading: html`<div class="head named">${glyph(name)}<h1>${content.title}</h1></div>`,
    crumbs: [{ text: name }],
    tabs: [
      ...(page === undefined ? [] : [{ text: 'Open', href: page, current: false }]),
      tab('API', `/api/${name}`),
      tab('Snippets', `/snippets/${name}`),
      tab('Docs', `/docs/services/${name}`)
    ]
  }
}
