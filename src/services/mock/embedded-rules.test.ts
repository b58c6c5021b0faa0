import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from './document/json.ts'
import { hasEmbeddedRules } from './embedded-rules.ts'

const RULE = { 'x-nonet-transform': [] }

function rulesIn(members: JsonObject): boolean {
  return hasEmbeddedRules({ document: { openapi: '3.1.0', ...members } })
}

test('rules are found wherever a document may contain them', () => {
  assert.ok(rulesIn(RULE))
  assert.ok(rulesIn({ paths: { '/a': RULE } }))
  assert.ok(rulesIn({ paths: { '/a': {}, '/b': { get: RULE } } }))
  assert.ok(rulesIn({ paths: { '/a': { get: { responses: { 200: RULE } } } } }))
  assert.ok(rulesIn({ components: { responses: { Shared: RULE } } }))
})

test('a document without rules is recognised', () => {
  assert.ok(!rulesIn({}))
  assert.ok(!rulesIn({ paths: { '/a': { get: { responses: { 200: { content: RULE } } } } } }))
  assert.ok(!rulesIn({ paths: null, components: [] }))
})
