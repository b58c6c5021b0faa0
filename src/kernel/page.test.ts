import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { html, PAGE_HEADERS, renderPage } from './page.ts'

test('values are escaped, markup is not, null and undefined are empty', () => {
  const evil = `<script>"&'`
  assert.equal(
    html`<p title="${evil}">${evil}</p>`.markup,
    '<p title="&lt;script&gt;&quot;&amp;&#39;">&lt;script&gt;&quot;&amp;&#39;</p>'
  )
  assert.equal(html`${[html`<b>1</b>`, 'a<', 2, null, undefined, false]}`.markup, '<b>1</b>a&lt;2')
})

test('a page has its title, its crumbs, and a style the policy allows', () => {
  const page = renderPage({
    title: '<Title>',
    crumbs: [{ text: 'reference', href: '/?a=1&b=2' }, { text: 'here' }],
    main: html`<p>main</p>`,
    foot: html`<p>foot</p>`
  })
  assert.match(page, /<title>&lt;Title&gt; · nonet<\/title>/)
  assert.match(page, /<a href="\/\?a=1&amp;b=2">reference<\/a>/)
  assert.match(page, /<span aria-current="page">here<\/span>/)
  assert.match(page, /<footer><p>foot<\/p><\/footer>/)
  const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  assert.ok(PAGE_HEADERS['content-security-policy']?.includes(`'sha256-${hash}'`))
})
