/** What `nonet convert` prints, before a validator of another maker. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { parse } from 'yaml'
import { type ConvertOptions, convertDocument } from '../../src/host/mock-tools.ts'
import { allServices } from '../../src/host/service-registry.ts'
import { ROOT, temporaryFolder } from '../support/launcher.ts'

type Version = ConvertOptions['to']

interface Described {
  file: string
  /** What 3.0 cannot say, in lines. */
  lost?: number
  /** A mistake of the author, in the version that the document has anyway. */
  mistake?: { to: Version; found: RegExp }
}

const DOCUMENTS: readonly Described[] = [
  { file: '@netlify/open-api/dist/swagger.json' },
  { file: '@workos/openapi-spec/open-api-spec.yaml', lost: 14 },
  { file: '@neondatabase/api-client/public-v2-for-users.gen.yaml' },
  {
    file: '@blockfrost/openapi/openapi.yaml',
    // Null is no type in 3.0.
    mistake: { to: '3.0', found: /json_metadata\/anyOf\/6\/type/ }
  },
  { file: '@readme/oas-examples/3.0/json/star-trek.json' },
  { file: '@figma/rest-api-spec/openapi/openapi.yaml' },
  { file: '@readme/oas-examples/3.1/json/readme.json' },
  { file: '@scalar/galaxy/dist/latest.json', lost: 9 }
]

/** What 3.0 cannot say of the documents we publish: names of properties, several examples, webhooks. */
const LOST_OF_OUR_OWN: Readonly<Record<string, number>> = {
  reference: 1,
  forms: 1,
  garden: 1,
  mailbox: 5
}

/** It compiles the schema of each version once, which takes longer than most documents. */
const validator = new Validator()

async function convert(document: string, to: Version, bundle: boolean) {
  const { text, findings } = await convertDocument({
    document,
    to,
    bundle,
    overlay: [],
    patch: [],
    allowRemoteRefs: false,
    allowRefsOutside: false,
    file: undefined
  })
  const value = text.startsWith('{') ? JSON.parse(text) : parse(text, { logLevel: 'error' })
  const judged = await validator.validate(value)
  return { value, findings, ...judged }
}

for (const { file, lost = 0, mistake } of DOCUMENTS) {
  for (const to of ['3.0', '3.1'] as const) {
    test(`${file} to ${to}`, async (context) => {
      const document = join(import.meta.dirname, 'node_modules', file)
      const { value, findings, valid, errors } = await convert(document, to, true)
      context.diagnostic(`${file} to ${to}: ${findings.length} lost`)
      if (mistake?.to === to) assert.match(JSON.stringify(errors), mistake.found)
      else assert.ok(valid, JSON.stringify(errors))
      assert.match(value.openapi, new RegExp(`^${to}\\.`))
      assert.equal(findings.length, to === '3.0' ? lost : 0, JSON.stringify(findings))
    })
  }
}

describe('documents of our own', async () => {
  const published = await Promise.all(
    allServices.map(async ({ name, openapi }) => ({
      name,
      text: JSON.stringify(await openapi('http://localhost:4000'))
    }))
  )
  const garden = { name: 'garden', text: readFileSync(join(ROOT, 'data/mock/garden.yaml'), 'utf8') }
  for (const { name, text } of [garden, ...published]) {
    for (const to of ['3.0', '3.1'] as const) {
      test(`${name} to ${to}`, async () => {
        using folder = temporaryFolder()
        const document = join(folder.path, 'openapi')
        writeFileSync(document, text)
        const { findings, valid, errors } = await convert(document, to, false)
        assert.ok(valid, JSON.stringify(errors))
        const lost = to === '3.0' ? (LOST_OF_OUR_OWN[name] ?? 0) : 0
        assert.equal(findings.length, lost, JSON.stringify(findings))
      })
    }
  }
})
