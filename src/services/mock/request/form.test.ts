import { type BodyRow, contentOf, testBodies } from '../../../../test/support/mock-requests.ts'
import type { JsonObject } from '../document/json.ts'

const integer = { type: 'integer' }
const text = { type: 'string' }

const FORM = 'application/x-www-form-urlencoded'
const fields = {
  type: 'object',
  properties: {
    name: text,
    age: integer,
    tags: { type: 'array', items: text },
    point: { type: 'object', properties: { x: integer, y: integer } },
    rows: { type: 'array', items: { type: 'object', properties: { a: integer } } }
  },
  required: ['name']
}
const form = (encoding: JsonObject = {}) => contentOf(FORM, fields, { encoding })

const FORM_ROWS: BodyRow[] = [
  ['fields', form(), FORM, 'name=a+b%21&age=5', { name: 'a b!', age: 5 }],
  ['a field missing', form(), FORM, 'age=5', ['required']],
  ['not a number', form(), FORM, 'name=a&age=x', ['type']],
  ['a list, repeated', form(), FORM, 'name=a&tags=x&tags=y', { name: 'a', tags: ['x', 'y'] }],
  ['a list of one', form(), FORM, 'name=a&tags=x', { name: 'a', tags: ['x'] }],
  [
    'a list, joined',
    form({ tags: { explode: false } }),
    FORM,
    'name=a&tags=x,y',
    { name: 'a', tags: ['x', 'y'] }
  ],
  [
    'a list by pipes',
    form({ tags: { style: 'pipeDelimited' } }),
    FORM,
    'name=a&tags=x|y',
    { name: 'a', tags: ['x', 'y'] }
  ],
  ['an object, spread', form(), FORM, 'name=a&x=1&y=2', { name: 'a', point: { x: 1, y: 2 } }],
  [
    'an object as JSON',
    form(),
    FORM,
    'name=a&point=%7B%22x%22%3A1%7D',
    { name: 'a', point: { x: 1 } }
  ],
  [
    'an object as bad JSON',
    form({ point: { contentType: 'application/json' } }),
    FORM,
    'name=a&point=%7B',
    ['encoding']
  ],
  [
    'a deep object',
    form({ point: { style: 'deepObject', explode: true, allowReserved: true } }),
    FORM,
    'name=a&point[x]=1',
    { name: 'a', point: { x: 1 } }
  ],
  [
    'a list of objects',
    form(),
    FORM,
    'name=a&rows=%7B%22a%22%3A1%7D&rows=%7B%22a%22%3A2%7D',
    { name: 'a', rows: [{ a: 1 }, { a: 2 }] }
  ],
  ['an array of objects that are not objects', form(), FORM, 'name=a&rows=x', ['encoding']],
  [
    'other fields',
    form(),
    FORM,
    'name=a&more=1&more=2&__proto__=3',
    { name: 'a', more: ['1', '2'], ['__proto__']: '3' }
  ],
  [
    'reserved characters',
    form({ name: {} }),
    FORM,
    'name=a/b',
    ['Reserved characters used in request body']
  ],
  [
    'reserved characters allowed',
    form({ name: { allowReserved: true } }),
    FORM,
    'name=a/b',
    { name: 'a/b' }
  ],
  ['reserved characters without encoding', form(), FORM, 'name=a/b', { name: 'a/b' }],
  ['more fields than the limit', form(), FORM, 'a=1&'.repeat(10_001), ['form']],
  ['an empty string is a string', form(), FORM, 'name=', { name: '' }],
  ['an empty string is not a number', form(), FORM, 'name=a&age=', ['type']],
  ['a bad percent sign', form(), FORM, 'name=%zz', { name: '%zz' }]
]

testBodies(FORM_ROWS)
