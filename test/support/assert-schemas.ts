import assert from 'node:assert/strict'
import { createAjv } from '../../src/kernel/ajv.ts'

/** Fails unless all are JSON Schemas: those of our own are not checked when they are compiled. */
export function assertSchemas(schemas: Readonly<Record<string, object>>): void {
  assert.ok(Object.keys(schemas).length > 0)
  const ajv = createAjv((source) => new RegExp(source, 'u'), {})
  for (const [name, schema] of Object.entries(schemas)) {
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`)
  }
}
