import type { Entry } from '../dataset/universe.ts'
import { around, type Markup, pick, stars, svg } from './canvas.ts'
import { CLOTHS, darker, GROUNDS, lighter } from './colours.ts'
import type { Dice } from './dice.ts'

const LINE_LETTERS = 18

/** A poster: one beam for each episode over a skyline, and the title. */
export function drawFilm({ values }: Entry, dice: Dice): Markup {
  const night = pick(GROUNDS, dice)
  const glow = pick(CLOTHS, dice)
  const x = dice.between(60, 140)
  const beams = Math.min(12, Math.max(1, Number(values.episode_id)))
  return svg`<defs><linearGradient id="k" x2="0" y2="1"><stop offset="0" stop-color="${darker(night, 0.55)}"/><stop offset=".62" stop-color="${night}"/><stop offset=".8" stop-color="${lighter(glow, 0.2)}"/></linearGradient></defs>
<rect width="200" height="200" fill="url(#k)"/>
${stars(dice, 30)}
<g fill="${lighter(glow, 0.55)}" fill-opacity=".3">${Array.from({ length: beams }, (_, index) => beam(x, index, beams))}</g>
<circle cx="${x}" cy="96" r="9" fill="#fff6dc"/><circle cx="${x}" cy="96" r="16" fill="#fff6dc" fill-opacity=".3"/>
<path d="M${x - 5} 100h10l5 60h-20z" fill="${darker(night, 0.7)}"/>
${ridge(132, darker(night, 0.45), dice)}${ridge(148, darker(night, 0.75), dice)}
<g fill="#fff" font-family="Georgia, 'DejaVu Serif', serif" font-size="17" text-anchor="middle">${title(String(values.title))}</g>
`
}

function beam(x: number, index: number, count: number): Markup {
  const angle = -Math.PI + ((index + 0.5) * Math.PI) / count
  return svg`<path d="M${x} 96L${around(angle - 0.07, 240, x, 96)}L${around(angle + 0.07, 240, x, 96)}z"/>`
}

function ridge(y: number, fill: string, dice: Dice): Markup {
  const peaks = Array.from(
    { length: 8 },
    (_, index) => `${(index + 1) * 25} ${y + dice.roll(22) - 11}`
  )
  return svg`<path d="M0 ${y}L${peaks.join('L')}V200H0z" fill="${fill}"/>`
}

function title(text: string): Markup[] {
  const lines = wrap(text).slice(0, 3)
  return lines.map(
    (line, index) => svg`<text x="100" y="${190 - (lines.length - 1 - index) * 19}">${line}</text>`
  )
}

function wrap(text: string): string[] {
  const lines: string[] = ['']
  for (const word of text.split(/\s+/)) {
    const line = `${lines.at(-1)} ${word}`.trim()
    if (line.length > LINE_LETTERS) lines.push(word)
    else lines[lines.length - 1] = line
  }
  return lines.filter((line) => line !== '')
}
