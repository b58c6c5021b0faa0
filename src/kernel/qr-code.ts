import { encode } from 'uqr'
import { html, type Markup } from './html.ts'

const QUIET_ZONE = 4

/** QR code of a URL as inline SVG, dark on light in every colour scheme. */
export function drawCode(url: string): Markup {
  const { size, data } = encode(url, { ecc: 'M', border: QUIET_ZONE })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return html`<svg class="code-picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="272" height="272" role="img" aria-label="QR code of ${url}" shape-rendering="crispEdges"><path d="${path}" fill="#000"/></svg>`
}
