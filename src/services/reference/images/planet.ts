import type { Entry } from '../dataset/universe.ts'
import { leadingNumber } from '../dataset/words.ts'
import { ground, type Markup, MIDDLE, stars, svg } from './canvas.ts'
import { darker, lighter, mix } from './colours.ts'
import type { Dice } from './dice.ts'

/** Land colours by words of terrain and climate; the first match is used. */
const LANDS: readonly (readonly [RegExp, string])[] = [
  [/lava|volcan|ember|scorching/, '#a5402a'],
  [/ice|frozen|frost|snow|tundra|glacier|frigid/, '#dfe9ee'],
  [/gas|cloud/, '#cfa97a'],
  [/dune|desert|sand|salt|dust|mesa|canyon|badland|ochre|arid/, '#cfa468'],
  [/forest|jungle|grove|wood|orchard|bramble|hedge|mangrove|vine/, '#4c7d4a'],
  [/cit|foundry|dock|yard|mine|slag|gantr|wreck|urban|fortress|mill/, '#7b7672'],
  [/swamp|fen|bog|peat|moor|heath|marsh|mangrove/, '#6b7a48'],
  [/grass|plain|meadow|steppe|prairie|savanna|valley|garden|terrace|lawn|hill/, '#86a455'],
  [/rock|stone|crater|barren|cavern|scree|spire|cliff|mountain|quarr/, '#8a7f78'],
  [/ocean|sea|lagoon|atoll|reef|island|lake|river/, '#7fae7a']
]

const OCEANS: readonly (readonly [RegExp, string])[] = [
  [/lava|scorching|volcan/, '#3b2320'],
  [/frozen|ice|frigid/, '#8fb3c9'],
  [/brine|salt/, '#7aa6a0'],
  [/fen|bog|peat/, '#4f6a5d']
]

const LARGE_KM = 14_000

export function drawPlanet({ values }: Entry, dice: Dice): Markup {
  const words = `${values.terrain} ${values.climate}`
  const land = colourBy(LANDS, words, '#94877a')
  const ocean = colourBy(OCEANS, words, '#33688f')
  const water = (leadingNumber(String(values.surface_water)) ?? 0) / 100
  const share = Math.min(1, (leadingNumber(String(values.diameter)) ?? 11_000) / LARGE_KM)
  const radius = Math.round(46 + 26 * share)
  const base = water > 0.5 ? ocean : mix(land, ocean, water / 2)
  return svg`${ground('#1c2540', '#090c16')}
${stars(dice, 46)}
<defs><clipPath id="c"><circle cx="100" cy="100" r="${radius}"/></clipPath><radialGradient id="s" cx=".34" cy=".3" r=".85"><stop offset="0" stop-color="#fff" stop-opacity=".38"/><stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".62"/></radialGradient></defs>
<circle cx="100" cy="100" r="${radius + 5}" fill="${lighter(base, 0.3)}" fill-opacity=".22"/>
<g clip-path="url(#c)"><rect width="200" height="200" fill="${base}"/>
${surface(words, water > 0.5 ? land : darker(land, 0.22), land, radius, dice)}
${/frozen|ice|cold|frigid|frost|polar/.test(words) && caps(radius)}
</g>
<circle cx="100" cy="100" r="${radius}" fill="url(#s)"/>
${dice.roll(4) === 0 && ring(land, radius, dice)}
${moons(radius, dice)}
`
}

function colourBy(
  table: readonly (readonly [RegExp, string])[],
  words: string,
  otherwise: string
): string {
  return table.find(([pattern]) => pattern.test(words))?.[1] ?? otherwise
}

function surface(words: string, patch: string, land: string, radius: number, dice: Dice): Markup {
  if (/gas|stormy|windy/.test(words)) return bands(land, radius, dice)
  const islands = /island|atoll|archipelago|reef|shoal/.test(words)
  const count = islands ? 16 : 8
  const most = islands ? 13 : 34
  const blobs = Array.from({ length: count }, () => {
    const [x, y] = [dice.between(40, 160), dice.between(40, 160)]
    const [rx, ry] = [dice.between(5, most), dice.between(4, most / 2)]
    const fill = dice.roll(3) === 0 ? lighter(patch, 0.22) : patch
    return svg`<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" transform="rotate(${dice.roll(60) - 30} ${x} ${y})" fill="${fill}"/>`
  })
  return svg`${blobs}`
}

function bands(land: string, radius: number, dice: Dice): Markup {
  const rows = Array.from({ length: 9 }, (_, index) => {
    const y = MIDDLE - radius + (index * 2 * radius) / 9
    const colour = index % 2 === 0 ? lighter(land, dice.between(0.1, 0.5)) : darker(land, 0.2)
    return svg`<path d="M0 ${Math.round(y)}q50 ${dice.roll(9) - 4} 100 0t100 0v${dice.between(8, 18)}H0z" fill="${colour}"/>`
  })
  return svg`${rows}<ellipse cx="${dice.between(70, 130)}" cy="${dice.between(85, 130)}" rx="14" ry="7" fill="${darker(land, 0.45)}"/>`
}

function caps(radius: number): Markup {
  return svg`<ellipse cx="100" cy="${100 - radius}" rx="${Math.round(radius * 0.62)}" ry="14" fill="#f4f8fa"/><ellipse cx="100" cy="${100 + radius}" rx="${Math.round(radius * 0.5)}" ry="11" fill="#f4f8fa"/>`
}

function ring(land: string, radius: number, dice: Dice): Markup {
  const wide = radius + 24
  const tilt = dice.roll(40) - 20
  return svg`<g transform="rotate(${tilt} 100 100)" fill="none" stroke="${lighter(land, 0.45)}"><path d="M${100 - wide} 100a${wide} 14 0 0 0 ${2 * wide} 0" stroke-width="5" stroke-opacity=".8"/><path d="M${100 - wide + 9} 100a${wide - 9} 10 0 0 0 ${2 * wide - 18} 0" stroke-width="2" stroke-opacity=".6"/></g>`
}

function moons(radius: number, dice: Dice): Markup {
  const count = dice.roll(3)
  return svg`${Array.from({ length: count }, (_, index) => {
    const x = index === 0 ? 100 + radius + dice.between(8, 18) : 100 - radius - dice.between(6, 16)
    return svg`<circle cx="${x}" cy="${dice.between(30, 80)}" r="${dice.between(3, 7)}" fill="#c9c3b8"/>`
  })}`
}
