import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { AnySchemaObject, ErrorObject } from 'ajv'
import type { Options } from 'ajv/dist/2020.js'
import { addConstAndEnum, addUniqueItems, createAjv, type UniqueItemsOptions } from './ajv.ts'

const { cache } = createRequire(import.meta.url)

function isAjvLoaded(): boolean {
  return Object.keys(cache).some((path) => path.includes('ajv'))
}

function createPattern(source: string) {
  const expression = new RegExp(source, 'u')
  return { test: (text: string) => expression.test(text), toString: () => source }
}

function validate(
  schema: AnySchemaObject,
  value: unknown,
  unique: UniqueItemsOptions = {},
  options: Options = {}
): ErrorObject[] {
  const ajv = createAjv(createPattern, { allErrors: true, ...options })
  addConstAndEnum(ajv)
  addUniqueItems(ajv, unique)
  const check = ajv.compile(schema)
  return check(value) ? [] : (check.errors ?? [])
}

function messagesOf(errors: readonly ErrorObject[]): string[] {
  return errors.map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

test('Ajv is loaded with the first schema', () => {
  assert.equal(isAjvLoaded(), false)
  createAjv(createPattern, {})
  assert.equal(isAjvLoaded(), true)
})

test('patterns run on the given engine', () => {
  const asked: string[] = []
  const ajv = createAjv(
    (source) => {
      asked.push(source)
      return { test: (text) => text === 'by the engine', toString: () => source }
    },
    { validateSchema: false }
  )
  const check = ajv.compile({ pattern: '^never$' })
  assert.equal(check('by the engine'), true)
  assert.equal(check('never'), false)
  assert.deepEqual(asked, ['^never$'])
})

test('the given code is processed, and patterns keep their engine', () => {
  const codes: string[] = []
  const process = (code: string) => {
    codes.push(code)
    return code
  }
  assert.deepEqual(validate({ pattern: '^a$' }, 'a', {}, { code: { process } }), [])
  assert.ok(codes.length > 0)
})

test('inherited names are not properties', () => {
  const schema = { required: ['constructor'], properties: { toString: { type: 'string' } } }
  assert.deepEqual(messagesOf(validate(schema, {})), [
    ": must have required property 'constructor'"
  ])
  assert.deepEqual(validate(schema, { constructor: 1 }), [])
})

test('unknown keywords and formats are not errors', () => {
  assert.deepEqual(validate({ format: 'unheard-of', 'x-note': 1 }, 'a'), [])
})

test('equal items are found whatever the order of their properties', () => {
  const schema = { properties: { a: { uniqueItems: true } } }
  const value = { a: [{ x: 1, toString: 2 }, 3, { toString: 2, x: 1 }] }
  assert.deepEqual(messagesOf(validate(schema, value)), ['/a: must NOT have duplicate items'])
  const [named] = validate(schema, value, { namesItems: true })
  assert.equal(named?.instancePath, '/a')
  assert.equal(named?.schemaPath, '#/properties/a/uniqueItems')
  assert.equal(named?.message, 'must NOT have duplicate items (items ## 0 and 2 are identical)')
  assert.deepEqual(named?.params, { i: 2, j: 0 })
  assert.deepEqual(validate({ uniqueItems: true }, [1, '1', [1], { a: 1 }, null]), [])
  assert.deepEqual(validate({ uniqueItems: false }, [1, 1]), [])
  assert.deepEqual(validate({ uniqueItems: true }, 'no array'), [])
})

test('a hundred thousand items are compared in linear time', () => {
  const items = Array.from({ length: 100_000 }, (_, id) => ({ id }))
  assert.deepEqual(validate({ uniqueItems: true }, items), [])
})

test('items are counted, and an error of the counter ends the validation', () => {
  const items: string[] = []
  validate({ uniqueItems: true }, [1, { b: 1, a: 2 }], { onItem: (item) => items.push(item) })
  assert.deepEqual(items, ['1', '{"a":2,"b":1}'])
  const spent = new Error('spent')
  const onItem = () => {
    throw spent
  }
  assert.throws(() => validate({ uniqueItems: true }, [1, 2], { onItem }), spent)
})

test('const and enum compare values with properties named toString and valueOf', () => {
  const odd = { toString: 1, valueOf: 2, constructor: 3 }
  assert.deepEqual(validate({ const: odd }, { ...odd }), [])
  assert.deepEqual(validate({ enum: [1, odd] }, { ...odd }), [])
  assert.deepEqual(messagesOf(validate({ const: { a: 1 } }, odd)), [': must be equal to constant'])
  const [wrong] = validate({ enum: [1, odd] }, '1')
  assert.equal(wrong?.message, 'must be equal to one of the allowed values')
  assert.deepEqual(wrong?.params, { allowedValues: [1, odd] })
})

test('objects that const and enum compare can be counted, and an empty enum can be an error', () => {
  const texts: string[] = []
  const ajv = createAjv(createPattern, {})
  addConstAndEnum(ajv, { onObject: (text) => texts.push(text), rejectsEmptyEnum: true })
  const check = ajv.compile({ properties: { a: { const: 'x' }, b: { enum: [1, { c: 2 }] } } })
  assert.equal(check({ a: 'x', b: { c: 2 } }), true)
  assert.equal(check({ a: {}, b: 1 }), false)
  assert.deepEqual(texts, ['{"c":2}'])
  assert.throws(() => ajv.compile({ enum: [] }), /non-empty/)
  const lenient = createAjv(createPattern, {})
  addConstAndEnum(lenient)
  assert.equal(lenient.compile({ enum: [] })(1), false)
})

test('errors of one validation are not among those of the next', () => {
  const ajv = createAjv(createPattern, { allErrors: true })
  addConstAndEnum(ajv)
  addUniqueItems(ajv, { namesItems: true })
  const check = ajv.compile({ items: { const: 1 }, uniqueItems: true })
  for (const _ of [1, 2]) {
    assert.equal(check([2, 2, 3]), false)
    assert.deepEqual(
      check.errors?.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`),
      ['/0 const', '/1 const', '/2 const', ' uniqueItems']
    )
  }
  assert.equal(check([1]), true)
})
