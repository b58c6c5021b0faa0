import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTextLines, type TextLine } from './text-lines.ts'

async function read(bytes: Buffer, size: number): Promise<TextLine[]> {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let start = 0; start < bytes.length; start += size)
      yield bytes.subarray(start, start + size)
  }
  const lines: TextLine[] = []
  const fail = (number: number, problem: string) => new Error(`${number}: ${problem}`)
  for await (const line of readTextLines(chunks(), fail)) lines.push(line)
  return lines
}

test('lines are the same in chunks of any size', async () => {
  const text = 'one\n\n😀 three\u2028still\u0085\r\nlast'
  const expected = await read(Buffer.from(text), 1_000)
  assert.deepEqual(
    expected.map((line) => line.text),
    ['one', '', '😀 three\u2028still\u0085\r', 'last']
  )
  assert.deepEqual(
    expected.map(({ number, end }) => [number, end]),
    [
      [1, 4],
      [2, 5],
      [3, 27],
      [4, 32]
    ]
  )
  for (let size = 1; size < 12; size++) {
    const lines = await read(Buffer.from(text), size)
    assert.deepEqual(
      lines.map((line) => line.text),
      expected.map((line) => line.text)
    )
  }
})

test('a line that is not UTF-8 or too long', async () => {
  await assert.rejects(read(Buffer.from('a\n\xff\n', 'latin1'), 9), /2: it is not UTF-8/)
  const long = Buffer.alloc(9 * 1024 * 1024, 0x61)
  await assert.rejects(read(long, 64 * 1024), /1: it is longer than 8388608 bytes/)
})
