import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinFlowedLines } from './flowed-text.ts'

test('lines that end with a space continue in the next one', () => {
  assert.equal(joinFlowedLines('one \ntwo \nthree\nfour\n', false), 'one two three\nfour\n')
  assert.equal(joinFlowedLines('one \ntwo\n', true), 'onetwo\n')
})

test('quotes continue only in quotes of the same depth', () => {
  assert.equal(
    joinFlowedLines('> one \n> two\n>> deep \n> out \nmine\n', false),
    '> one two\n>> deep\n> out\nmine\n'
  )
})

test('added spaces are removed, those of the text are kept', () => {
  assert.equal(
    joinFlowedLines(' From here\n  indented\n >no quote\n', false),
    'From here\n indented\n>no quote\n'
  )
})

test('a signature is never joined', () => {
  assert.equal(joinFlowedLines('end \n-- \nAda\n', false), 'end \n-- \nAda\n')
})

test('takes linear time', () => {
  const line = `${'>'.repeat(50)} x \n`
  assert.equal(joinFlowedLines(line.repeat(100_000), false).split('\n').length, 2)
})
