import { html, type Markup } from './html.ts'

/** Position and colour of each service in the mark, row by row. The colours suit any background. */
const TILES: Readonly<Record<string, string>> = {
  reference: '#d0524d',
  boxes: '#cb7528',
  countries: '#55a04f',
  scenarios: '#a568d0',
  forms: '#a88b18',
  mailbox: '#3f8be0',
  statuses: '#1b9db3',
  mock: '#7d70dc',
  cards: '#1ca486'
}
const FAINT = '#8c8f96'

/** Drawings on a grid of 24 × 24, stroked in the colour of the text. */
const DRAWINGS: Readonly<Record<string, string>> = {
  reference: 'M12 7v10M4 5.5c3-1 6-.5 8 1.5 2-2 5-2.5 8-1.5v12c-3-1-6-.5-8 1.5-2-2-5-2.5-8-1.5z',
  boxes: 'M4 8.5 12 4l8 4.5v7L12 20l-8-4.5zM4 8.5l8 4.5 8-4.5M12 13v7',
  countries:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17M3.5 12h17M12 3.5c5 5 5 12 0 17-5-5-5-12 0-17',
  scenarios: 'M4 18 9 12l4 3 7-9M15 6h5v5',
  forms: 'M5 4h14v16H5zM8.5 8.5h7M8.5 12h7M8.5 15.5h4',
  mailbox: 'M3.5 6h17v12h-17zM4 7l8 6 8-6',
  statuses: 'M4 5h16v11h-9l-4.5 4v-4H4z',
  mock: 'M9 4.5c-4 0-1 7-5 7.5 4 .5 1 7.5 5 7.5M15 4.5c4 0 1 7 5 7.5-4 .5-1 7.5-5 7.5',
  cards: 'M4 5h7v14H4zM14 5h6v8h-6z'
}

const PARTS = {
  copy: 'M9 9h10v11H9zM15 9V5H5v11h4',
  theme: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17v17'
} as const

export function icon(name: keyof typeof PARTS): Markup {
  return draw(PARTS[name])
}

/** The drawing of a service in a tile of its colour. */
export function glyph(service: string): Markup {
  return html`<span class="glyph ${service}">${draw(DRAWINGS[service] ?? '')}</span>`
}

function draw(path: string): Markup {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`
}

/** The nine tiles. */
export const MARK: Markup = html`<svg viewBox="0 0 24 24" aria-hidden="true">${Object.keys(
  TILES
).map(
  (name, index) =>
    html`<rect ${positionOf(index)} width="6" height="6" rx="1.8" fill="var(--${name})"/>`
)}</svg>`

/** The mark as a data URL; see `faviconSvg`. */
export function faviconOf(service: string | undefined): string {
  // Other characters need no escape in an attribute: a third less than `encodeURIComponent`.
  return `data:image/svg+xml,${faviconSvg(service).replace(/["%#<>]/g, encodeURIComponent)}`
}

/** The mark in which only the tile of the service has its colour; without a service all have. */
export function faviconSvg(service: string | undefined): string {
  const tiles = Object.entries(TILES).map(([name, colour], index) => {
    const isLit = TILES[service ?? ''] === undefined || name === service
    const { markup } = positionOf(index)
    const fill = isLit ? ` fill="${colour}" fill-opacity="1"` : ''
    return `<rect ${markup} width="6" height="6" rx="1.8"${fill}/>`
  })
  const faint = `fill="${FAINT}" fill-opacity=".35"`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" ${faint}>${tiles.join('')}</svg>`
}

function positionOf(index: number): Markup {
  return html`x="${1 + 8 * (index % 3)}" y="${1 + 8 * Math.floor(index / 3)}"`
}
