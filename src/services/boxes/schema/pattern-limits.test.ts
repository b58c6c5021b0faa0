import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPatterns } from './pattern-limits.ts'
import { SchemaRejected } from './rejected.ts'

const limits: [string, string[], string[]][] = [
  ['patterns', numbered(50), numbered(51)],
  ['characters', ['a'.repeat(1000)], ['a'.repeat(1001)]],
  ['repeats', ['a{400}', 'b{1,600}'], ['a{400}', 'b{1,601}']],
  ['parts', [`(${'a'.repeat(9)}){1000}`], [`(${'a'.repeat(10)}){1000}`]]
]

for (const [title, allowed, rejected] of limits) {
  test(`the maximum number of ${title}`, () => {
    checkPatterns(new Set(allowed))
    assert.throws(() => checkPatterns(new Set(rejected)), SchemaRejected)
  })
}

test('a quotation, which could hide repeats, is rejected', () => {
  assert.throws(() => checkPatterns(new Set(['\\Q[\\E(a{9}){9}]'])), SchemaRejected)
})

function numbered(length: number): string[] {
  return Array.from({ length }, (_, n) => `a${n}`)
}
