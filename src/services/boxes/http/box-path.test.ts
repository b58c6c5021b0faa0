import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segmentsOf } from '../../../kernel/request-target.ts'
import { parseBoxPath } from './box-path.ts'

const ID = '0123456789abcdef01234567'
const rules = { minId: 1, maxCollection: 64 }

function check(path: string, box: string, collection?: string, id?: string) {
  assert.deepEqual(parseBoxPath(segmentsOf(path), rules), { box, collection, id })
}

function rejects(path: string, message: RegExp, own = rules) {
  assert.throws(() => parseBoxPath(segmentsOf(path), own), { message })
}

test('a box, a collection, a record', () => {
  check('/b', 'b')
  check('/b/c', 'b', 'c')
  check(`/b/${ID}`, 'b', undefined, ID)
  check(`/b/c/${ID}`, 'b', 'c', ID)
})

test('empty segments do not count, and ids are lower-cased', () => {
  check('//b//c/', 'b', 'c')
  check(`//b//${ID.toUpperCase()}//`, 'b', undefined, ID)
})

test('segments after a record or a collection that are not a record are ignored', () => {
  check(`/b/${ID}/x/y`, 'b', undefined, ID)
  check('/b/c/x', 'b', 'c')
  check(`/b/c/x/${ID}`, 'b', 'c')
})

test('segments are decoded once', () => {
  check('/%C3%A9/%2541', 'é', '%41')
  check('/a%2Fb/c%20d', 'a/b', 'c d')
  check('/%2e%2e', '..')
})

test('a box id has 1 to 128 bytes and no control character', () => {
  check(`/${'x'.repeat(128)}`, 'x'.repeat(128))
  check(`/${'%C3%A9'.repeat(64)}`, 'é'.repeat(64))
  rejects(`/${'x'.repeat(129)}`, /max\. 128 chars/)
  rejects(`/${'%C3%A9'.repeat(65)}`, /max\. 128 chars/)
  rejects('/a%00', /^Invalid or empty box id$/)
  rejects('/a%C2%80', /^Invalid or empty box id$/)
  rejects('/%ff', /^Invalid or empty box id$/)
  rejects('/', /^Box id cannot be empty\.$/)
})

test('the minimum length is configurable', () => {
  rejects('/short', /atleast 20 chars long & max\. 128 chars\.$/, { ...rules, minId: 20 })
})

test('reserved words are not box ids, but valid collections', () => {
  rejects('/_meta', /^Invalid or empty box id$/)
  rejects('/_query/x', /^Invalid or empty box id$/)
  check('/b/_query', 'b', '_query')
  check('/_metadata', '_metadata')
})

test('a collection has no control character and a maximum length', () => {
  rejects('/b/%0a', /^Invalid collection name$/)
  rejects('/b/%zz', /^Invalid collection name$/)
  rejects(`/b/${'c'.repeat(65)}`, /^Collection name can't be more than 64 chars\.$/)
  check(`/b/${'c'.repeat(64)}`, 'b', 'c'.repeat(64))
})
