import { type Entry, idsOf } from '../dataset/universe.ts'
import { leadingNumber } from '../dataset/words.ts'
import { ground, type Markup, pick, svg } from './canvas.ts'
import { CLOTHS, colourOf, darker, GROUNDS, lighter } from './colours.ts'
import { createDice, type Dice } from './dice.ts'

interface Head {
  readonly width: number
  readonly height: number
  readonly skin: string
}

/** A bust: colours from the record, build from height and mass, shape from the species. */
export function drawPerson({ values }: Entry, dice: Dice): Markup {
  const species = idsOf(values.species)[0] ?? 0
  const kind = createDice(`species ${species}`)
  const skin = colourOf(String(values.skin_color)) ?? pick(CLOTHS, dice)
  const build = buildOf(String(values.height), String(values.mass))
  const isHuman = species === 1
  const head = {
    width: Math.round(34 * build * (isHuman ? 1 : kind.between(0.85, 1.2))),
    height: Math.round(isHuman ? 43 : kind.between(36, 52)),
    skin
  }
  const back = pick(GROUNDS, dice)
  const hair = colourOf(String(values.hair_color))
  return svg`${ground(lighter(back, 0.25), darker(back))}
<circle cx="100" cy="92" r="74" fill="none" stroke="#fff" stroke-opacity=".16" stroke-width="2"/>
${hair !== undefined && longHair(hair, head, dice)}
${shoulders(build, dice)}
<path d="M86 118h28v32q-14 12-28 0z" fill="${darker(skin, 0.18)}"/>
${!isHuman && appendages(head, kind)}
<ellipse cx="100" cy="92" rx="${head.width}" ry="${head.height}" fill="${skin}"/>
<ellipse cx="${100 + head.width * 0.3}" cy="84" rx="${head.width * 0.6}" ry="${head.height * 0.75}" fill="#fff" fill-opacity=".06"/>
${hair !== undefined && fringe(hair, head, dice)}
${face(String(values.eye_color), head, dice)}
`
}

/** Width factor from body mass index; heavy people are drawn broader. */
function buildOf(height: string, mass: string): number {
  const metres = (leadingNumber(height) ?? 175) / 100
  const index = (leadingNumber(mass) ?? 70) / (metres * metres)
  return Math.min(1.4, Math.max(0.8, 0.65 + index / 65))
}

function shoulders(build: number, dice: Dice): Markup {
  const cloth = pick(CLOTHS, dice)
  const reach = Math.round(52 * build)
  const collar = [
    svg`<path d="M78 146l22 26 22-26v54H78z" fill="${lighter(cloth, 0.5)}"/>`,
    svg`<path d="M74 146q26 26 52 0v12q-26 24-52 0z" fill="${darker(cloth)}"/>`,
    svg`<path d="M96 158h8v42h-8z" fill="${darker(cloth)}"/>`,
    svg`<path d="M64 152l14-8 40 56H96z" fill="${lighter(cloth, 0.35)}"/>`
  ] as const
  return svg`<path d="M${100 - reach} 200q4-52 36-56h${2 * reach - 72}q32 4 36 56z" fill="${cloth}"/>
${pick(collar, dice)}`
}

function longHair(hair: string, { width, height }: Head, dice: Dice): Markup {
  const fall = pick([0, 130, 150, 170], dice)
  if (fall === 0) return svg``
  const side = width + 8
  return svg`<path d="M${100 - side} 92q0-${height + 12} ${side}-${height + 12}t${side} ${height + 12}v${fall - 92}q-${side} 16-${2 * side} 0z" fill="${darker(hair, 0.25)}"/>`
}

function fringe(hair: string, { width, height }: Head, dice: Dice): Markup {
  const top = 92 - height - 5
  const left = 100 - width - 2
  const right = 100 + width + 2
  const styles = [
    `M${left} 88Q${left} ${top} 100 ${top}T${right} 88Q${right - 12} 62 100 66T${left} 88z`,
    `M${left} 90Q${left - 4} ${top} 108 ${top}T${right} 84Q${right - 6} 66 ${right - 22} 64Q${left + 26} 78 ${left} 90z`,
    `M${left} 82Q${left + 2} ${top - 6} 100 ${top - 6}T${right} 82Q100 44 ${left} 82z`,
    `M${left} 96Q${left - 8} ${top - 4} 100 ${top - 2}T${right} 96L${right - 8} 72 100 62 ${left + 8} 72z`
  ] as const
  return svg`<path d="${pick(styles, dice)}" fill="${hair}"/>`
}

/** Ears, horns or feelers of people who are not human; the species determines which. */
function appendages({ width, height, skin }: Head, kind: Dice): Markup {
  const dark = darker(skin, 0.2)
  const left = 100 - width
  const right = 100 + width
  const top = 92 - height
  const kinds = [
    svg`<path d="M${left + 6} 84L${left - 20} 56 ${left + 4} 104zM${right - 6} 84L${right + 20} 56 ${right - 4} 104z" fill="${dark}"/>`,
    svg`<g fill="none" stroke="${dark}" stroke-width="4" stroke-linecap="round"><path d="M88 ${top + 8}q-6-26-22-28M112 ${top + 8}q6-26 22-28"/></g><circle cx="66" cy="${top - 20}" r="5" fill="${skin}"/><circle cx="134" cy="${top - 20}" r="5" fill="${skin}"/>`,
    svg`<path d="M${left + 4} 76q-30 4-22 34 14-2 24-10zM${right - 4} 76q30 4 22 34-14-2-24-10z" fill="${dark}"/>`,
    svg`<path d="M76 ${top + 12}l6-28 10 20 8-28 8 28 10-20 6 28z" fill="${dark}"/>`,
    svg`<path d="M${left + 8} ${top + 26}q-26-18-14-46 4 22 26 26zM${right - 8} ${top + 26}q26-18 14-46-4 22-26 26z" fill="${lighter(skin, 0.5)}"/>`,
    svg`<circle cx="${left}" cy="92" r="12" fill="${dark}"/><circle cx="${right}" cy="92" r="12" fill="${dark}"/>`
  ] as const
  return pick(kinds, kind)
}

function face(eyeColour: string, { width, skin }: Head, dice: Dice): Markup {
  const apart = Math.round(width * 0.42)
  const mouth = dice.between(-3, 7)
  const line = darker(skin, 0.5)
  const brow = dice.between(-3, 3)
  return svg`${eyes(eyeColour, apart, line)}
<g fill="none" stroke="${line}" stroke-width="2.4" stroke-linecap="round"><path d="M${100 - apart - 7} ${82 + brow}q7-5 14 0M${100 + apart - 7} ${82 + brow}q7-5 14 0"/><path d="M99 94q-5 10 3 11"/><path d="M${100 - apart} 117q${apart} ${mouth * 1.5} ${2 * apart} 0"/></g>`
}

function eyes(colour: string, apart: number, line: string): Markup {
  if (colour === 'none' || colour === 'n/a') {
    return svg`<path d="M${100 - apart - 8} 92h${2 * apart + 16}" stroke="${line}" stroke-width="5" stroke-linecap="round"/>`
  }
  const iris = colourOf(colour) ?? line
  return svg`${[100 - apart, 100 + apart].map(
    (x) =>
      svg`<ellipse cx="${x}" cy="92" rx="7.5" ry="5.5" fill="#fbfaf6"/><circle cx="${x}" cy="92" r="4.6" fill="${iris}" stroke="${darker(iris)}"/><circle cx="${x}" cy="92" r="1.9" fill="#15171a"/>`
  )}`
}
