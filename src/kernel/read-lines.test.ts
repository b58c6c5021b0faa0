import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLines } from './read-lines.ts'

async function check(chunks: string[], expected: (string | undefined)[], maxBytes = 100) {
  const found: (string | undefined)[] = []
  const numbers: number[] = []
  for await (const lines of readLines(toChunks(chunks), maxBytes)) {
    for (const { number, bytes } of lines) {
      numbers.push(number)
      found.push(bytes?.toString())
    }
  }
  assert.deepEqual(found, expected)
  assert.deepEqual(
    numbers,
    expected.map((_, index) => index + 1)
  )
}

async function* toChunks(chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

test('lines may end anywhere in a chunk, or span several', async () => {
  await check(['a\nb', 'c\n', '\n', 'd', 'e', 'f\ng\n'], ['a', 'bc', '', 'def', 'g'])
})

test('the last line needs no line break', async () => {
  await check(['a\nb'], ['a', 'b'])
  await check(['a\n'], ['a'])
  await check([], [])
  await check(['', ''], [])
})

test('a line that is too long has no bytes, and the next one is read', async () => {
  await check(
    ['1234', '5678', '\n12345\n123456\n', '1234567'],
    [undefined, '12345', undefined, undefined],
    5
  )
})
