import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAtMost } from './byte-limit.ts'

async function check(chunks: readonly string[], limit: number, text: string, cancelled: boolean) {
  let wasCancelled = false
  const left = chunks.map((chunk) => new TextEncoder().encode(chunk))
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = left.shift()
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
    cancel() {
      wasCancelled = true
    }
  })
  assert.equal(new TextDecoder().decode(await readAtMost(stream, limit)), text)
  assert.equal(wasCancelled, cancelled)
}

test('a stream within the limit is read to its end', async () => {
  await check(['ab', 'cd', 'e'], 5, 'abcde', false)
  await check([], 5, '', false)
})

test('a stream over the limit is cancelled, and the result is longer than the limit', async () => {
  await check(['ab', 'cd', 'e', 'f'], 3, 'abcd', true)
})

test('a stream at the limit is read further', async () => {
  await check(['ab', 'cd'], 2, 'abcd', true)
})

test('a missing stream has no bytes', async () => {
  assert.deepEqual(await readAtMost(null, 5), new Uint8Array())
})
