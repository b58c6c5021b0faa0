import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TYPES } from './contract.ts'
import { describeApi } from './openapi.ts'

const document = JSON.parse(JSON.stringify(describeApi('https://people.example')))

function operation(path: string) {
  return document.paths[path].get
}

function parameterNames(path: string): string[] {
  return operation(path).parameters.map(({ name }: { name: string }) => name)
}

test('the document has a title, its URL and every path', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.deepEqual(Object.keys(document.info), ['title', 'version', 'description', 'license'])
  assert.deepEqual(document.info.license, { name: 'MIT', identifier: 'MIT' })
  assert.deepEqual(document.servers, [{ url: 'https://people.example' }])
  assert.deepEqual(Object.keys(document.paths), [
    '/api/',
    '/api/all.json',
    ...TYPES.flatMap((type) => [
      `/api/${type}/`,
      `/api/${type}/{id}/`,
      `/api/${type}/schema`,
      `/api/${type}/{id}/image.svg`
    ])
  ])
})

test('every reference resolves, and every operation has its own name', () => {
  const text = JSON.stringify(document)
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    assert.ok(name in document.components.schemas, name)
  }
  const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
  assert.equal(ids.length, Object.keys(document.paths).length)
  assert.equal(new Set(ids).size, ids.length)
})

test('every field, parameter and response is described', () => {
  for (const type of ['People', 'Planet', 'Film', 'Species', 'Vehicle', 'Starship']) {
    const schema = document.components.schemas[type]
    assert.deepEqual(schema.required, Object.keys(schema.properties))
    for (const [name, field] of Object.entries<{ description: string }>(schema.properties)) {
      assert.match(field.description, /^[A-Z].*\.$/, name)
    }
  }
  for (const path of Object.keys(document.paths)) {
    const { summary, parameters, responses } = operation(path)
    assert.match(summary, /\.$/)
    for (const { name, in: where, required, description, schema } of parameters) {
      assert.ok(schema, name)
      assert.equal(required ?? false, where === 'path', name)
      if (!path.endsWith('image.svg')) assert.match(description, /\w/, name)
    }
    for (const { description } of Object.values<{ description: string }>(responses)) {
      assert.match(description, /\.$/)
    }
  }
})

const VIEW = ['fields', 'expand', 'include', 'units', 'format']

test('parameters of lists and records', () => {
  assert.deepEqual(parameterNames('/api/people/{id}/'), ['id', ...VIEW])
  assert.deepEqual(parameterNames('/api/films/'), [
    ...['page', 'page_size', 'search', 'ordering', ...VIEW],
    ...['title', 'episode_id', 'opening_crawl', 'director', 'producer', 'release_date'],
    ...['characters', 'planets', 'starships', 'vehicles', 'species', 'created', 'edited']
  ])
  const [, size, search] = operation('/api/vehicles/').parameters
  assert.deepEqual(size.schema, { type: 'integer', minimum: 1, maximum: 500, default: 10 })
  assert.equal(search.description, 'Words that must occur in name or model.')
  const [id] = operation('/api/people/{id}/').parameters
  assert.match('1,22', new RegExp(id.schema.pattern))
  assert.doesNotMatch('0', new RegExp(id.schema.pattern))
  const homeworld = operation('/api/people/').parameters.at(-7)
  assert.equal(homeworld.description, 'Id: Planet of birth.')
})

test('responses of a list, a record, an image and an error', () => {
  const json = (path: string, status = 200) =>
    operation(path).responses[status].content['application/json'].schema
  assert.deepEqual(Object.keys(operation('/api/people/').responses), ['200', '304', '400', '404'])
  assert.deepEqual(Object.keys(operation('/api/').responses), ['200', '304'])
  const [page, other] = json('/api/people/').anyOf
  assert.equal(page.type, 'object')
  assert.deepEqual(page.required, ['count', 'next', 'previous', 'results'])
  assert.deepEqual(page.properties.next, { type: ['string', 'null'], format: 'uri' })
  const whole = { $ref: '#/components/schemas/People' }
  const person = { anyOf: [whole, { $ref: '#/components/schemas/PeopleView' }] }
  const several = { type: 'array', items: person }
  const translated = { $ref: '#/components/schemas/Translated' }
  assert.deepEqual(page.properties.results, several)
  assert.deepEqual(other, translated)
  assert.deepEqual(json('/api/people/{id}/'), { anyOf: [person, several, translated] })
  assert.deepEqual(json('/api/people/{id}/', 404), { $ref: '#/components/schemas/Failure' })
  assert.equal(operation('/api/people/{id}/').responses[400].description, 'A parameter is invalid.')
  assert.deepEqual(document.components.schemas.Failure, {
    type: 'object',
    properties: { detail: { type: 'string' } },
    required: ['detail']
  })
  const image = operation('/api/people/{id}/image.svg')
  assert.deepEqual(Object.keys(image.responses[200].content), ['image/svg+xml'])
  assert.deepEqual(image.parameters, [
    { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
  ])
})

test('the root and everything name the six types', () => {
  const { Root, Everything } = document.components.schemas
  assert.deepEqual(Root.required, [...TYPES])
  assert.deepEqual([Root.type, Everything.type], ['object', 'object'])
  for (const { description } of Object.values<{ description: string }>(Root.properties)) {
    assert.match(description, /^A .*\.$/)
  }
  assert.deepEqual(Root.properties.films, { type: 'string', format: 'uri', description: 'A film.' })
  assert.deepEqual(Everything.properties.films, {
    type: 'array',
    items: { $ref: '#/components/schemas/Film' }
  })
  assert.deepEqual(operation('/api/').responses[200].content['application/json'].schema, {
    $ref: '#/components/schemas/Root'
  })
})

test('the schema URL returns a schema', () => {
  const { content } = operation('/api/people/schema').responses[200]
  const [example] = content['application/json'].schema.examples
  assert.equal(example.title, 'People')
  assert.equal(example.$schema, undefined)
})
