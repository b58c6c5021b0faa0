import { test } from 'node:test'
import { assertSchemas } from '../../../../../test/support/assert-schemas.ts'
import { SCHEMAS } from './schemas.ts'

test('queries and bodies of all routes have JSON Schemas', () => {
  const all = Object.entries(SCHEMAS).flatMap(([name, { query: properties = {}, body = {} }]) => [
    [`query of ${name}`, { properties }] as const,
    [`body of ${name}`, body] as const
  ])
  assertSchemas(Object.fromEntries(all))
})
