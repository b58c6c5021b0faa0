import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  registerSchema,
  setShouldValidateFormat,
  unregisterSchema,
  validate
} from '@hyperjump/json-schema/draft-2020-12'
import '@hyperjump/json-schema/formats'
import { createGenerator, type Generated } from '../../src/services/mock/generate/generator.ts'
import { createSchemas } from '../../src/services/mock/schema/schemas.ts'
import { EFFORT, scaled } from '../support/effort.ts'
import { createRandom } from '../support/random.ts'
import { type Case, createSchemaGenerator } from './mock-schemas.ts'

/** Each round has its own seed and its own time limit. */
const ROUNDS = EFFORT
const CASES_PER_ROUND = EFFORT > 1 ? 160 : 80
const CASES = ROUNDS * CASES_PER_ROUND
const SEEDS = ['one', 'two']
const ROOT = '#/components/schemas/Root'
const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const ADDRESS = 'https://nonet.example/case'

/** Every construct that must be in at least one case of twenty. */
const NAMED = [
  ...['type', 'required', 'optional', 'nested $ref', 'recursive $ref', 'allOf', 'oneOf', 'anyOf'],
  ...['discriminator', 'pattern', 'format', 'bounds', 'enum', 'const', 'prefixItems'],
  ...['additionalProperties', 'nullable']
]

setShouldValidateFormat(true)

/** The second opinion: another author's validator, which does not know `discriminator`. */
async function openOracle({ document }: Case) {
  registerSchema({ ...document, $ref: ROOT } as never, ADDRESS, DIALECT)
  const check = await validate(ADDRESS)
  return {
    isValid: (value: unknown) => check(value as never).valid,
    [Symbol.dispose]: () => unregisterSchema(ADDRESS)
  }
}

const shares = new Map<string, number>()
const counts = { satisfiable: 0, wild: 0, wildFound: 0, bodies: 0 }

for (let round = 1; round <= ROUNDS; round += 1) {
  test(`round ${round}: bodies are valid by another validator`, async () => {
    const next = createSchemaGenerator(createRandom(round))
    const missed: string[] = []
    const wrong: string[] = []
    for (let number = 0; number < CASES_PER_ROUND; number += 1) {
      const one = next()
      const story = `${number}: ${JSON.stringify(one)}`
      for (const name of one.constructs) shares.set(name, (shares.get(name) ?? 0) + 1)
      using oracle = await openOracle(one)
      if (one.witness !== undefined) {
        assert.ok(oracle.isValid(one.witness.value), `the drawn case is wrong: ${story}`)
      }
      const made = makeBodies(one, story)
      counts[one.witness === undefined ? 'wild' : 'satisfiable'] += 1
      if (one.witness === undefined && made.some(({ ok }) => ok)) counts.wildFound += 1
      for (const body of made) {
        if (!body.ok && one.witness !== undefined) missed.push(`${body.reason} ${story}`)
        if (!body.ok) continue
        counts.bodies += 1
        if (!oracle.isValid(body.value)) wrong.push(`${JSON.stringify(body.value)} ${story}`)
      }
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(missed, [])
  })
}

function makeBodies({ document }: Case, story: string): Generated[] {
  const schemas = createSchemas(document)
  const generator = createGenerator(schemas)
  const made = [
    generator.sample(ROOT, 'response'),
    ...SEEDS.map((seed) => generator.random(ROOT, 'response', seed))
  ]
  assert.deepEqual(schemas.problems(), [], story)
  return made
}

test('every construct is in at least one case of twenty', (context) => {
  for (const [name, count] of shares) {
    context.diagnostic(`${name}: ${((100 * count) / CASES).toFixed(1)} %`)
  }
  context.diagnostic(
    `${CASES} schemas, ${counts.satisfiable} with a known value, of ${counts.wild} others ` +
      `${counts.wildFound} with one, ${counts.bodies} bodies`
  )
  for (const name of NAMED) {
    assert.ok((shares.get(name) ?? 0) >= CASES / 20, `${name} is rarer than one in twenty`)
  }
})

test('the same seed gives the same bytes, another seed another body', () => {
  const next = createSchemaGenerator(createRandom(7))
  let different = 0
  const cases = scaled(30, 60)
  for (let number = 0; number < cases; number += 1) {
    const { document } = next()
    const bytes = (seed: string) =>
      JSON.stringify(createGenerator(createSchemas(document)).random(ROOT, 'response', seed))
    assert.equal(bytes('a seed'), bytes('a seed'))
    if (bytes('a seed') !== bytes('other')) different += 1
  }
  assert.ok(different > 0.3 * cases, `${different} differ`)
})
