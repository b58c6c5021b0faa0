import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JsonSequence, WrittenJson, writeJson } from './write-json.ts'

async function textOf(value: unknown): Promise<string> {
  return (await writeJson(value)).toString()
}

test('the same bytes as JSON.stringify', async () => {
  const values = [
    ...[null, true, 0, 'é "\u2028', [], {}, [undefined, 1], { a: undefined, b: [undefined] }],
    ...[[[1], { a: [2] }], { a: [1, { b: 'c' }], 'd "': {}, e: null }],
    Array.from({ length: 5000 }, (_, index) => ({ text: '€'.repeat(50), index }))
  ]
  for (const value of values) assert.equal(await textOf(value), JSON.stringify(value))
})

test('sequences are arrays, and written parts stay as they are', async () => {
  const sequence = new JsonSequence(3, (index) => ({ index }))
  const array = '[{"index":0},{"index":1},{"index":2}]'
  assert.equal(await textOf(sequence), array)
  assert.equal(await textOf({ cards: sequence, n: 1 }), `{"cards":${array},"n":1}`)
  const written = new WrittenJson(Buffer.from('{"a":1}'))
  assert.equal(await textOf([written, 2, written]), '[{"a":1},2,{"a":1}]')
  assert.equal(await textOf(new JsonSequence(0, () => assert.fail())), '[]')
})

test('other work is done between the elements', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const slow = new JsonSequence(20, (index) => {
    const end = performance.now() + 5
    while (performance.now() < end);
    return index
  })
  await writeJson(slow)
  clearInterval(timer)
  assert.ok(turns >= 3, `${turns}`)
})
