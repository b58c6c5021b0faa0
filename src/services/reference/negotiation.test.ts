import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMPACT_JSON, chooseRepresentation, negotiate, prefersPage } from './negotiation.ts'
import { NO_PARAMETERS } from './query/parameters.ts'

function check(accept: string | undefined, wanted: string): void {
  assert.equal(negotiate(accept).key, wanted, accept)
}

test('the default is compact JSON', () => {
  for (const accept of [undefined, '', '*/*', 'application/json', 'application/*']) {
    assert.equal(negotiate(accept), COMPACT_JSON)
  }
})

test('the most specific range decides', () => {
  check('text/html', 'page')
  check('text/*', 'page')
  check('text/html, */*;q=0.8', 'page')
  check('*/*, text/html', 'json0')
  check('text/html, application/json', 'json0')
  check('text/html;q=0.9, application/json;q=0.8', 'page')
  check('text/html;q=0, */*', 'json0')
  check('application/json;q=0, */*', 'page')
  check('application/json;q=0.1, application/*, text/html;q=0.5', 'page')
  check('TEXT/HTML', 'page')
})

test('indent is a parameter of the range, from 1 to 8', () => {
  check('application/json; indent=4', 'json4')
  check('application/json;indent=99', 'json8')
  check('application/json;indent=0', 'json0')
  check('application/json;indent=two', 'json0')
  check('application/json;q=0.5;indent=2', 'json2')
})

test('a request without an acceptable representation is rejected', () => {
  for (const accept of [
    'image/png',
    'application/json;q=0',
    '*/*;q=0',
    'text/html;q=0, application/json;q=0.000',
    'text/html;q=high'
  ]) {
    assert.throws(() => negotiate(accept), { code: 'NOT_ACCEPTABLE' }, accept)
  }
})

test('the number of cached representations is limited', () => {
  for (let number = 0; number < 200; number += 1) {
    check(`application/json; indent=3; x=${number}`, 'json3')
  }
  const early = 'application/json; indent=3; x=0'
  assert.equal(negotiate(early), negotiate(early))
  const late = 'application/json; indent=3; x=199'
  assert.notEqual(negotiate(late), negotiate(late))
})

test('format beats accept, which beats the header', () => {
  const choose = (parameters: [string, string][]) =>
    chooseRepresentation('text/html', new Map(parameters)).key
  assert.equal(choose([]), 'page')
  assert.equal(choose([['accept', 'application/json']]), 'json0')
  assert.equal(
    choose([
      ['accept', 'application/json'],
      ['format', 'api']
    ]),
    'page'
  )
  assert.equal(choose([['format', 'wookiee']]), 'wookiee')
  assert.throws(() => choose([['format', 'toString']]), { code: 'NOT_FOUND' })
})

test('errors are pages only for clients that prefer pages', () => {
  assert.equal(prefersPage('text/html', NO_PARAMETERS), true)
  assert.equal(prefersPage('image/png', NO_PARAMETERS), false)
  assert.equal(prefersPage(undefined, NO_PARAMETERS), false)
  assert.equal(prefersPage('text/html', new Map([['format', 'xml']])), false)
  assert.equal(prefersPage(undefined, new Map([['format', 'api']])), true)
})
