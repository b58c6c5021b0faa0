/** API descriptions of other makers, as large as they come: each loads, each operation answers. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import {
  registerSchema,
  setShouldValidateFormat,
  unregisterSchema,
  validate
} from '@hyperjump/json-schema/draft-2020-12'
import { createOutbound } from '../../src/kernel/outbound.ts'
import { findMistakes } from '../../src/services/mock/author-mistakes.ts'
import { schemaFindings } from '../../src/services/mock/check.ts'
import { loadDocument } from '../../src/services/mock/document/load.ts'
import { createReadText } from '../../src/services/mock/document/read-text.ts'
import type { Exchange } from '../../src/services/mock/engine/exchange.ts'
import type { Operation } from '../../src/services/mock/model/api.ts'
import { findInvalidExamples } from '../../src/services/mock/response/own-examples.ts'
import { type ServedApi, serveApi } from '../../src/services/mock/served-api.ts'
import { EFFORT } from '../support/effort.ts'
import { openServed } from '../support/mock-server.ts'
import { validRequest } from '../support/mock-valid-request.ts'
import { createRandom } from '../support/random.ts'

/** Operations of each document that are called unless all are. */
const SAMPLE = 6
const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

interface Described {
  file: string
  /** Of OpenAPI. */
  version: string
  operations: number
  invalidExamples: number
  /** Patterns that cannot be used and paths with a query; each is told at start. */
  findings?: number
  /** Operations whose schemas no value meets; the mock says so. */
  contradictory?: number
}

const DOCUMENTS: readonly Described[] = [
  {
    file: '@github/openapi/dist/api.github.com.json',
    version: '3.0',
    operations: 666,
    invalidExamples: 1
  },
  {
    file: '@okta/openapi/dist/spec.json',
    version: '2.0',
    operations: 340,
    invalidExamples: 0,
    findings: 3
  },
  {
    file: '@netlify/open-api/dist/swagger.json',
    version: '2.0',
    operations: 181,
    invalidExamples: 0
  },
  {
    file: '@workos/openapi-spec/open-api-spec.yaml',
    version: '3.1',
    operations: 170,
    invalidExamples: 0
  },
  {
    file: '@neondatabase/api-client/public-v2-for-users.gen.yaml',
    version: '3.0',
    operations: 163,
    invalidExamples: 1,
    findings: 4
  },
  { file: '@blockfrost/openapi/openapi.yaml', version: '3.0', operations: 129, invalidExamples: 4 },
  {
    file: '@readme/oas-examples/3.0/json/star-trek.json',
    version: '3.0',
    operations: 120,
    invalidExamples: 0
  },
  {
    file: 'shipengine-openapi/openapi.yaml',
    version: '3.0',
    operations: 76,
    invalidExamples: 6,
    contradictory: 37
  },
  {
    file: '@figma/rest-api-spec/openapi/openapi.yaml',
    version: '3.1',
    operations: 54,
    invalidExamples: 0
  },
  {
    file: '@readme/oas-examples/3.1/json/readme.json',
    version: '3.1',
    operations: 54,
    invalidExamples: 0
  },
  { file: '@scalar/galaxy/dist/latest.json', version: '3.1', operations: 10, invalidExamples: 0 }
]

async function load(file: string) {
  const started = performance.now()
  const address = pathToFileURL(join(import.meta.dirname, 'node_modules', file))
  await using outbound = closing(createOutbound({ loopback: true, allow: [] }))
  const readText = createReadText(address, {
    allowsRemote: false,
    allowsOutside: false,
    fetch: outbound.fetch
  })
  const loaded = await loadDocument(address, readText)
  const served = serveApi(loaded.document, file)
  const findings = [
    ...loaded.findings,
    ...findMistakes(served),
    ...schemaFindings(served, '', false)
  ]
  return { served, findings, ms: Math.round(performance.now() - started) }
}

function closing<T extends { close: () => Promise<void> }>(one: T): T & AsyncDisposable {
  return Object.assign(one, { [Symbol.asyncDispose]: () => one.close() })
}

/** The second opinion: another author's validator on the same document. */
function openOracle({ document }: ServedApi, file: string) {
  const address = `https://nonet.example/${file}`
  registerSchema(document as never, address, DIALECT)
  const known = new Map<string, ReturnType<typeof validate>>()
  return {
    async isValid(pointer: string, value: unknown): Promise<boolean> {
      const check = known.get(pointer) ?? validate(`${address}#${encodeURI(pointer)}`)
      known.set(pointer, check)
      return (await check)(value as never).valid
    },
    [Symbol.dispose]: () => unregisterSchema(address)
  }
}

/** The same ones in every run, or all. */
function chosen(operations: readonly Operation[]): readonly Operation[] {
  if (EFFORT >= 10) return operations
  const random = createRandom(operations.length)
  const drawn = new Set<Operation>()
  while (drawn.size < Math.min(SAMPLE, operations.length)) {
    const operation = operations[random.below(operations.length)]
    if (operation !== undefined) drawn.add(operation)
  }
  return [...drawn]
}

/** What the mock said about an answer of its own making, and where its schema is. */
function generatedBody({
  response,
  outgoing
}: Exchange): { pointer: string; value: unknown } | undefined {
  const type = String(outgoing.headers['content-type'] ?? '')
  const media = response?.contents.find((content) => sameType(content.type, type))
  if (media?.schema === undefined || !/[/+]json/.test(type)) return undefined
  return { pointer: media.schema, value: JSON.parse(Buffer.from(outgoing.body ?? '').toString()) }
}

function sameType(one: string, other: string): boolean {
  return one.split(';')[0]?.trim() === other.split(';')[0]?.trim()
}

setShouldValidateFormat(true)

describe('documents of other makers', () => {
  for (const { file, ...expected } of DOCUMENTS) {
    test(file, { timeout: 100_000 * EFFORT }, async (context) => {
      const { served, findings, ms } = await load(file)
      const invalid = [...findInvalidExamples(served)]
      await using mock = await openServed(served)
      using oracle = openOracle(served, file)
      const failures: string[] = []
      const contradictory = new Set<Operation>()
      let judged = 0
      const operations = chosen(served.api.operations)
      for (const operation of operations) {
        const { method } = operation
        const { path, headers, body, isMeant } = validRequest(served, operation)
        if (!isMeant) contradictory.add(operation)
        for (const prefer of ['dynamic=false', 'dynamic=true; seed=one']) {
          const sent = { method, headers: { ...headers, prefer }, body: body ?? null }
          const answer = await fetch(mock.url + path, { ...sent, redirect: 'manual' })
          await answer.arrayBuffer()
          const exchange = mock.exchanges.at(-1)
          assert.ok(exchange)
          const story = `${method} ${path} (${prefer})`
          if (exchange.problem?.code.startsWith('SCHEMA_')) contradictory.add(operation)
          else if (!isMeant && answer.status === 422) continue
          else if (exchange.problem !== undefined || answer.status >= 500) {
            failures.push(`${story}: ${answer.status} ${JSON.stringify(exchange.problem?.body)}`)
          } else if (prefer.startsWith('dynamic=true')) {
            const made = generatedBody(exchange)
            if (made === undefined) continue
            judged += 1
            if (!(await oracle.isValid(made.pointer, made.value))) {
              failures.push(`${story}: not valid by ${made.pointer}: ${JSON.stringify(made.value)}`)
            }
          }
        }
      }
      const row = { operations: served.api.operations.length, invalidExamples: invalid.length }
      const counts = `${operations.length} of ${row.operations} operations called`
      context.diagnostic(
        `${file}: OpenAPI ${expected.version}, ${counts}, loaded in ${ms} ms, ` +
          `${invalid.length} own examples invalid, ${judged} bodies judged, ` +
          `${contradictory.size} contradictory, ${failures.length} failures`
      )
      assert.deepEqual(mock.defects, [])
      assert.deepEqual(failures, [])
      if (expected.contradictory === undefined || operations === served.api.operations) {
        assert.equal(contradictory.size, expected.contradictory ?? 0)
      }
      assert.equal(findings.length, expected.findings ?? 0, JSON.stringify(findings))
      assert.deepEqual(row, {
        operations: expected.operations,
        invalidExamples: expected.invalidExamples
      })
    })
  }
})
