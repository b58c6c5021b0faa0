import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { scratchFolder } from '../../../test/support/scratch-folder.ts'
import { createWatch } from './watch.ts'

test('a reload that fails is reported, and the next change is seen', {
  timeout: 30_000
}, async () => {
  const path = join(scratchFolder(), 'document.yaml')
  writeFileSync(path, 'a')
  const first = Promise.withResolvers<unknown>()
  const second = Promise.withResolvers<void>()
  let changes = 0
  const watch = createWatch(async () => {
    changes += 1
    if (changes === 1) throw new Error('on purpose')
    second.resolve()
  }, first.resolve)
  // The timer of the watch does not keep the process alive.
  const alive = setInterval(() => {}, 1000)
  try {
    await watch.follow([pathToFileURL(path).href, 'file://elsewhere/a', 'https://example.org/a'])
    writeFileSync(path, 'ab')
    assert.match(String(await first.promise), /on purpose/)
    writeFileSync(path, 'abc')
    await second.promise
  } finally {
    clearInterval(alive)
    watch.stop()
  }
})
