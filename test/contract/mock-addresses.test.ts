/** The URL that is shown for an operation leads to it, whatever the style of its parameters. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mock } from '../../src/host/mock.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder()

const TEXTS = { type: 'array', items: { type: 'string' } }
const MANY = { ...TEXTS, example: ['a b', 'c,d', 'e.f'] }
const NUMBERS = { type: 'array', items: { type: 'integer' }, minItems: 2 }
const POINT = {
  type: 'object',
  required: ['x', 'y'],
  properties: { x: { type: 'integer' }, y: { type: 'string', example: 'a;b,c.d=e' } }
}
const FLAT = { type: 'object', required: ['x'], properties: { x: { type: 'integer' } } }
const DEEP = {
  type: 'object',
  required: ['size', 'tags'],
  properties: {
    size: { ...FLAT, properties: { x: { type: 'integer' }, 'a b': { type: 'boolean' } } },
    tags: TEXTS,
    parts: { type: 'array', items: FLAT }
  }
}
const NESTED = { type: 'object', properties: { name: { type: 'string' }, inner: FLAT } }
const NESTED_REQUIRED = { ...NESTED, required: ['inner'] }

const inQuery = (schema: object, more: object = {}) => ({
  parameters: [{ name: 'the value', in: 'query', required: true, schema, ...more }]
})
const inPath = (schema: object, more: object = {}) => ({
  parameters: [{ name: 'value', in: 'path', required: true, schema, ...more }]
})

/** Operations by their paths; each returns its path. */
const operations: Record<string, object> = {}
for (const explode of [true, false]) {
  for (const [name, schema] of Object.entries({ MANY, NUMBERS, POINT })) {
    const path = `/${name.toLowerCase()}-${explode ? 'exploded' : 'plain'}`
    for (const style of ['form', 'spaceDelimited', 'pipeDelimited']) {
      operations[`${path}/${style}`] = inQuery(schema, { style, explode })
    }
    for (const style of ['simple', 'label', 'matrix']) {
      operations[`${path}/${style}/{value}`] = inPath(schema, { style, explode })
      operations[`${path}/${style}/text{value}`] = inPath(schema, { style, explode })
    }
  }
  for (const style of ['label', 'matrix', 'simple']) {
    const path = `/one-${explode ? 'exploded' : 'plain'}/${style}/{value}`
    operations[path] = inPath({ type: 'string', enum: ['a/b?c#d %'] }, { style, explode })
  }
}
Object.assign(operations, {
  '/deep': inQuery(DEEP, { style: 'deepObject', explode: true }),
  '/deep-list': inQuery(TEXTS, { style: 'deepObject', explode: true }),
  '/nested': inQuery(NESTED),
  '/nested-required': inQuery(NESTED_REQUIRED),
  '/nested-plain': inQuery(NESTED, { explode: false }),
  '/open': inQuery({ type: 'object', additionalProperties: { type: 'string' } }),
  '/no-items': inQuery({ type: 'array' }),
  '/empty': inQuery({ type: 'string', example: '' }),
  '/null': inQuery({ type: ['null', 'integer'] }),
  '/zero': inQuery({ type: 'integer', minimum: 0 }),
  '/large': inQuery({ type: 'number', enum: [1e21] }),
  '/wrong-example': inQuery({ type: 'integer' }, { example: 'many' }),
  '/text-example': inQuery({ type: 'integer' }, { example: '7' }),
  '/list-example': inQuery(
    { ...TEXTS, items: { enum: ['a', 'b'] } },
    { example: 'a,c', explode: false }
  ),
  '/second-example': inQuery(
    { type: 'integer', maximum: 9 },
    { examples: { one: { value: 10 }, other: { value: 9 } } }
  ),
  '/json': {
    parameters: [
      { name: 'q', in: 'query', required: true, content: { 'application/json': { schema: POINT } } }
    ]
  },
  '/plain-text': {
    parameters: [
      {
        name: 'q',
        in: 'query',
        required: true,
        content: { 'text/plain': { schema: { enum: ['a&b'] } } }
      }
    ]
  },
  '/json-path/{q}': {
    parameters: [
      { name: 'q', in: 'path', required: true, content: { 'application/json': { schema: POINT } } }
    ]
  },
  '/not declared/{anything}': {},
  '/signs #1/50%/ü/[a]/a%2Fb/(x)*': {},
  '/#hash': {},
  '/#hash={value}': inPath({ enum: ['a#b'] }),
  '/users/{value}': inPath({ type: 'string' }),
  '/users/{value}:activate': inPath({ type: 'string' }),
  '/query?kind=a b&part={the value}': inQuery({ enum: ['x&y'] }),
  '/query-and-more?kind=a': inQuery({ type: 'integer' }),
  'no-slash': {}
})

function responsesFor(path: string) {
  const content = { 'application/json': { example: path } }
  return { 200: { description: '', content } }
}

function writeDocument(name: string, document: object): string {
  const file = join(folder, name)
  const info = { title: name, version: '1' }
  writeFileSync(file, JSON.stringify({ info, ...document }))
  return file
}

async function checkAddresses(documents: string[], settings: object = {}): Promise<number> {
  await using api = await mock(documents, settings)
  const shown = await fetch(`${api.url}/__nonet/operations`)
  const body = (await shown.json()) as { operations: { path: string; url: string }[] }
  assert.deepEqual(body.operations, api.operations)
  for (const { path, url } of body.operations) {
    assert.match(url, /^[\w.~:/?#%&=,;@$+-]+$/, `${url} has signs that a client may change`)
    const response = await fetch(url)
    const text = await response.text()
    assert.deepEqual([url, response.status, text], [url, 200, JSON.stringify(path)])
    assert.equal(response.headers.get('sl-violations'), null, url)
  }
  return body.operations.length
}

test('the URL of every operation leads to it, in all styles', async () => {
  const paths = Object.entries(operations).map(([path, get]) => {
    return [path, { get: { ...get, responses: responsesFor(path) } }]
  })
  const document = { openapi: '3.1.0', paths: Object.fromEntries(paths) }
  const count = await checkAddresses([writeDocument('all-styles.json', document)])
  assert.equal(count, paths.length)
})

test('the URL of every operation of an older document leads to it', async () => {
  const formats = ['csv', 'ssv', 'tsv', 'pipes', 'multi'].flatMap((collectionFormat) => {
    const list = { required: true, type: 'array', items: { type: 'integer' }, minItems: 2 }
    const field = { ...list, name: 'q', in: 'query', collectionFormat }
    if (collectionFormat === 'multi') return [[`/${collectionFormat}`, [field]]] as const
    return [
      [`/${collectionFormat}`, [field]],
      [`/${collectionFormat}/{q}`, [{ ...field, in: 'path' }]]
    ] as const
  })
  const paths = formats.map(([path, parameters]) => {
    const responses = { 200: { description: '', examples: { 'application/json': path } } }
    return [path, { get: { produces: ['application/json'], parameters, responses } }]
  })
  const document = { swagger: '2.0', basePath: '/v 1', paths: Object.fromEntries(paths) }
  const file = writeDocument('older.json', document)
  assert.equal(await checkAddresses([file]), paths.length)
  await checkAddresses([file], { basePath: 'only' })
  await checkAddresses([file], { basePath: '/a:b/ü' })
  await checkAddresses([`two-words=${file}`])
})
