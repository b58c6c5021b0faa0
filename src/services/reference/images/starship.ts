import type { Entry } from '../dataset/universe.ts'
import { leadingNumber } from '../dataset/words.ts'
import { ground, type Markup, pick, stars, svg } from './canvas.ts'
import { CLOTHS, darker, GROUNDS, lighter, mix } from './colours.ts'
import type { Dice } from './dice.ts'

/** A hull seen from the side: long ships are slim, freighters are stout, light ones have sails. */
export function drawStarship({ values }: Entry, dice: Dice): Markup {
  const words = `${values.starship_class} ${values.model}`.toLowerCase()
  const night = pick(GROUNDS, dice)
  const paint = mix('#b9bec6', pick(CLOTHS, dice), 0.45)
  const length = leadingNumber(String(values.length)) ?? 50
  const slim = Math.min(1, Math.log10(length + 1) / 4)
  const height = Math.round(bulky(words) ? 30 : 26 - 12 * slim)
  return svg`${ground(darker(night, 0.35), '#070a13')}
${stars(dice, 60)}
<circle cx="${dice.between(20, 180)}" cy="${dice.between(150, 190)}" r="${dice.between(14, 30)}" fill="${lighter(night, 0.2)}" fill-opacity=".5"/>
<g transform="rotate(-12 100 100)">${engines(height, dice)}
${/sloop|clipper|yacht|packet|pinnace|sail|tinker|pilgrim|cutter/.test(words) && sails(paint, height, dice)}
${hull(words, paint, height, dice)}
${fins(paint, height, dice)}
${windows(height, dice)}
${/lamp|buoy|light/.test(words) && lamp(height)}</g>
`
}

function bulky(words: string): boolean {
  return /freighter|carrier|lighter|ark|hospital|archive|supply|ferry|barge|relief|derelict/.test(
    words
  )
}

function hull(words: string, paint: string, height: number, dice: Dice): Markup {
  const [top, low] = [100 - height, 100 + height]
  const shapes = [
    `M26 ${top}h96q44 4 56 ${height}q-12 ${height - 4} -56 ${height}H26z`,
    `M22 ${top + 6}L120 ${top}l62 ${height + 4}-62 ${height - 4}-98-6z`,
    `M30 100q10-${height * 1.3} 74-${height}t78 ${height}q-20 ${height} -78 ${height}T30 100z`,
    `M24 ${top}h44l8 8h50l54 ${height - 4}-54 ${height - 4}H76l-8 8H24z`
  ] as const
  const deck = bulky(words)
    ? [44, 72, 100].map(
        (x) =>
          svg`<rect x="${x}" y="${top - 12}" width="22" height="16" rx="2" fill="${darker(paint, 0.3)}"/>`
      )
    : svg`<path d="M92 ${top + 3}q4-16 18-16h16l12 18z" fill="${darker(paint, 0.15)}"/>`
  return svg`${deck}<path d="${pick(shapes, dice)}" fill="${paint}"/><path d="M30 ${low - 6}q74 6 122-${height - 4}" fill="none" stroke="${darker(paint, 0.35)}" stroke-width="5"/>
<path d="M34 100h120" stroke="${lighter(paint, 0.5)}" stroke-width="2.5"/>`
}

function engines(height: number, dice: Dice): Markup {
  const count = 1 + dice.roll(3)
  const glow = pick(['#8fd3ff', '#ffd08a', '#b6f2c8', '#ffb0a0'], dice)
  const rows = Array.from({ length: count }, (_, index) => {
    const y = Math.round(100 - height + ((index + 0.5) * 2 * height) / count)
    return svg`<ellipse cx="14" cy="${y}" rx="20" ry="4.5" fill="${glow}" fill-opacity=".75"/><rect x="16" y="${y - 5}" width="14" height="10" rx="2" fill="#555b66"/>`
  })
  return svg`${rows}`
}

function sails(paint: string, height: number, dice: Dice): Markup {
  const rise = dice.between(34, 56)
  const top = 100 - height
  return svg`<g fill="${lighter(paint, 0.65)}" fill-opacity=".85"><path d="M60 ${top}q-14-${rise} 30-${rise}q6 ${rise / 2} 0 ${rise}zM104 ${top}q-12-${rise * 0.8} 26-${rise * 0.8}q6 ${rise / 3} 0 ${rise * 0.8}z"/><path d="M66 ${100 + height}q-6 ${rise * 0.7} 26 ${rise * 0.7}q8-${rise / 3} 4-${rise * 0.7}z"/></g>`
}

function fins(paint: string, height: number, dice: Dice): Markup {
  const reach = dice.between(12, 34)
  const dark = darker(paint, 0.3)
  const shapes = [
    svg`<path d="M30 ${100 - height + 4}l-8-${reach}h16l26 ${reach}z" fill="${dark}"/>`,
    svg`<path d="M60 ${100 + height - 4}l-20 ${reach}h34l26-${reach}z" fill="${dark}"/>`,
    svg`<path d="M34 ${100 - height + 4}l-12-${reach}h12l34 ${reach}zM34 ${100 + height - 4}l-12 ${reach}h12l34-${reach}z" fill="${dark}"/>`
  ] as const
  return pick(shapes, dice)
}

function windows(height: number, dice: Dice): Markup {
  const count = 3 + dice.roll(7)
  const y = 100 - Math.round(height / 2.6)
  return svg`<g fill="#ffe9b0">${Array.from({ length: count }, (_, index) => svg`<circle cx="${52 + index * 10}" cy="${y}" r="2.2"/>`)}</g>`
}

function lamp(height: number): Markup {
  const y = 100 - height - 26
  return svg`<path d="M128 ${y}v30" stroke="#7a808a" stroke-width="4"/><circle cx="128" cy="${y}" r="16" fill="#fff3c4" fill-opacity=".3"/><circle cx="128" cy="${y}" r="7" fill="#fff3c4"/>`
}
