import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from '../../src/services/boxes/text/read-json.ts'
import { joinList, readBody, splice } from '../../src/services/boxes/text/record-text.ts'
import { type ScannedBody, scanBody } from '../../src/services/boxes/text/scan.ts'
import { EFFORT } from '../support/effort.ts'
import { JSON_VECTORS } from '../support/json-vectors.ts'
import { createRandom } from '../support/random.ts'

/**
 * Half of the texts are valid: 70 % an object, 20 % an array of objects, 10 % anything else, of up
 * to four members and four levels; values are 30 % numbers in all notations, 30 % texts (a fifth
 * with escapes, a fifth beyond ASCII), 15 % words, 25 % containers; every fourth token has space
 * before it, every eighth name is one that was there.
 * The other half are valid texts with one to three changes: 20 % a character changed, 15 % one
 * removed, 15 % a stretch doubled, 10 % brackets swapped, 40 % something wrong put in.
 */
const TEXTS = 70_000 * EFFORT

const NUMBERS = [
  ...['0', '-0', '1', '12', '0.5', '1.0', '1E5', '1e-400', '1e400', '-1.5e+3', '1e05', '123456789'],
  ...['12345678901234567890', '0.1234567890123456789', '-2E-2']
] as const
const STRINGS = [
  ...['', 'a', 'b', 'abc', 'x y', '{', '}', '[', ',', ':', '//', "'", '\u007f', 'true', '1'],
  ...['é', '😀', '\u2028', '\u00a0', '\uFEFF'],
  ...['\\n', '\\u0061', '\\ud800', '\\"', '\\/', '\\u00E9x']
] as const
// Not in names: once `JSON.parse` has met one with a `\`, it misreads others (nodejs/node#63785).
const BACKSLASHES = ['"\\\\"', '"\\\\\\""', '"a\\\\"'] as const
const SPACES = [' ', '\n', '\t', '\r\n', '  '] as const
const WORDS = ['true', 'false', 'null'] as const
const WRONG = [
  ...['01', '1.', '.5', '+1', '1e', '-', '--1', '0x1', '1_000', 'NaN', 'Infinity', '-Infinity'],
  ...[
    'undefined',
    'True',
    'nul',
    "'a'",
    '`a`',
    '"\\x"',
    '"\\u12"',
    '"\\u12G4"',
    '"\n"',
    '"\u0000"'
  ],
  ...[
    '\\',
    '\\u0061',
    ',',
    ',,',
    ':',
    '/*c*/',
    '//c',
    '#c',
    '\u00a0',
    '\uFEFF',
    '\v',
    '\f',
    '}',
    ']'
  ],
  ...['"', '""', '{', '[', '{}', '[]', '"a":', '1 2', '\u0001', '\u2028', ' ']
] as const

const random = createRandom(2)
const chance = (percent: number) => random.below(100) < percent
const space = () => (chance(25) ? random.pick(SPACES) : '')
const string = () => `"${random.pick(STRINGS)}${chance(30) ? random.pick(STRINGS) : ''}"`

function value(depth: number): string {
  const roll = random.below(100)
  if (roll < 30) return random.pick(NUMBERS)
  if (roll < 55) return string()
  if (roll < 60) return random.pick(BACKSLASHES)
  if (roll < 75 || depth > 3) return random.pick(WORDS)
  return chance(50) ? object(depth + 1) : array(() => value(depth + 1))
}

function array(element: () => string): string {
  const elements = Array.from({ length: random.below(4) }, () => space() + element() + space())
  return `[${elements.join(',') || space()}]`
}

function object(depth = 0): string {
  const members: string[] = []
  let name = string()
  for (let size = random.below(5); size > 0; size--) {
    if (!chance(12)) name = string()
    members.push(`${space()}${name}${space()}:${space()}${value(depth)}${space()}`)
  }
  return `{${members.join(',') || space()}}`
}

function valid(): string {
  const roll = random.below(100)
  const text = roll < 70 ? object() : roll < 90 ? array(object) : value(0)
  return space() + text + space()
}

function mutate(text: string): string {
  const at = random.below(text.length + 1)
  const roll = random.below(100)
  if (roll < 20)
    return text.slice(0, at) + String.fromCharCode(random.below(128)) + text.slice(at + 1)
  if (roll < 35) return text.slice(0, at) + text.slice(at + 1)
  if (roll < 50) return text.slice(0, at + 1 + random.below(4)) + text.slice(at)
  if (roll < 60)
    return text.replaceAll(/[[\]{}]/g, (bracket) =>
      chance(30) ? '[{]}'.charAt(random.below(4)) : bracket
    )
  return text.slice(0, at) + random.pick(WRONG) + text.slice(at)
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    assert.ok(error instanceof SyntaxError)
    return undefined
  }
}

function scan(text: string): ScannedBody | string {
  try {
    return scanBody(text)
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error)
    return String(error.code)
  }
}

const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one)

/** Written again from what was parsed and from the spans; of equal names both keep the last. */
function checkSpans(text: string, { objects }: ScannedBody, parsed: unknown): void {
  const values: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  assert.equal(objects.length, values.length, text)
  for (const [index, { start, end, members }] of objects.entries()) {
    const entries = members.map((member) => [
      JSON.parse(text.slice(member.keyStart, member.keyEnd)),
      JSON.parse(text.slice(member.valueStart, member.valueEnd))
    ])
    assert.equal(JSON.stringify(Object.fromEntries(entries)), JSON.stringify(values[index]), text)
    const [first, last] = [members[0]?.keyStart ?? end - 1, members.at(-1)?.valueEnd ?? start + 1]
    assert.match(text.slice(start, first), /^\{\s*$/, text)
    assert.match(text.slice(last, end), /^\s*\}$/, text)
  }
}

test('the scanner takes what JSON.parse takes, and sees the same members', (context) => {
  const count = { valid: 0, mutated: 0, refused: 0, members: 0 }
  for (let index = 0; index < TEXTS; index++) {
    let text = valid()
    const isMutated = index % 2 === 1
    if (isMutated) for (let times = 1 + random.below(3); times > 0; times--) text = mutate(text)
    const parsed = parse(text)
    const scanned = scan(text)
    count.mutated += isMutated ? 1 : 0
    count.valid += parsed === undefined ? 0 : 1
    if (parsed === undefined) {
      assert.equal(scanned, 'INVALID_JSON', text)
      count.refused += isMutated ? 1 : 0
      continue
    }
    const all: unknown[] = Array.isArray(parsed.value) ? parsed.value : [parsed.value]
    if (!all.every(isObject)) assert.equal(scanned, 'INVALID_JSON', text)
    else if (typeof scanned === 'string') assert.fail(`${scanned}: ${text}`)
    else {
      count.members += scanned.objects.reduce((sum, one) => sum + one.members.length, 0)
      checkSpans(text, scanned, parsed.value)
    }
  }
  context.diagnostic(JSON.stringify(count))
  assert.ok(count.valid >= 0.4 * TEXTS, 'valid')
  assert.ok(count.mutated >= 0.4 * TEXTS, 'mutations')
  assert.ok(count.refused >= 0.7 * count.mutated, 'mutations that matter')
  assert.ok(count.members >= TEXTS, 'members')
})

function checkRaw(text: string, ...expected: string[]): void {
  const { records } = readBody(text)
  assert.ok(records.every(({ raw }, index) => raw === expected[index]))
  assert.equal(records.length, expected.length)
}

test('every vector comes back byte for byte, alone, in an answer and in a list', () => {
  const vectors = Object.values(JSON_VECTORS)
  assert.equal(vectors.length, 39)
  for (const vector of vectors) {
    checkRaw(vector, vector)
    checkRaw(splice(vector, { id: 'a', createdOn: 'b' }), vector)
  }
  checkRaw(joinList(vectors), ...vectors)
})

test('the vectors have the value that JSON.parse gives them', () => {
  for (const [name, vector] of Object.entries(JSON_VECTORS)) {
    // With an escape in it, so that our own reader has the work.
    const text = `[${vector},"\\n"]`
    if (!name.startsWith('deep')) assert.deepEqual(readJson(text), JSON.parse(text), name)
  }
})
