import { test } from 'node:test'
import { assertSchemas } from '../../../../../test/support/assert-schemas.ts'
import { SCHEMAS } from './schemas.ts'

test('requests of the import have JSON Schemas', () => {
  assertSchemas(SCHEMAS)
})
