import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { html } from './html.ts'
import {
  createPageStyle,
  type Frame,
  headersOf,
  NO_FRAME,
  PAGE_HEADERS,
  renderPage,
  SCRIPTED_PAGE_HEADERS
} from './page.ts'
import { faviconOf } from './page-icons.ts'
import { createPublicLayout } from './public-page.ts'

test('values are escaped, markup is not, null and undefined are empty', () => {
  const evil = `<script>"&'`
  assert.equal(
    html`<p title="${evil}">${evil}</p>`.markup,
    '<p title="&lt;script&gt;&quot;&amp;&#39;">&lt;script&gt;&quot;&amp;&#39;</p>'
  )
  assert.equal(html`${[html`<b>1</b>`, 'a<', 2, null, undefined, false]}`.markup, '<b>1</b>a&lt;2')
})

const FRAME: Frame = {
  service: 'boxes',
  console: 'http://127.0.0.1:4000',
  services: [
    { name: 'boxes', href: 'http://127.0.0.1:4002/' },
    { name: 'mock', href: 'http://127.0.0.1:4008/__nonet/' }
  ],
  isReachable: false
}

function inlineHash(page: string, element: string): string {
  const text = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page)?.[1] ?? ''
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

test('a page has its title, its crumbs, and a style and a script the policy allows', () => {
  const page = renderPage(
    {
      title: '<Title>',
      crumbs: [{ text: 'reference', href: '/?a=1&b=2' }, { text: 'here' }],
      main: html`<p>main</p>`,
      foot: html`<p>foot</p>`
    },
    FRAME
  )
  assert.match(page, /<title>&lt;Title&gt; · nonet<\/title>/)
  assert.match(page, /<a href="\/\?a=1&amp;b=2">reference<\/a>/)
  assert.match(page, /<span aria-current="page">here<\/span>/)
  assert.match(page, /<footer class="foot"><p>foot<\/p><\/footer>/)
  for (const element of ['style', 'script']) {
    for (const headers of [PAGE_HEADERS, SCRIPTED_PAGE_HEADERS]) {
      assert.ok(headers['content-security-policy']?.includes(inlineHash(page, element)), element)
    }
  }
})

test('a style of some pages is allowed by their policy and by no other', () => {
  const style = createPageStyle('.own { /* note */ color: var(--ink); }')
  const page = renderPage({ title: 'Page', main: html``, style }, FRAME)
  const [shared = '', own = ''] = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  )
  assert.match(page, /<style>\.own\{color:var\(--ink\)\}<\/style>/)
  for (const script of [undefined, '/own.js']) {
    const policyOf = (one: object) => headersOf(one)['content-security-policy'] ?? ''
    const scripted = script === undefined ? {} : { script }
    assert.ok(policyOf({ style, ...scripted }).includes(`style-src ${shared} ${own};`))
    assert.ok(policyOf(scripted).includes(`style-src ${shared};`))
    assert.equal(/script-src 'self'/.test(policyOf({ style, ...scripted })), script !== undefined)
  }
})

test('the top bar leads to the console and to the pages of the services', () => {
  const page = renderPage({ title: 'Page', main: html`` }, FRAME)
  assert.match(page, /<a class="brand" href="http:\/\/127\.0\.0\.1:4000\/">/)
  assert.match(page, /<a href="http:\/\/127\.0\.0\.1:4008\/__nonet\/"><i class="tile mock">/)
  assert.match(page, /4002\/" aria-current="true">/)
  assert.match(page, /this machine only/)
  const alone = renderPage({ title: 'Page', main: html`` }, { ...NO_FRAME, isReachable: true })
  assert.doesNotMatch(alone, /<a class="brand"|switcher"/)
  assert.match(alone, /reachable from the network/)
})

test('a public page has its own style, no link to the console and no script', () => {
  const { render, headers, frameHeaders } = createPublicLayout('.post { color: var(--ink); }')
  const page = render({
    title: 'A <post>',
    icon: '/favicon.svg',
    theme: 'dark',
    head: html`<meta name="author" content="Ada">`,
    body: html`<main><h1>Hello</h1></main>`
  })
  assert.match(page, /<title>A &lt;post&gt;<\/title>/)
  assert.match(page, /<html lang="en" data-theme="dark">/)
  assert.match(page, /--ground:.*\.post\{color:var\(--ink\)\}<\/style>/)
  assert.doesNotMatch(page, /<script|nonet|\.top/)
  for (const policies of [headers, frameHeaders]) {
    const policy = policies['content-security-policy'] ?? ''
    assert.doesNotMatch(policy, /script-src/)
    assert.ok(policy.includes(inlineHash(page, 'style')))
  }
  assert.match(headers['content-security-policy'] ?? '', /frame-ancestors 'none'$/)
  assert.match(frameHeaders['content-security-policy'] ?? '', /frame-ancestors \*$/)
})

test('each service has a favicon of its own', () => {
  const icons = ['reference', 'boxes', 'mock', undefined].map(faviconOf)
  assert.equal(new Set(icons).size, icons.length)
  for (const icon of icons) assert.match(icon, /^data:image\/svg\+xml,%3Csvg/)
})
