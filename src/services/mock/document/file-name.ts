import { decodeSegment } from '../../../kernel/request-target.ts'

/** Shows a file URL as a path, other URLs unchanged. */
export function nameOf(href: string): string {
  if (!href.startsWith('file:///')) return href
  const { pathname } = new URL(href)
  return decodeSegment(pathname) ?? pathname
}
