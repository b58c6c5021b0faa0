import { test } from 'node:test'
import { assertSchemas } from '../../../../test/support/assert-schemas.ts'
import { LINE_SCHEMAS, SCHEMAS } from './schemas.ts'

test('requests and lines of exported files have JSON Schemas', () => {
  assertSchemas(SCHEMAS)
  assertSchemas(LINE_SCHEMAS)
})
