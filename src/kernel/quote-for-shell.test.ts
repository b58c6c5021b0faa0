import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { quoteForShell } from './quote-for-shell.ts'

test('a shell reads every text as it was', () => {
  for (const text of [
    '/plants/1',
    '',
    "it's",
    'a b',
    '$HOME',
    '`id`',
    '\\',
    '"',
    'a=1&b=*',
    'é\n'
  ]) {
    const read = execFileSync('sh', ['-c', `printf %s ${quoteForShell(text)}`], {
      encoding: 'utf8'
    })
    assert.equal(read, text)
  }
})
