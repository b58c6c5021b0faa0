/** What is called valid without compiling its schema is valid for the compiled validator too. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGenerator } from '../../src/services/mock/generate/generator.ts'
import { createSchemas } from '../../src/services/mock/schema/schemas.ts'
import { scaled } from '../support/effort.ts'
import { createRandom } from '../support/random.ts'
import { createSchemaGenerator } from './mock-schemas.ts'

const CASES = scaled(40, 75)
const ROOT = '#/components/schemas/Root'
const STRANGERS = [null, true, 0, -1.5, 7, '', 'text', '2026-01-01', [], [1, 1], {}, { a: {} }]

test('a quick look and the compiled validator agree', () => {
  const next = createSchemaGenerator(createRandom(77))
  const seen = { valid: 0, invalid: 0, unsure: 0 }
  for (let number = 0; number < CASES; number++) {
    const { document, witness } = next()
    const schemas = createSchemas(document)
    const generator = createGenerator(schemas)
    schemas.checkAll([{ pointer: ROOT, side: 'response' }])
    const found = schemas.find(ROOT, 'response')
    if (!found.ok) continue
    found.compiled.compile()
    const sample = generator.sample(ROOT, 'response')
    const values = [
      ...STRANGERS,
      ...(witness === undefined ? [] : [witness.value]),
      ...(sample.ok ? [sample.value, ...bend(sample.value)] : [])
    ]
    for (const value of values) {
      const quick = generator.isSurelyValid(ROOT, 'response', value)
      const valid = found.compiled.validate(value).length === 0
      const story = `${JSON.stringify(value)} by ${JSON.stringify(document)}`
      assert.ok(valid || !quick, story)
      seen[quick ? 'valid' : valid ? 'unsure' : 'invalid'] += 1
    }
  }
  assert.ok(seen.valid > CASES && seen.invalid > CASES, JSON.stringify(seen))
})

/** Each member once gone and once of another type. */
function bend(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.map((_, index) => value.toSpliced(index, 1, null))
  if (typeof value !== 'object' || value === null) return [[value]]
  return Object.keys(value).flatMap((name) => {
    const { [name]: _, ...rest } = value as Record<string, unknown>
    return [rest, { ...value, [name]: { strange: true } }]
  })
}
