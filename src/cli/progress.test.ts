import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { createProgress } from './progress.ts'

function record(isTTY: boolean): { stream: NodeJS.WriteStream; text: () => string } {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    }
  })
  return { stream: Object.assign(stream, { isTTY }) as NodeJS.WriteStream, text: () => text }
}

test('a pipe gets a line for every 10 %', () => {
  const { stream, text } = record(false)
  const progress = createProgress('Copying', stream)
  for (let done = 0; done <= 1_000; done += 50) progress.show(done, 1_000)
  progress.clear()
  const lines = text().split('\n')
  assert.equal(lines[0], 'Copying: 10 % (100 of 1000 rows)')
  assert.equal(lines.at(-2), 'Copying: 100 % (1000 of 1000 rows)')
  assert.equal(lines.length, 11)
})

test('a terminal gets a bar that ends full and is removed', () => {
  const { stream, text } = record(true)
  const progress = createProgress('Copying', stream)
  for (let done = 0; done <= 1_000; done += 50) progress.show(done, 1_000)
  progress.clear()
  assert.match(text(), /^\r?Copying ░{30} 0\/1000 rows/)
  assert.ok(text().endsWith(`\rCopying ${'█'.repeat(30)} 1000/1000 rows\r\u001b[K`))
  assert.ok(!text().includes('\n'))
})
