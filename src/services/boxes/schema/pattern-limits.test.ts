import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPatterns, measurePattern } from './pattern-limits.ts'
import { SchemaRefused } from './refused.ts'

const measured: [string, number, number][] = [
  ['', 0, 0],
  ['abc', 0, 3],
  ['a{3}', 3, 3],
  ['a{0}b{0,}', 0, 2],
  ['a{2,5}b{3,}', 8, 8],
  ['(ab){10}', 10, 30],
  ['((ab){10}c){10}', 20, 320],
  ['\\{5}\\x{2000}\\p{Greek}{2}', 2, 6],
  ['[{9}(\\]]{2}', 2, 2],
  ['[]{9}]{2}', 2, 2],
  ['[[:alpha:]{9}]{2}', 2, 2],
  ['(\\pL\\d){2}', 2, 6],
  ['\\\\{7}', 7, 7]
]

for (const [source, repeats, size] of measured) {
  test(`the repeats of ${source || 'nothing'}`, () => {
    assert.deepEqual(measurePattern(source), { repeats, size })
  })
}

const limits: [string, string[], string[]][] = [
  ['patterns', numbered(50), numbered(51)],
  ['characters', ['a'.repeat(1000)], ['a'.repeat(1001)]],
  ['repeats', ['a{400}', 'b{1,600}'], ['a{400}', 'b{1,601}']],
  ['parts', [`(${'a'.repeat(9)}){1000}`], [`(${'a'.repeat(10)}){1000}`]]
]

for (const [title, allowed, refused] of limits) {
  test(`the greatest number of ${title}`, () => {
    checkPatterns(new Set(allowed))
    assert.throws(() => checkPatterns(new Set(refused)), SchemaRefused)
  })
}

test('a quotation, which could hide repeats, is refused', () => {
  assert.throws(() => checkPatterns(new Set(['\\Q[\\E(a{9}){9}]'])), SchemaRefused)
})

function numbered(length: number): string[] {
  return Array.from({ length }, (_, n) => `a${n}`)
}
