/** Compares the estimate with the actual number of fields, for countries with the longest lists. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type OperationDefinitionNode, parse } from 'graphql'
import { readRecords } from '../world/folder.ts'
import { measureOperation } from './cost.ts'
import { createEngine } from './engine.ts'
import { countLists } from './list-sizes.ts'
import { createSchema } from './schema.ts'

const NO_LIMITS = { cost: 1e9, depth: 100, aliases: 100, tokens: 1000, batch: 1 }
const { run, world } = createEngine(readRecords(), {
  ...NO_LIMITS,
  report: (error) => assert.fail(error)
})
const schema = createSchema({})
const sizes = countLists(world)

async function countAnswered(query: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const body = Buffer.from(JSON.stringify({ query }))
  const outcome = await run({ method: 'POST', query: '', headers, body }, new Date())
  const { data, errors } = JSON.parse(outcome.body)
  assert.equal(errors, undefined)
  return countFields(data)
}

function countFields(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + countFields(one), 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum, one) => sum + 1 + countFields(one), 0)
}

function estimate(query: string): number {
  const [operation] = parse(query).definitions
  const fragment = () => undefined
  return measureOperation(operation as OperationDefinitionNode, { schema, sizes, fragment }).cost
}

const SELECTIONS = [
  'states { country { continent { countries { code name } } } }',
  'states { country { timezones { name utcOffset } } }',
  'states { country { languages { countries { code } } } }',
  'states { code name } subdivisions { code parent { name } }',
  'languages { countries { states { code } } }',
  'continent { countries { states { code } } }',
  'currencyInfo { countries { languages { code } } }'
]

describe('the estimate is not below the number of fields in the result', () => {
  for (const code of ['GB', 'RU', 'US', 'UG', 'SI']) {
    for (const selection of SELECTIONS) {
      for (const chosen of [
        `country(code: "${code}")`,
        `countries(first: 1, filter: { code: { eq: "${code}" } })`,
        `countries(filter: { code: { eq: "${code}" } })`
      ]) {
        const query = `{ ${chosen} { ${selection} } }`
        test(query, async () => {
          const [estimated, answered] = [estimate(query), await countAnswered(query)]
          assert.ok(estimated >= answered, `${estimated} for ${answered}`)
        })
      }
    }
  }
})
