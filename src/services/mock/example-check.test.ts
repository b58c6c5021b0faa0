import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Finding } from '../../kernel/service.ts'
import { checkExamples } from './example-check.ts'
import { serveApi } from './served-api.ts'

/** Every operation has an example that is a string where the schema requires a number. */
function brokenApi(operations: number) {
  const broken = {
    200: {
      description: '',
      content: { 'application/json': { schema: { type: 'integer' }, example: 'x' } }
    }
  }
  const paths = Array.from({ length: operations }, (_, index) => [
    `/${index}`,
    { get: { responses: broken } }
  ])
  const document = { openapi: '3.1.0', paths: Object.fromEntries(paths) }
  return serveApi(document, 'document.json')
}

test('a small document is checked before startup completes', () => {
  const found: Finding[] = []
  checkExamples([brokenApi(15)], (finding) => found.push(finding))
  assert.equal(found.length, 15)
})

test('the rest of a large document is checked afterwards, each example once', async () => {
  const found: Finding[] = []
  checkExamples([brokenApi(500)], (finding) => found.push(finding))
  assert.ok(found.length < 500)
  for (let waited = 0; found.length < 500 && waited < 1200; waited++) await wait(50)
  assert.equal(found.length, 500)
  assert.equal(new Set(found.map(({ where }) => where)).size, 500)
})

test('a stopped check reports nothing more', async () => {
  const found: Finding[] = []
  const stop = checkExamples([brokenApi(500)], (finding) => found.push(finding))
  stop()
  const before = found.length
  await wait(400)
  assert.equal(found.length, before)
})
