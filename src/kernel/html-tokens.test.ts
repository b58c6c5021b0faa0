import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastMs } from '../../test/support/least-ms.ts'
import { type HtmlToken, tokenizeHtml } from './html-tokens.ts'

const open = (name: string, attributes: Record<string, string> = {}): HtmlToken => ({
  type: 'open',
  name,
  attributes
})
const text = (content: string): HtmlToken => ({ type: 'text', text: content })

const CASES: Readonly<Record<string, readonly HtmlToken[]>> = {
  '<P CLASS=a>x</P >': [open('p', { class: 'a' }), text('x'), { type: 'close', name: 'p' }],
  '<a href="b>c" title=\'d"e\'>': [open('a', { href: 'b>c', title: 'd"e' })],
  '<img/src=x/onerror=alert(1)//>': [open('img', { src: 'x/onerror=alert(1)//' })],
  '<img src = "x"hidden alt=>': [open('img', { src: 'x', hidden: '', alt: '' })],
  '<a href=1 HREF=2>': [open('a', { href: '1' })],
  '<a __proto__=1>': [open('a', { ['__proto__']: '1' })],
  'a &amp; b': [text('a &amp; b')],
  '<style>a > b {}</style\n>c': [{ type: 'raw', name: 'style', text: 'a > b {}' }, text('c')],
  '<script>"</scripts>"</script>': [{ type: 'raw', name: 'script', text: '"</scripts>"' }],
  '<title>x': [{ type: 'raw', name: 'title', text: 'x' }],
  '<!doctype html><!-- <b> --><?xml?>x': [text('x')],
  '1 < 2 <3 <': [text('1 < 2 <3 <')],
  'x <a href="y': [text('x <a href="y')],
  'x <!-- y <b>': [text('x <!-- y <b>')]
}

for (const [html, tokens] of Object.entries(CASES)) {
  test(`the tokens of ${JSON.stringify(html)}`, () => {
    assert.deepEqual([...tokenizeHtml(html)], tokens)
  })
}

test('cut, nested and repeated markup costs linear time', () => {
  const parts = ['<', '<a href="', "<p '", '<p ', '<!--', '<style>', '</style', '<a =', '<a b   ']
  for (const part of parts) {
    const html = part.repeat(70_000)
    const tokenize = () => {
      for (const token of tokenizeHtml(html)) assert.ok(token)
    }
    assert.ok(leastMs(tokenize, 1_500) < 1_500, part)
  }
})
