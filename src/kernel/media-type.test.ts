import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  covers,
  essenceOf,
  hasParametersOf,
  isJson,
  isRange,
  isText,
  isXml,
  matchContent,
  parseMediaType
} from './media-type.ts'

test('a media type in lower case, with parameters, quoted or not', () => {
  assert.deepEqual(parseMediaType('Text/HTML'), {
    type: 'text',
    subtype: 'html',
    parameters: new Map()
  })
  const { parameters } = parseMediaType('a/b; X="1;\\"2"; y=Z ;; x=3') ?? {}
  assert.deepEqual(
    parameters,
    new Map([
      ['x', '1;"2'],
      ['y', 'Z']
    ])
  )
  for (const text of ['', 'text', 'text/', '/html', 'te xt/html', 'text/ht ml', '; a/b']) {
    assert.equal(parseMediaType(text), undefined, text)
  }
})

test('the essence of a type', () => {
  assert.equal(essenceOf(' Application/JSON ; charset=x'), 'application/json')
  assert.equal(essenceOf('a/b'), 'a/b')
  assert.ok(isRange('text/*; q=1'))
  assert.ok(!isRange('text/plain; x=*'))
  assert.ok(isText('TEXT/x'))
  assert.ok(!isText('application/text'))
})

test('JSON and XML by name or suffix', () => {
  for (const type of ['application/json', 'text/json; a=b', 'a/b+json']) assert.ok(isJson(type))
  for (const type of ['image/json', 'a/json5', 'json', 'a/b+xml']) assert.ok(!isJson(type))
  for (const type of ['application/xml', 'text/xml', 'image/svg+xml']) assert.ok(isXml(type))
  for (const type of ['image/xml', 'a/b+json']) assert.ok(!isXml(type))
  const parsed = parseMediaType('a/b+json')
  assert.ok(parsed !== undefined && isJson(parsed) && !isXml(parsed))
})

const MATCHES: readonly [ranges: string[], sent: string, best: string | undefined][] = [
  [['*/*', 'a/*', 'a/b'], 'a/b', 'a/b'],
  [['*/*', 'a/*'], 'a/b', 'a/*'],
  [['*/*', 'a/*+json'], 'a/b+json', 'a/*+json'],
  [['a/*+json'], 'a/b+xml', undefined],
  [['a/b; v=1', 'a/b; v=2'], 'a/b; v=2', 'a/b; v=2'],
  [['a/b; v=1'], 'a/b', 'a/b; v=1'],
  [['c/*', '*/b'], 'a/b', undefined],
  [['nonsense'], 'a/b', undefined]
]

test('the best of several ranges', () => {
  for (const [ranges, sent, best] of MATCHES) {
    const parsed = parseMediaType(sent)
    assert.ok(parsed)
    const contents = ranges.map((type) => ({ type }))
    assert.equal(matchContent(contents, parsed)?.type, best, sent)
    assert.equal(
      ranges.some((range) => covers(range, sent)),
      best !== undefined
    )
  }
})

test('parameters that only one side has', () => {
  assert.ok(hasParametersOf('a/b', 'a/b; v=1'))
  assert.ok(hasParametersOf('a/b; v=1', 'a/b; V=1'))
  assert.ok(hasParametersOf('a/b; charset=utf-8', 'a/b'))
  assert.ok(!hasParametersOf('a/b; charset=utf-8', 'a/b; charset=ascii'))
  assert.ok(!hasParametersOf('a/b; v=1', 'a/b'))
})
