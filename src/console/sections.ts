import type { Frame } from '../kernel/page.ts'

/** The parts of the console, for the top bar of a page at this URL. */
export function sectionsFor(url: string): NonNullable<Frame['sections']> {
  const isDocs = /^\/docs(?:[/?]|$)/.test(url)
  return [
    { text: 'Services', href: '/', current: !isDocs },
    { text: 'Docs', href: '/docs/', current: isDocs }
  ]
}
