import assert from 'node:assert/strict'
import { test } from 'node:test'
import { narrow } from './narrow.ts'
import { parseWhere } from './where-syntax.ts'

function check(where: object, sqlite: unknown, postgres = sqlite): void {
  const filter = parseWhere(JSON.stringify(where))
  assert.deepEqual(narrow(filter, 'sqlite')?.sql, sqlite, JSON.stringify(where))
  assert.deepEqual(narrow(filter, 'postgres')?.sql, postgres, JSON.stringify(where))
}

test('conditions that SQL cannot express are left to the evaluator', () => {
  check({}, undefined)
  check({ a: { $ne: 1 } }, undefined)
  check({ $not: { a: 1 } }, undefined)
  check({ $nor: [{ a: 1 }] }, undefined)
  check({ $or: [{ _collection: { $exists: true } }, { a: { $ne: 1 } }] }, undefined)
})

test('a part that is left out takes its arguments with it', () => {
  const where = { a: { $exists: true }, b: { $ne: 1 }, _id: 'x', _createdOn: { $gt: '2020' } }
  const fragment = narrow(parseWhere(JSON.stringify(where)), 'sqlite')
  assert.deepEqual(fragment, {
    sql:
      "(((json_type(doc, ?) is not null or json_type(doc, ?) in ('array'))) and id in (?) and " +
      '((created >= ?)))',
    args: ['$."a"', '$."a"', 'x', Date.UTC(2021, 0)]
  })
})

test('an array anywhere on the path keeps the record', () => {
  const filter = parseWhere('{"a.b.c":{"$size":1}}')
  const paths = ['$."a"', '$."a"."b"', '$."a"."b"."c"']
  assert.deepEqual(narrow(filter, 'sqlite')?.args, paths)
  assert.deepEqual(narrow(filter, 'postgres')?.args, ['{"a"}', '{"a","b"}', '{"a","b","c"}'])
})

test('an empty set of values matches nothing', () => {
  check({ a: { $all: [] } }, '((1 = 0))')
})

test('times are ranges of a column', () => {
  const both = '(((created >= ? and created < ?)))'
  check({ _createdOn: '2020' }, both, both.replaceAll('?', '?::bigint'))
  check({ _updatedOn: { $lt: '2020' } }, '(((updated < ?)))', '(((updated < ?::bigint)))')
  check({ _updatedOn: { $contains: 'x' } }, '((updated is not null))')
})

test('SQLite is not asked for names that it may not find', () => {
  for (const name of ['a"b', 'a\\b', 'a\nb', 'a\u001fb']) {
    const filter = parseWhere(JSON.stringify({ [name]: 1 }))
    assert.equal(narrow(filter, 'sqlite'), undefined, name)
    assert.ok(narrow(filter, 'postgres'), name)
  }
  assert.ok(narrow(parseWhere('{"x y\'\u007f":1}'), 'sqlite'))
})

test('names and operands are arguments', () => {
  const where = { "/a'b/c.d": "x'; drop table" }
  const filter = parseWhere(JSON.stringify(where))
  assert.doesNotMatch(narrow(filter, 'sqlite')?.sql ?? '', /drop|c\.d|a'b/)
  const found = narrow(filter, 'postgres')
  assert.doesNotMatch(found?.sql ?? '', /drop|c\.d|a'b/)
  assert.ok(found?.args.includes('{"a\'b","c.d"}'))
  const quoted = narrow(parseWhere('{"a\\"\\\\":1}'), 'postgres')
  assert.ok(quoted?.args.includes('{"a\\"\\\\"}'))
})

test('no chain of conditions is longer than SQLite accepts', () => {
  const many = JSON.stringify({ a: { $in: Array(1000).fill(true) } })
  assert.equal(narrow(parseWhere(many), 'sqlite')?.args.length, 2)
  const filter = parseWhere('{"a":{"$exists":true}}')
  const filters = Array(201).fill(filter)
  assert.equal(narrow({ kind: 'and', filters }, 'sqlite')?.args.length, 400)
  assert.equal(narrow({ kind: 'or', filters }, 'sqlite'), undefined)
  const fewer = filters.slice(1)
  assert.equal(narrow({ kind: 'or', filters: fewer }, 'sqlite')?.args.length, 400)
})
