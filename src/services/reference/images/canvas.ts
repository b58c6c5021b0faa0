import { html, type Markup } from '../../../kernel/html.ts'
import type { Dice } from './dice.ts'

export { html as svg, type Markup }

/** Width and height of every image, in SVG units. */
export const SIZE = 200
export const MIDDLE = SIZE / 2

export function pick<Item>(items: readonly [Item, ...Item[]], dice: Dice): Item {
  return items[dice.roll(items.length)] ?? items[0]
}

/** Replaces control characters and lone surrogates, which XML cannot contain, not even escaped. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are replaced
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' ')
}

export function frame(title: string, content: Markup): string {
  const { markup } =
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" role="img">
<title>${title}</title>
${content}
</svg>
`
  return plain(markup)
}

export function ground(colour: string, edge: string): Markup {
  return html`<defs><radialGradient id="g" cx=".5" cy=".4" r=".8"><stop offset="0" stop-color="${colour}"/><stop offset="1" stop-color="${edge}"/></radialGradient></defs>
<rect width="${SIZE}" height="${SIZE}" fill="url(#g)"/>
`
}

export function stars(dice: Dice, count: number): Markup {
  const dots = Array.from({ length: count }, () => {
    const [x, y] = [dice.between(0, SIZE), dice.between(0, SIZE)]
    return html`<circle cx="${x}" cy="${y}" r="${dice.between(0.4, 1.4)}"/>`
  })
  return html`<g fill="#fff" fill-opacity=".7">${dots}</g>
`
}

/** A point by angle and radius around a centre, for `points` and `d`. */
export function around(angle: number, radius: number, cx = MIDDLE, cy = MIDDLE): string {
  const round = (value: number) => Math.round(value * 10) / 10
  return `${round(cx + radius * Math.cos(angle))} ${round(cy + radius * Math.sin(angle))}`
}
