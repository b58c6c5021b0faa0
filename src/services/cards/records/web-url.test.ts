import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webUrl } from './web-url.ts'

test('only absolute URLs of http and https', () => {
  for (const url of ['http://a.example', 'HTTPS://a.example/b?c=d#e', 'https://ü.example/']) {
    assert.equal(webUrl(` ${url}\n`), url)
  }
  const others = ['javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,a', 'file:///a']
  const wrong = [
    '//a.example',
    '/a',
    'a',
    '',
    'http://',
    'http://a b',
    'http:a',
    'http:\\\\a',
    'https://a.example/\0'
  ]
  for (const text of [...others, ...wrong]) assert.equal(webUrl(text), undefined, text)
})
