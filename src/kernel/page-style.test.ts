import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

type Colour = readonly [red: number, green: number, blue: number]

const STYLE = readFileSync(new URL('./page.css', import.meta.url), 'utf8')
const THEMES = { light: readTokens(0), dark: readTokens(1) }
const BACKGROUNDS = ['ground', 'raised', 'sunken']
const TEXTS = ['ink', 'soft', 'link', 'good', 'warn', 'bad', 'name', 'text', 'value']
const HUES = [
  ...['reference', 'boxes', 'countries', 'scenarios', 'forms', 'mailbox', 'statuses', 'mock'],
  'cards'
]
/** Colours of the method badges, each on a tint of itself. */
const METHODS = ['soft', 'link', 'good', 'warn', 'bad']
const METHOD_TINT = 0.13
const GLYPH_TINT = 0.12
/** WCAG 2.2 AA, 1.4.3 and 1.4.11. */
const TEXT_CONTRAST = 4.5
const PART_CONTRAST = 3

function readTokens(index: 0 | 1): ReadonlyMap<string, Colour> {
  const tokens = STYLE.matchAll(/--([a-z]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)
  return new Map(
    [...tokens].map(([, name = '', ...colours]) => [name, parseColour(colours[index] ?? '')])
  )
}

function parseColour(hex: string): Colour {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(hex.slice(at, at + 2), 16)
  )
  return [red, green, blue]
}

function mix(colour: Colour, background: Colour, share: number): Colour {
  const [red, green, blue] = colour.map(
    (part, index) => part * share + (background[index] ?? 0) * (1 - share)
  )
  return [red ?? 0, green ?? 0, blue ?? 0]
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

for (const [theme, tokens] of Object.entries(THEMES)) {
  const colourOf = (name: string): Colour => {
    const colour = tokens.get(name)
    assert.ok(colour, `page.css has no token ${name}`)
    return colour
  }
  const check = (what: string, colour: Colour, background: Colour, least: number) => {
    const found = contrast(colour, background)
    assert.ok(found >= least, `${theme}: ${what} has a contrast of ${found.toFixed(2)}`)
  }

  describe(`contrast of the ${theme} theme`, () => {
    test('every token of the style sheet is checked', () => {
      const checked = [...BACKGROUNDS, ...TEXTS, ...HUES, 'focus', 'edge', 'line']
      assert.deepEqual([...tokens.keys()].sort(), checked.sort())
    })

    for (const background of BACKGROUNDS) {
      test(`text on ${background}`, () => {
        for (const name of [...TEXTS, ...HUES]) {
          check(`${name} on ${background}`, colourOf(name), colourOf(background), TEXT_CONTRAST)
        }
      })

      test(`focus rings and edges on ${background}`, () => {
        for (const name of ['focus', 'edge']) {
          check(`${name} on ${background}`, colourOf(name), colourOf(background), PART_CONTRAST)
        }
      })

      test(`method badges and drawings of services on ${background}`, () => {
        const ground = colourOf(background)
        for (const name of METHODS) {
          const colour = colourOf(name)
          check(`a badge in ${name}`, colour, mix(colour, ground, METHOD_TINT), TEXT_CONTRAST)
        }
        for (const name of HUES) {
          const colour = colourOf(name)
          check(`a drawing in ${name}`, colour, mix(colour, ground, GLYPH_TINT), PART_CONTRAST)
        }
      })
    }

    test('text on buttons', () => {
      for (const name of ['ink', 'bad']) {
        check(`a button in ${name}`, colourOf('ground'), colourOf(name), TEXT_CONTRAST)
      }
    })
  })
}

test('the tints of the style sheet are those that are checked', () => {
  assert.match(STYLE, /\.method \{[^}]*currentColor 13%, transparent/)
  assert.match(STYLE, /\.glyph \{[^}]*var\(--hue\) 12%, transparent/)
})
