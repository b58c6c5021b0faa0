import type { Entry } from '../dataset/universe.ts'
import { around, ground, type Markup, MIDDLE, pick, svg } from './canvas.ts'
import { colourOf, darker, GROUNDS, lighter } from './colours.ts'
import { createDice, type Dice } from './dice.ts'

/** A rosette: colours from the skin, number and form of the petals from the classification. */
export function drawSpecies({ values }: Entry, dice: Dice): Markup {
  const order = createDice(`class ${values.classification}`)
  const colours = listColours(String(values.skin_colors))
  const petals = 5 + order.roll(5)
  const form = order.roll(4)
  const back = pick(GROUNDS, dice)
  const rings = [72, 48, 26].map((radius, index) => {
    const colour = colours[index % colours.length] ?? '#b59b74'
    const turn = (index * Math.PI) / petals + dice.between(0, 0.5)
    return rosette(petals + index * dice.roll(2), radius, form, shade(colour, index), turn)
  })
  const eye = colourOf(String(values.eye_colors)) ?? '#e9c46a'
  return svg`${ground(lighter(back, 0.15), darker(back, 0.5))}
<circle cx="100" cy="100" r="86" fill="none" stroke="${lighter(back, 0.5)}" stroke-opacity=".5" stroke-width="3"/>
${rings}
<circle cx="100" cy="100" r="13" fill="${darker(eye, 0.2)}"/><circle cx="100" cy="100" r="9" fill="${eye}"/><circle cx="100" cy="100" r="3.5" fill="#15171a"/>
`
}

function listColours(text: string): string[] {
  const colours = text.split(',').flatMap((part) => colourOf(part) ?? [])
  return colours.length > 0 ? colours : ['#b59b74']
}

function shade(colour: string, index: number): string {
  return index === 1 ? lighter(colour, 0.3) : darker(colour, index === 0 ? 0.12 : 0.3)
}

function rosette(count: number, radius: number, form: number, fill: string, turn: number): Markup {
  const step = (2 * Math.PI) / count
  const petals = Array.from({ length: count }, (_, index) => {
    const angle = turn + index * step
    return svg`<path d="${petal(form, angle, radius, step)}"/>`
  })
  return svg`<g fill="${fill}" stroke="${darker(fill, 0.4)}" stroke-width="1.5" stroke-linejoin="round">${petals}</g>`
}

function petal(form: number, angle: number, radius: number, step: number): string {
  const tip = around(angle, radius)
  const [left, right] = [
    around(angle - step / 2, radius * 0.6),
    around(angle + step / 2, radius * 0.6)
  ]
  const [wideLeft, wideRight] = [around(angle - step, radius), around(angle + step, radius)]
  const centre = `M${MIDDLE} ${MIDDLE}`
  if (form === 0) return `${centre}Q${left} ${tip}Q${right} ${MIDDLE} ${MIDDLE}z`
  if (form === 1) return `${centre}L${left} ${tip} ${right}z`
  if (form === 2)
    return `${centre}C${wideLeft} ${left} ${tip}C${right} ${wideRight} ${MIDDLE} ${MIDDLE}z`
  return `${centre}L${around(angle - step / 3, radius * 0.9)}A${radius / 3} ${radius / 3} 0 0 1 ${around(angle + step / 3, radius * 0.9)}z`
}
