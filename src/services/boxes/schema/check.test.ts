import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSchema, WHOLE_BOX } from './check.ts'
import { digestSchema } from './compile.ts'

test('no record matches a stored schema that would be rejected today', () => {
  const text = '{"$async":true,"required":["a"]}'
  const transaction = checkSchema(
    1,
    { schemas: { [WHOLE_BOX]: digestSchema(text) } },
    null,
    '{}',
    0
  )
  transaction.next()
  assert.throws(() => transaction.next([{ text }]), {
    errors: [{ path: '', message: 'the schema must be replaced: $async is not supported' }]
  })
})
