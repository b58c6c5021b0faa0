import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity } from '../records/record.ts'
import { createLinks } from './links.ts'
import {
  excerptOf,
  linkedPostIds,
  monthName,
  renderText,
  safeUrl,
  type TextContext,
  timeText
} from './text.ts'

const BASE = 'https://posts.example/old'
const context: TextContext = {
  baseUrl: BASE,
  links: createLinks({ name: 'Posts', baseUrl: BASE }),
  linked: new Map([['20', 'ada']])
}

function render(text: string, ...entities: Entity[]): string {
  return renderText({ text, entities }, context).markup
}

function url(start: number, end: number, href: string, display?: string): Entity {
  return { type: 'url', start, end, href, ...(display !== undefined && { display }) }
}

const LINK = 'rel="nofollow noopener ugc"'

const TEXTS: readonly (readonly [title: string, rendered: string, expected: string])[] = [
  ['plain text is escaped', render('a < b & "c"'), 'a &lt; b &amp; &quot;c&quot;'],
  [
    'positions count code points',
    render('👩‍🚀🎉 x https://e.example', url(7, 24, 'https://e.example/', 'e.example')),
    `👩‍🚀🎉 x <a href="https://e.example/" ${LINK}>e.example</a>`
  ],
  [
    'an entity that overlaps another one is text',
    render('abcdef', url(0, 4, 'https://a.example'), url(2, 6, 'https://b.example')),
    `<a href="https://a.example/" ${LINK}>abcd</a>ef`
  ],
  [
    'entities beyond the text are cut or dropped',
    render('abc', url(1, 99, 'https://a.example'), url(5, 6, 'https://b.example')),
    `a<a href="https://a.example/" ${LINK}>bc</a>`
  ],
  [
    'positions that are no positions are ignored',
    render(
      'abc',
      url(-1, 2, 'https://a.example'),
      url(Number.NaN, 2, 'https://a.example'),
      url(2, 1, 'https://a.example')
    ),
    'abc'
  ],
  ['only web URLs are links', render('abc', url(0, 3, 'javascript:alert(1)')), 'abc'],
  [
    'a mention without a URL is text',
    render('@bob', { type: 'mention', start: 0, end: 4 }),
    '@bob'
  ],
  [
    'a hashtag is searched',
    render('#größe', { type: 'hashtag', start: 0, end: 6 }),
    '<a class="p-category" href="/old/search?q=%23gr%C3%B6%C3%9Fe">#größe</a>'
  ],
  [
    'a link to a post that is here stays here',
    render('x', url(0, 1, 'https://twitter.com/someone/status/20?s=20')),
    '<a href="/old/ada/status/20">x</a>'
  ],
  [
    'a link to another post leads away',
    render('x', url(0, 1, 'https://x.com/ada/status/21')),
    `<a href="https://x.com/ada/status/21" ${LINK}>x</a>`
  ],
  [
    'direction controls end with their part',
    render('a \u202eb c', url(4, 5, 'https://a.example', '\u2066d')),
    `<bdi>a \u202eb</bdi><a href="https://a.example/" ${LINK}><bdi>\u2066d</bdi></a>c`
  ]
]

for (const [title, rendered, expected] of TEXTS) {
  test(`text of a post: ${title}`, () => assert.equal(rendered, expected))
}

test('linked posts are found in URLs of the original site and of this one', () => {
  const ids = [
    'https://twitter.com/a/status/1',
    'https://mobile.x.com/i/web/status/2/',
    'https://x.com/a/status/3/photo/1',
    'https://posts.example/old/a/statuses/4',
    'https://posts.example/a/status/5',
    'https://other.example/a/status/6',
    'https://x.com/a/status/x7'
  ].map((href, index) => url(index, index + 1, href))
  assert.deepEqual(linkedPostIds({ entities: ids }, BASE), ['1', '2', '3', '4'])
})

test('excerpts have one line, end after a word and split no character', () => {
  assert.equal(excerptOf('  a\n\n b\u202e ', 10), 'a b')
  assert.equal(excerptOf('one two three', 9), 'one two…')
  assert.equal(excerptOf('x'.repeat(30), 20), `${'x'.repeat(19)}…`)
  assert.equal(excerptOf('🎉'.repeat(5), 3), '🎉🎉…')
  assert.equal(excerptOf('a\ud800b', 9), 'a\ufffdb')
})

test('times and months are told in UTC', () => {
  assert.equal(timeText('2026-03-03T18:07:10.815Z'), '3 March 2026, 18:07 UTC')
  assert.equal(monthName('2009-12'), 'December 2009')
})

test('only absolute http and https URLs are safe', () => {
  const refused = [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '//a',
    '/a',
    ''
  ]
  assert.deepEqual(refused.map(safeUrl), Array(refused.length).fill(undefined))
  assert.equal(safeUrl('HTTPS://a.example/"<'), 'https://a.example/%22%3C')
})
