/** What `--check` and the start say about documents, rules and hooks before the first request. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { mock } from '../../src/host/mock.ts'
import { checkDocuments, checkHooks, checkTransforms } from '../../src/services/mock/check.ts'
import { documentOf } from '../support/mock-rows.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder()

function write(name: string, content: object | string): string {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const PLAIN = {
  overlay: [],
  patch: [],
  allowRemoteRefs: false,
  allowRefsOutside: false
}

/** `level: pointer: text` of each finding of `--check` about documents. */
async function checked(document: string): Promise<string[]> {
  const checks = await checkDocuments({ ...PLAIN, documents: [document] })
  return checks.flatMap(({ findings }) => findings.map(toLine))
}

function toLine({ level, where, text }: { level: string; where: string; text: string }): string {
  return `${level}: ${where.slice(where.indexOf('#'))}: ${text}`
}

/** The same of a mock that has started. */
async function told(document: string): Promise<string[]> {
  await using api = await mock(document)
  const { findings } = (await (await fetch(`${api.url}/__nonet/reload`)).json()) as {
    findings: { level: string; where: string; text: string }[]
  }
  return findings.map(toLine)
}

function answering(content: object): object {
  return { get: { responses: { '200': { description: '', content } } } }
}

describe('x-faker that has no effect', () => {
  const properties = {
    good: { type: 'string', 'x-faker': 'person.firstName' },
    bad: { type: 'string', 'x-faker': 'person.nickname' },
    'x-faker': { type: 'string', 'x-faker': { 'a.b': 1, 'c.d': 2 } }
  }
  const schema = { type: 'object', properties, example: { 'x-faker': 'not one' } }
  const file = write(
    'faker.json',
    documentOf(
      { '/a': answering({ 'application/json': { schema: { $ref: '#/components/schemas/A' } } }) },
      { components: { schemas: { A: schema } }, 'x-json-schema-faker': { 'min-itms': 2 } }
    )
  )
  const expected = [
    'warning: #/x-json-schema-faker/min-itms: is not an option of random bodies and is ignored',
    'warning: #/components/schemas/A/properties/bad/x-faker: is ignored: Faker has no method person.nickname',
    'warning: #/components/schemas/A/properties/x-faker/x-faker: is ignored: must be the name of a method, such as person.firstName, or an object with one such name'
  ]
  test('is a finding of --check', async () => assert.deepEqual(await checked(file), expected))
  test('is a warning at the start', async () => assert.deepEqual(await told(file), expected))
})

describe('--check loads the hooks', () => {
  const rows: [proves: string, hooks: string, text: RegExp | undefined][] = [
    ['that are fine', write('fine.mjs', 'export function onRequest() {}\n'), undefined],
    ['that throw', write('throw.mjs', "\nthrow new Error('no')\n"), /: no \(.*throw\.mjs:2:7\)$/],
    ['with a syntax error', write('torn.mjs', 'export function ('), /cannot be loaded: /],
    ['without a hook', write('other.mjs', 'export const a = 1\n'), /exports no hook; known hooks/],
    ['that are a folder', folder, /is a folder, not a file$/]
  ]
  for (const [proves, hooks, text] of rows) {
    test(proves, async () => {
      const [checked] = await checkHooks({ hooks })
      assert.equal(checked?.document, hooks)
      assert.equal(checked?.findings.length, text === undefined ? 0 : 1)
      if (text !== undefined) assert.match(checked?.findings[0]?.text ?? '', text)
    })
  }
})

const PET = { type: 'object', properties: { name: { type: 'string' }, tags: { type: 'array' } } }
const petContent = { 'application/json': { schema: PET } }
const petPath = {
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  get: {
    operationId: 'getPet',
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer' } },
      { name: 'where', in: 'query', style: 'deepObject', schema: { type: 'object' } },
      { name: 'spread', in: 'query', schema: { type: 'object', properties: { x: {} } } }
    ],
    responses: { '200': { description: '', content: petContent } }
  },
  put: {
    operationId: 'putPet',
    requestBody: { content: petContent },
    responses: {
      '200': { description: '', content: petContent, headers: { 'X-A': { schema: {} } } }
    },
    callbacks: {
      good: {
        '{$request.body#/name}?{$request.path.id}{$response.header.x-a}{$response.body#/tags}': {
          post: { responses: { '200': { description: '' } } }
        }
      },
      bad: {
        'http://a/{$request.body#/nmae}/{$request.path.pet}/{$uuid}/{$request.url}': {
          post: { responses: { '200': { description: '' } } }
        }
      }
    }
  }
}
const pets = write('pets.json', documentOf({ '/pets/{id}': petPath }))

describe('--check says which expressions and paths name nothing', () => {
  async function findingsOf(rule: object): Promise<string[]> {
    const transform = [write('rules.json', { rules: [rule] })]
    const options = { ...PLAIN, documents: [pets], transform, upstream: undefined, state: false }
    const [checked] = await checkTransforms({
      ...options,
      seedData: undefined,
      ignoreExamples: false
    })
    return (checked?.findings ?? []).map(toLine)
  }
  const get = { match: { operationId: 'getPet' } }
  const put = { match: { operationId: 'putPet' } }
  const showing = (text: string) => ({ do: [{ setHeader: { 'x-a': text } }] })
  const patching = (operation: object) => ({ do: [{ patch: [operation] }] })
  const AT = '#/rules/0/do/0/setHeader/x-a'
  const PATCHED = '#/rules/0/do/0/patch/0/path'
  const rows: [proves: string, rule: object, expected: string[]][] = [
    [
      'names that the operation has',
      {
        ...get,
        ...showing(
          '{$request.path.ID}{$request.query.limit}{$request.query.where[a]}{$request.query.x}{$request.query.__seed}'
        )
      },
      []
    ],
    [
      'a path parameter',
      { ...get, ...showing('{$request.path.pet}') },
      [`warning: ${AT}: $request.path.pet is empty: {pet} is in no path that this applies to`]
    ],
    [
      'a query parameter, also in a condition',
      { ...get, when: { '$request.query.limt': 1 }, ...showing('b') },
      [
        'warning: #/rules/0/when: $request.query.limt is a query parameter of no operation that this applies to'
      ]
    ],
    [
      'the body of a request that has none',
      { ...get, ...showing('{$request.body#/name}') },
      [
        `warning: ${AT}: $request.body is empty: no operation that this applies to has a request body`
      ]
    ],
    ['the same where one of the operations has it', showing('{$request.body#/name}'), []],
    [
      'a value that a patch adds',
      { ...get, ...patching({ op: 'add', path: '/nmae', value: 1 }) },
      [`warning: ${PATCHED}: The schema of the body does not define /nmae`]
    ],
    [
      'a value that a patch adds to a request',
      { ...put, phase: 'request', ...patching({ op: 'add', path: '/nmae', value: 1 }) },
      [`warning: ${PATCHED}: The schema of the body does not define /nmae`]
    ],
    [
      'values that are there',
      { ...put, phase: 'request', ...patching({ op: 'add', path: '/tags/-', value: 1 }) },
      []
    ]
  ]
  for (const [proves, rule, expected] of rows) {
    test(proves, async () => assert.deepEqual(await findingsOf(rule), expected))
  }

  test('in the URL of a callback', async () => {
    const found = await checked(pets)
    const where = '#/paths/~1pets~1{id}/put/callbacks/bad/'
    assert.ok(
      found.every((line) => line.startsWith(`warning: ${where}`)),
      found.join('\n')
    )
    assert.deepEqual(
      found.map((line) => line.slice(line.lastIndexOf('}: ') + '}: '.length)),
      [
        'No schema of the request body defines /nmae',
        '$request.path.pet is empty: {pet} is in no path that this applies to',
        '$uuid is for rules only and is left empty',
        '$request.url is not a known expression and is left empty'
      ]
    )
  })
})
