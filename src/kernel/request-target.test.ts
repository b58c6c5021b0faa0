import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSegment, parseRequestTarget, segmentsOf, toOriginForm } from './request-target.ts'

const TARGETS: readonly [target: string, path: string, query: string][] = [
  ['/', '/', ''],
  ['/a/b', '/a/b', ''],
  ['/a?b=1&c', '/a', 'b=1&c'],
  ['/a?', '/a', ''],
  ['/a?b?c', '/a', 'b?c'],
  ['//a//?b', '//a//', 'b'],
  ['/http://host/a', '/http://host/a', ''],
  ['*', '*', ''],
  ['http://host', '/', ''],
  ['http://host/', '/', ''],
  ['http://host?b=1', '/', 'b=1'],
  ['http://host/?b=1', '/', 'b=1'],
  ['http://host:4001/a/b?c=http://d/e', '/a/b', 'c=http://d/e'],
  ['HTTPS://user@[::1]:443/a', '/a', ''],
  ['http://host//a', '//a', ''],
  ['http://host/%2F%zz?%41', '/%2F%zz', '%41']
]

test('a target is a path and a query, whichever form it is sent in', () => {
  for (const [target, path, query] of TARGETS) {
    assert.deepEqual(parseRequestTarget(target), { path, query }, target)
    assert.ok(toOriginForm(target).startsWith(path), target)
  }
})

test('origin-form keeps the query', () => {
  assert.equal(toOriginForm('http://host/a?b#c'), '/a?b#c')
  assert.equal(toOriginForm('http://host?b'), '/?b')
})

test('empty segments are skipped', () => {
  assert.deepEqual(segmentsOf('/'), [])
  assert.deepEqual(segmentsOf('//a///b%2Fc//'), ['a', 'b%2Fc'])
})

test('a segment is decoded if its escapes are valid UTF-8', () => {
  assert.equal(decodeSegment('plain+text'), 'plain+text')
  assert.equal(decodeSegment('a%2Fb%20%C3%A9'), 'a/b é')
  for (const broken of ['%', '%4', '%zz', '%C3', '%ED%A0%80', '%FF']) {
    assert.equal(decodeSegment(broken), undefined, broken)
  }
})
