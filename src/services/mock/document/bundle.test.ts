import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundle, type Files } from './bundle.ts'
import type { Json, JsonObject } from './json.ts'
import { findAt } from './pointer.ts'

const ROOT = 'file:///api/root.yaml'

function filesOf(files: Record<string, JsonObject>): Files {
  return new Map(Object.entries(files).map(([name, file]) => [new URL(name, ROOT).href, file]))
}

function withSchema(schema: Json, components: JsonObject = {}): JsonObject {
  return { openapi: '3.1.0', paths: {}, components: { schemas: { Own: schema }, ...components } }
}

function ownSchema(document: JsonObject): Json | undefined {
  return findAt(document, ['components', 'schemas', 'Own'])
}

test('a reference to a whole component is unchanged', () => {
  const root = withSchema({ $ref: '#/components/schemas/Own' })
  const { document, findings } = bundle(ROOT, filesOf({ 'root.yaml': root }))
  assert.deepEqual(document, root)
  assert.deepEqual(findings, [])
})

test('a part of another file becomes a component, and so do the parts that it refers to', () => {
  const { document, missing } = bundle(
    ROOT,
    filesOf({
      'root.yaml': withSchema({ $ref: 'parts/pet.yaml' }),
      'parts/pet.yaml': { properties: { tag: { $ref: 'tag.yaml#/Tag' } } },
      'parts/tag.yaml': { Tag: { type: 'string' } }
    })
  )
  assert.deepEqual(findAt(document, ['components', 'schemas']), {
    Own: { $ref: '#/components/schemas/pet' },
    pet: { properties: { tag: { $ref: '#/components/schemas/Tag' } } },
    Tag: { type: 'string' }
  })
  assert.deepEqual([...missing], [])
})

test('a missing file is named', () => {
  const { missing } = bundle(ROOT, filesOf({ 'root.yaml': withSchema({ $ref: './far.yaml#/A' }) }))
  assert.deepEqual([...missing], ['file:///api/far.yaml'])
})

test('files that refer to each other in a circle are bundled', () => {
  const { document, findings } = bundle(
    ROOT,
    filesOf({
      'root.yaml': withSchema({ $ref: 'a.yaml' }),
      'a.yaml': { properties: { b: { $ref: 'b.yaml' } } },
      'b.yaml': { properties: { a: { $ref: 'a.yaml' } } }
    })
  )
  assert.deepEqual(findAt(document, ['components', 'schemas', 'b']), {
    properties: { a: { $ref: '#/components/schemas/a' } }
  })
  assert.deepEqual(findings, [])
})

test('two parts of the same name do not collide', () => {
  const { document } = bundle(
    ROOT,
    filesOf({
      'root.yaml': withSchema({ anyOf: [{ $ref: 'a.yaml#/T' }, { $ref: 'b.yaml#/T' }] }),
      'a.yaml': { T: { type: 'string' } },
      'b.yaml': { T: { type: 'number' } }
    })
  )
  assert.deepEqual(ownSchema(document), {
    anyOf: [{ $ref: '#/components/schemas/T' }, { $ref: '#/components/schemas/T_2' }]
  })
  assert.deepEqual(findAt(document, ['components', 'schemas', 'T_2']), { type: 'number' })
})

test('a pointer into a component gets a separate component', () => {
  const { document } = bundle(
    ROOT,
    filesOf({
      'root.yaml': withSchema({
        properties: { a: { type: 'string' }, b: { $ref: '#/components/schemas/Own/properties/a' } }
      })
    })
  )
  const name = 'Own_properties_a'
  assert.deepEqual(findAt(document, ['components', 'schemas', name]), { type: 'string' })
  assert.deepEqual(findAt(ownSchema(document) ?? null, ['properties', 'b']), {
    $ref: `#/components/schemas/${name}`
  })
})

test('a reference to a missing value is reported with its location', () => {
  const { findings } = bundle(
    ROOT,
    filesOf({ 'root.yaml': withSchema({ items: { $ref: '#/components/schemas/None/x' } }) })
  )
  assert.deepEqual(findings, [
    {
      level: 'error',
      where: `${ROOT}#/components/schemas/Own/items`,
      text: '#/components/schemas/None/x points to a missing value'
    }
  ])
})

test('a path item of another file is inlined; members beside the reference win', () => {
  const { document } = bundle(
    ROOT,
    filesOf({
      'root.yaml': {
        openapi: '3.0.3',
        paths: { '/a': { $ref: 'a.yaml', summary: 'mine' } }
      },
      'a.yaml': { summary: 'theirs', get: { parameters: [{ $ref: '#/p' }] }, p: { name: 'q' } }
    })
  )
  assert.deepEqual(findAt(document, ['paths', '/a', 'summary']), 'mine')
  assert.deepEqual(findAt(document, ['paths', '/a', 'get', 'parameters', '0']), {
    $ref: '#/components/parameters/p'
  })
  assert.deepEqual(findAt(document, ['components', 'parameters', 'p']), { name: 'q' })
})

test('path items that refer to themselves are reported', () => {
  const { findings } = bundle(
    ROOT,
    filesOf({
      'root.yaml': { openapi: '3.1.0', paths: { '/a': { $ref: 'a.yaml' } } },
      'a.yaml': { $ref: 'a.yaml' }
    })
  )
  assert.match(findings[0]?.text ?? '', /refers to itself/)
})

test('a reference inside an example is data', () => {
  const root = withSchema({ example: { $ref: 'nowhere.yaml' }, default: { $ref: '#/x' } })
  const { document, missing, findings } = bundle(ROOT, filesOf({ 'root.yaml': root }))
  assert.deepEqual(document, root)
  assert.deepEqual([missing.size, findings.length], [0, 0])
})

test('anchors and identities are found, and dropped once references are pointers', () => {
  const { document } = bundle(
    ROOT,
    filesOf({
      'root.yaml': withSchema({
        $id: 'https://example.com/own',
        $defs: { a: { $anchor: 'here', type: 'string' } },
        anyOf: [{ $ref: '#here' }, { $ref: 'https://example.com/own' }]
      })
    })
  )
  assert.deepEqual(ownSchema(document), {
    $defs: { a: { type: 'string' } },
    anyOf: [{ $ref: '#/components/schemas/Own_defs_a' }, { $ref: '#/components/schemas/Own' }]
  })
})

test('a property named $id or id is not an identity', () => {
  const root = withSchema({ properties: { id: { type: 'string' }, $id: { type: 'string' } } })
  assert.deepEqual(bundle(ROOT, filesOf({ 'root.yaml': root })).document, root)
})

test('a discriminator names schemas by name, pointer or file', () => {
  const { document } = bundle(
    ROOT,
    filesOf({
      'root.yaml': withSchema({
        discriminator: {
          propertyName: 'kind',
          mapping: { own: 'Own', pointer: '#/components/schemas/Own', file: 'cat.yaml' }
        }
      }),
      'cat.yaml': { type: 'object' }
    })
  )
  assert.deepEqual(findAt(ownSchema(document) ?? null, ['discriminator', 'mapping']), {
    own: '#/components/schemas/Own',
    pointer: '#/components/schemas/Own',
    file: '#/components/schemas/cat'
  })
})

test('members named like the prototype are kept', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{}}}')
  const { document } = bundle(ROOT, filesOf({ 'root.yaml': withSchema(schema) }))
  assert.deepEqual(ownSchema(document), schema)
})
