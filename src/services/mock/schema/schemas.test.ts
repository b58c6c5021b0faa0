import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSchemas, type Side, type Violation } from './schemas.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const at = (name: string) => `#/components/schemas/${name}`

function open(schemas: Record<string, unknown>) {
  return createSchemas({ components: { schemas } })
}

function validate(schema: unknown, value: unknown, side: Side = 'request', more = {}): Violation[] {
  const found = open({ ...more, It: schema }).find(at('It'), side)
  assert.ok(found.ok, JSON.stringify(found))
  return found.compiled.validate(value)
}

/** Path and keyword of every violation. */
function shortly(violations: Violation[]): string[] {
  return violations.map(({ path, keyword }) => `${path.join('.')}:${keyword}`)
}

test('violations have path, keyword, message and the parameters of the message', () => {
  const schema = {
    type: 'object',
    required: ['id'],
    properties: { kind: { enum: ['a', 'b'] }, 'x/y~z': { type: 'integer' } },
    additionalProperties: false
  }
  assert.deepEqual(validate(schema, { kind: 'c', 'x/y~z': 'no', other: 1 }), [
    {
      path: [],
      keyword: 'required',
      message: "must have required property 'id'",
      params: { missingProperty: 'id' }
    },
    {
      path: [],
      keyword: 'additionalProperties',
      message: 'must NOT have additional properties',
      params: { additionalProperty: 'other' }
    },
    {
      path: ['kind'],
      keyword: 'enum',
      message: 'must be equal to one of the allowed values',
      params: { allowedValues: ['a', 'b'] }
    },
    {
      path: ['x/y~z'],
      keyword: 'type',
      message: 'must be integer',
      params: { type: 'integer' }
    }
  ])
})

test('schemas are JSON Schema 2020-12', () => {
  const tuple = { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }
  assert.deepEqual(shortly(validate(tuple, ['a', 1])), [])
  assert.deepEqual(shortly(validate(tuple, ['a', 1, 2])), [':items'])
  assert.deepEqual(shortly(validate({ dependentRequired: { a: ['b'] } }, { a: 1 })), [
    ':dependentRequired'
  ])
  const closed = { allOf: [ref('Base')], unevaluatedProperties: false }
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  const Base = { properties: { a: true }, if: { required: ['a'] }, then: ref('Then') }
  const all = { Base, Then: { properties: { b: true } } }
  assert.deepEqual(shortly(validate(closed, { a: 1, b: 2 }, 'request', all)), [])
  assert.deepEqual(shortly(validate(closed, { b: 2 }, 'request', all)), [':unevaluatedProperties'])
  assert.deepEqual(shortly(validate({ multipleOf: 0.1 }, 0.3)), [])
  assert.deepEqual(shortly(validate({ type: ['string', 'null'] }, null)), [])
})

const Animal = {
  oneOf: [ref('Cat'), ref('Dog'), { type: 'null' }],
  discriminator: { propertyName: 'kind', mapping: { kitty: at('Cat') } }
}
const animals = {
  Cat: { type: 'object', properties: { kind: { type: 'string' }, lives: { type: 'integer' } } },
  Dog: { type: 'object', properties: { kind: { type: 'string' }, bark: { type: 'boolean' } } }
}

test('a discriminator selects the branch, by mapping and by the name of the component', () => {
  const rows: [unknown, string[]][] = [
    [{ kind: 'kitty', lives: 9 }, []],
    [{ kind: 'kitty', lives: 'x' }, ['lives:type']],
    [{ kind: 'Dog', lives: 'x' }, []],
    [{ kind: 'Dog', bark: 1 }, ['bark:type']],
    [{ kind: 'cow' }, ['kind:enum']],
    [{ bark: true }, [':required']],
    [null, []],
    [5, [':type', ':type', ':anyOf']]
  ]
  for (const [value, expected] of rows) {
    const found = shortly(validate(Animal, value, 'request', animals))
    assert.deepEqual(found, expected, JSON.stringify(value))
  }
})

test('variants that contain the union of all variants do not recurse endlessly', () => {
  const schemas = {
    Pet: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' } },
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'kind' }
    },
    Cat: { allOf: [ref('Pet'), { properties: { lives: { type: 'integer' } } }] },
    Dog: { allOf: [ref('Pet'), { properties: { friend: ref('Pet') } }] }
  }
  const found = open(schemas)
  const check = (value: unknown) => {
    const pet = found.find(at('Pet'), 'request')
    return pet.ok ? shortly(pet.compiled.validate(value)) : [pet.problem.message]
  }
  assert.deepEqual(check({ kind: 'Cat', lives: 3 }), [])
  assert.deepEqual(check({ kind: 'Dog', friend: { kind: 'Cat', lives: 'x' } }), [
    'friend.lives:type'
  ])
  assert.deepEqual(found.problems(), [])
})

test('a request has no readOnly properties, a response no writeOnly ones, at any depth', () => {
  const schemas = {
    Id: { type: 'integer', readOnly: true },
    Base: { required: ['id'], properties: { id: ref('Id') } },
    It: {
      allOf: [ref('Base')],
      required: ['id', 'secret', 'list'],
      properties: {
        secret: { type: 'string', writeOnly: true },
        list: { type: 'array', items: { $ref: at('Item') } }
      }
    },
    Item: { required: ['at'], properties: { at: { readOnly: true } }, additionalProperties: false }
  }
  const check = (side: Side, value: unknown) => {
    const found = open(schemas).find(at('It'), side)
    return found.ok ? shortly(found.compiled.validate(value)) : []
  }
  assert.deepEqual(check('request', { secret: 's', list: [{}] }), [])
  assert.deepEqual(check('request', { secret: 's', list: [{ at: 1 }] }), [
    'list.0:additionalProperties'
  ])
  assert.deepEqual(check('response', { id: 1, list: [{ at: 1 }] }), [])
  assert.deepEqual(check('response', { list: [{}] }), [':required', 'list.0:required'])
})

test('a part of the document that a side does not change is not copied', () => {
  const Plain = { type: 'object', properties: { a: ref('Plain') } }
  const Touched = { properties: { a: Plain, id: { readOnly: true } } }
  const view = open({ Plain, Touched }).view('request')
  assert.equal(view.at(at('Plain')), Plain)
  const touched = view.at(at('Touched'))
  assert.deepEqual(touched, { properties: { a: Plain } })
  assert.ok(typeof touched === 'object' && touched.properties?.a === Plain)
})

test('names of the prototype are ordinary names', () => {
  const schema = JSON.parse(`{ "type": "object",
    "properties": { "__proto__": { "type": "integer" }, "constructor": { "type": "string" } },
    "required": ["toString"], "additionalProperties": { "type": "boolean" } }`)
  assert.deepEqual(shortly(validate(schema, {})), [':required'])
  assert.deepEqual(shortly(validate(schema, JSON.parse('{"__proto__":"x","toString":true}'))), [
    '__proto__:type'
  ])
  assert.deepEqual(
    shortly(validate(schema, JSON.parse('{"__proto__":1,"constructor":"x","toString":true}'))),
    []
  )
  for (const keyword of [{ const: { a: 1 } }, { enum: [{ a: 1 }] }]) {
    assert.equal(validate(keyword, { toString: 1, constructor: 2 }).length, 1)
  }
  assert.deepEqual(shortly(validate({ uniqueItems: true }, [{ toString: 1 }, { toString: 1 }])), [
    ':uniqueItems'
  ])
  assert.deepEqual(shortly(validate({ uniqueItems: true }, [1, '1', [1], { a: 1 }, null])), [])
})

test('unusable keywords are left out and reported with their pointer; the others apply', () => {
  const schemas = open({
    It: {
      type: 'object',
      required: true,
      nullable: true,
      properties: {
        a: { type: 'strng' },
        b: { type: 'string', pattern: '(?=(a+)+b)\\1' },
        c: { $ref: '#/components/schemas/Nowhere' },
        d: { type: 'integer', minimum: '1' },
        'e/f': { items: [{}] }
      }
    },
    Round: ref('Trip'),
    Trip: ref('Round')
  })
  const locations = [at('It'), at('Round'), '#/paths/none'].map((pointer) => ({
    pointer,
    side: 'request' as const
  }))
  schemas.checkAll(locations, { compile: true })
  assert.deepEqual(
    schemas.problems().map(({ pointer }) => pointer),
    [
      `${at('It')}/required`,
      `${at('It')}/properties/a/type`,
      `${at('It')}/properties/b/pattern`,
      `${at('It')}/properties/c/$ref`,
      `${at('It')}/properties/d/minimum`,
      `${at('It')}/properties/e~1f/items`,
      at('Round'),
      '#/paths/none'
    ]
  )
  const found = schemas.find(at('It'), 'request')
  assert.ok(found.ok)
  assert.deepEqual(shortly(found.compiled.validate({ b: 1, d: 'x' })), ['b:type', 'd:type'])
  assert.equal(schemas.find('#/paths/none', 'request').ok, false)
})

test('parameters are coerced, bodies are not', () => {
  const schema = {
    type: 'object',
    properties: {
      count: { type: 'integer' },
      flag: { type: 'boolean' },
      list: { type: 'array', items: { type: 'number' } },
      none: { type: 'null' },
      either: { oneOf: [{ type: 'integer' }, { type: 'string', pattern: '^x' }] },
      text: { type: ['integer', 'string'] }
    }
  }
  const found = open({ It: schema }).find(at('It'), 'request')
  assert.ok(found.ok)
  const sent = { count: '5', flag: 'true', list: '1.5', none: '', either: '7', text: '5' }
  assert.deepEqual(found.compiled.coerce(structuredClone(sent)), {
    value: { count: 5, flag: true, list: [1.5], none: null, either: 7, text: '5' },
    violations: []
  })
  assert.deepEqual(shortly(found.compiled.coerce({ count: '5x', list: ['1', 'b'] }).violations), [
    'count:type',
    'list.1:type'
  ])
  assert.deepEqual(shortly(found.compiled.validate({ count: '5' })), ['count:type'])
  const number = open({ It: { type: 'integer' } }).find(at('It'), 'request')
  assert.deepEqual(number.ok && number.compiled.coerce('12'), { value: 12, violations: [] })
})

test('a schema of the caller may refer to the document, and pointers follow references', () => {
  const schemas = createSchemas({
    paths: { '/a%20b': { get: { responses: { 200: { $ref: '#/components/responses/Ok' } } } } },
    components: {
      responses: { Ok: { content: { 'application/json': { schema: ref('Odd%20name~1x') } } } },
      schemas: { 'Odd name/x': { type: 'object', properties: { me: ref('Odd name~1x') } } }
    }
  })
  const pointer = '#/paths/~1a%20b/get/responses/200/content/application~1json/schema'
  const found = schemas.find(pointer, 'response')
  assert.ok(found.ok)
  assert.deepEqual(shortly(found.compiled.validate({ me: { me: 5 } })), ['me.me:type'])
  const joined = { properties: { q: ref('Odd name~1x') } }
  const own = schemas.compile(joined, 'request', '#/paths/~1a%20b/get/parameters')
  assert.ok(own.ok)
  assert.deepEqual(shortly(own.compiled.validate({ q: 1 })), ['q:type'])
})

test('only the first error of a very large body is reported', () => {
  const many = Array.from({ length: 60_000 }, () => 'x')
  assert.equal(validate({ items: { type: 'integer' } }, many).length, 1)
  assert.equal(validate({ items: { type: 'integer' } }, many.slice(0, 500)).length, 500)
})

test('strings are converted for a wide schema', () => {
  const wide = Array.from({ length: 1200 }, (_, index) => [
    `p${index}`,
    { type: 'integer', maximum: index }
  ])
  const list = { type: 'array', items: { type: 'integer' } }
  const properties = { ...Object.fromEntries(wide), list }
  const found = open({ Other: { type: 'object', properties }, It: ref('Other') }).find(
    at('It'),
    'request'
  )
  assert.ok(found.ok)
  const { compiled } = found
  for (let count = 0; count < 3; count += 1) {
    const right = compiled.coerce({ p7: '7', list: ['1', '2'], other: '1' })
    assert.deepEqual(right, { value: { p7: 7, list: [1, 2], other: '1' }, violations: [] })
    const wrong = compiled.coerce({ p7: '8', p8: 'x' })
    assert.deepEqual(shortly(wrong.violations), ['p7:maximum', 'p8:type'])
  }
})
