import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSchema, WHOLE_BOX } from './check.ts'
import { digestSchema } from './compile.ts'

test('no record matches a stored schema that would be rejected today', () => {
  const text = '{"$async":true,"required":["a"]}'
  const plan = checkSchema(1, { schemas: { [WHOLE_BOX]: digestSchema(text) } }, null, '{}', 0)
  plan.next()
  assert.throws(() => plan.next([{ text }]), {
    errors: [{ path: '', message: 'the schema must be replaced: $async is not supported' }]
  })
})
