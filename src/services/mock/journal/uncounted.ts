import { isNavigation } from '../../../kernel/navigation.ts'
import type { Exchange } from '../engine/exchange.ts'

/**
 * Whether a request is no use of the mocked API and is not counted: the icon that browsers fetch by
 * themselves, and, where nonet shows a page at `/` (`hasPages`), a person who opens it. A document
 * may describe both paths; then they count.
 */
export function isUncounted({ operation, arrived }: Exchange, hasPages: boolean): boolean {
  if (operation !== undefined) return false
  const { method, path, headers } = arrived
  if (path === '/favicon.ico') return method === 'GET' || method === 'HEAD'
  return hasPages && path === '/' && isNavigation({ method, headers })
}
