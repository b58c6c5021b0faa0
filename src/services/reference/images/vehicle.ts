import type { Entry } from '../dataset/universe.ts'
import { type Markup, pick, svg } from './canvas.ts'
import { CLOTHS, darker, lighter } from './colours.ts'
import type { Dice } from './dice.ts'

type Draw = (paint: string, dice: Dice) => Markup

/** Drawings by words of the vehicle's class and model; the first match is used. */
const CARRIERS: readonly (readonly [RegExp, Draw])[] = [
  [/balloon|aerostat|airship/, balloon],
  [/submersible|submarine/, submarine],
  [/boat|tug|launch|ferry|barge|ketch|raft/, boat],
  [/walker|walking|legs/, walker],
  [/crawler|plough|borer|tracked|crane|tank|harvester/, tracks],
  [/cart|train|rail|tractor|hauler|trolley|engine|wheel|funicular|sledge/, wheels]
]

const SKIES = ['#a7c7d9', '#e8c9a0', '#c9b7cf', '#b5cfae', '#e2b6a1', '#9db4c0'] as const

export function drawVehicle({ values }: Entry, dice: Dice): Markup {
  const words = `${values.vehicle_class} ${values.model}`.toLowerCase()
  const sky = pick(SKIES, dice)
  const paint = pick(CLOTHS, dice)
  const draw = CARRIERS.find(([pattern]) => pattern.test(words))?.[1] ?? hover
  return svg`<defs><linearGradient id="k" x2="0" y2="1"><stop offset="0" stop-color="${lighter(sky, 0.15)}"/><stop offset="1" stop-color="${lighter(sky, 0.65)}"/></linearGradient></defs>
<rect width="200" height="200" fill="url(#k)"/>
<circle cx="${dice.between(30, 170)}" cy="${dice.between(28, 60)}" r="${dice.between(9, 17)}" fill="#fff" fill-opacity=".7"/>
<path d="M0 132q30-${dice.between(8, 30)} 70-6t70-4 60-6v84H0z" fill="${darker(sky, 0.18)}"/>
<path d="M0 158h200v42H0z" fill="${darker(sky, 0.4)}"/>
${draw(paint, dice)}
`
}

function cabin(x: number, y: number, paint: string): Markup {
  return svg`<path d="M${x} ${y}v-22q0-6 6-6h22l12 28z" fill="${darker(paint, 0.25)}"/><path d="M${x + 7} ${y - 6}v-14h16l7 14z" fill="#dcecf2"/>`
}

function body(paint: string, dice: Dice): Markup {
  const nose = dice.between(4, 22)
  const height = dice.between(22, 34)
  return svg`<path d="M36 144v-${height}q0-6 8-6h96l${nose + 6} ${height * 0.7}v${height * 0.3 + 6}z" fill="${paint}"/>
<path d="M36 ${136 - height / 3}h110" stroke="${lighter(paint, 0.45)}" stroke-width="4"/>
${cabin(dice.between(56, 108), 144 - height - 5, paint)}`
}

function wheels(paint: string, dice: Dice): Markup {
  const count = 2 + dice.roll(3)
  const radius = dice.between(11, 16)
  const step = 100 / (count - 1)
  const rims = Array.from({ length: count }, (_, index) => {
    const x = Math.round(50 + index * step)
    return svg`<circle cx="${x}" cy="148" r="${radius}" fill="#23262b"/><circle cx="${x}" cy="148" r="${radius / 2.4}" fill="#c9ccd0"/>`
  })
  return svg`${body(paint, dice)}${rims}`
}

function tracks(paint: string, dice: Dice): Markup {
  const rollers = Array.from(
    { length: 6 },
    (_, index) => svg`<circle cx="${46 + index * 21}" cy="152" r="7"/>`
  )
  const arm =
    dice.roll(2) === 0 &&
    svg`<path d="M120 112L170 62l8 6-44 52zM170 66l4 34" fill="${darker(paint, 0.35)}" stroke="${darker(paint, 0.35)}" stroke-width="3"/>`
  return svg`${arm}${body(paint, dice)}<rect x="30" y="138" width="138" height="28" rx="14" fill="#23262b"/><g fill="#8c9096">${rollers}</g>`
}

function walker(paint: string, dice: Dice): Markup {
  const knee = dice.between(8, 22)
  const legs = [56, 88, 118, 148].map(
    (x) =>
      svg`<path d="M${x} 104l${x < 100 ? -knee : knee} 28 ${x < 100 ? knee - 4 : 4 - knee} 36"/><path d="M${x - 10} 168h20"/>`
  )
  return svg`<g fill="none" stroke="#33373d" stroke-width="7" stroke-linejoin="round" stroke-linecap="round">${legs}</g>
<path d="M34 112q-4-46 40-50h56q36 6 38 50z" fill="${paint}"/><path d="M40 96h124" stroke="${lighter(paint, 0.4)}" stroke-width="4"/><path d="M128 72h22l10 18h-32z" fill="#dcecf2"/>`
}

function boat(paint: string, dice: Dice): Markup {
  const sail = dice.roll(2) === 0
  const rig = sail
    ? svg`<path d="M96 122V38" stroke="#4a3b2f" stroke-width="4"/><path d="M100 42q42 34 44 74h-44zM92 52q-28 26-34 62h34z" fill="${lighter(paint, 0.75)}"/>`
    : svg`${cabin(78, 122, paint)}<path d="M124 122V84h12v38z" fill="${darker(paint, 0.4)}"/><circle cx="136" cy="70" r="9" fill="#fff" fill-opacity=".5"/><circle cx="148" cy="58" r="6" fill="#fff" fill-opacity=".4"/>`
  return svg`${rig}<path d="M30 122h142q-10 38-32 38H60q-22 0-30-38z" fill="${paint}"/><path d="M36 134h130" stroke="${lighter(paint, 0.5)}" stroke-width="4"/>
<path d="M0 158q12-8 25 0t25 0 25 0 25 0 25 0 25 0 25 0 25 0v42H0z" fill="#3f7391" fill-opacity=".9"/>`
}

function submarine(paint: string, dice: Dice): Markup {
  const ports = Array.from(
    { length: 3 + dice.roll(3) },
    (_, index) => svg`<circle cx="${74 + index * 18}" cy="112" r="6"/>`
  )
  return svg`<path d="M0 60q12-8 25 0t25 0 25 0 25 0 25 0 25 0 25 0 25 0v140H0z" fill="#2f6684" fill-opacity=".85"/>
<path d="M92 84V62h26v22zM118 62v-14h8" fill="${darker(paint, 0.2)}" stroke="${darker(paint, 0.2)}" stroke-width="4"/><path d="M166 112l22-18v36z" fill="${darker(paint, 0.3)}"/>
<ellipse cx="100" cy="112" rx="72" ry="32" fill="${paint}"/><g fill="#e4f2d8" stroke="${darker(paint, 0.4)}" stroke-width="3">${ports}</g>`
}

function balloon(paint: string, dice: Dice): Markup {
  const wide = dice.between(44, 66)
  return svg`<path d="M84 128l-18-38M116 128l18-38M100 128V96" stroke="#4a4038" stroke-width="2"/><ellipse cx="100" cy="70" rx="${wide}" ry="42" fill="${paint}"/>
<ellipse cx="100" cy="70" rx="${wide * 0.45}" ry="42" fill="${lighter(paint, 0.35)}"/><path d="M78 126h44l-6 22H84z" fill="${darker(paint, 0.45)}"/>`
}

function hover(paint: string, dice: Dice): Markup {
  const fin = dice.between(14, 36)
  return svg`<ellipse cx="100" cy="166" rx="64" ry="6" fill="#000" fill-opacity=".28"/>
<path d="M44 120l-14-${fin}h18l22 ${fin}z" fill="${darker(paint, 0.3)}"/><path d="M28 126q4-16 36-18l70-2q34 4 44 22-14 14-60 14H54q-22-2-26-16z" fill="${paint}"/>
<path d="M92 106q6-22 34-18 14 4 18 20z" fill="#dcecf2"/><path d="M34 130h138" stroke="${lighter(paint, 0.45)}" stroke-width="4"/><g fill="#ffe6a3" fill-opacity=".85"><ellipse cx="66" cy="150" rx="13" ry="5"/><ellipse cx="132" cy="150" rx="13" ry="5"/></g>`
}
