import type { IncomingMessage } from 'node:http'

/** Whether a browser opens the URL in a tab or a frame, as opposed to a script or a program. */
export function isNavigation({
  method,
  headers
}: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return (
    method === 'GET' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers.accept?.includes('text/html') === true
  )
}
