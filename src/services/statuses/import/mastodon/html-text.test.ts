import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastMs } from '../../../../../test/support/least-ms.ts'
import { htmlText } from './html-text.ts'

const TEXTS: Readonly<Record<string, [string, string]>> = {
  paragraphs: ['<p>one</p><p>two<br>three<br/>four</p>', 'one\n\ntwo\nthree\nfour'],
  references: [
    '&lt;b&gt; &amp;amp; &quot;x&quot; &#39;y&#x27; &nbsp;|&copy;',
    `<b> &amp; "x" 'y' \u00a0|&copy;`
  ],
  'characters that are no tags': ['a < b, 1<2 and <3 <', 'a < b, 1<2 and <3 <'],
  'a tag that does not end': ['x <a href="y', 'x <a href="y'],
  'other tags': ['<ul><li>one</li><li>two</li></ul><b>x</b><!-- c -->', 'one\ntwo\n\nx'],
  scripts: ['<script>alert(1)</script>', 'alert(1)'],
  'line feeds in the source': ['<p>a\n  b</p>\n<p>c</p>', 'a b\n\nc'],
  'unknown references': ['&#0; &#xd800; &#1114112;', '\ufffd \ufffd \ufffd'],
  'an empty text': ['', '']
}

for (const [title, [html, text]] of Object.entries(TEXTS)) {
  test(`the text of HTML: ${title}`, () => assert.deepEqual(htmlText(html), { text, entities: [] }))
}

test('links, mentions and hashtags stay on their words', () => {
  const html =
    '<p>👩‍👩‍👧 <span class="h-card"><a href="https://a.example/@eve" class="u-url mention">@<span>eve</span></a></span> ' +
    '<a href="https://a.example/tags/x" class="mention hashtag" rel="tag">#<span>x</span></a> ' +
    '<a href="https://example.org/long?a=1&amp;b=2"><span class="invisible">https://</span><span class="ellipsis">example.org/lo</span><span class="invisible">ng?a=1&amp;b=2</span></a> ' +
    '<a href="https://example.org/">words</a> <a href="javascript:alert(1)">bad</a></p>'
  const { text, entities } = htmlText(html)
  assert.equal(text, '👩‍👩‍👧 @eve #x https://example.org/long?a=1&b=2 words bad')
  const words = entities.map((entity) => [
    ...[entity.type, Array.from(text).slice(entity.start, entity.end).join('')],
    ...[entity.href, entity.display]
  ])
  assert.deepEqual(words, [
    ['mention', '@eve', 'https://a.example/@eve', undefined],
    ['hashtag', '#x', undefined, undefined],
    [
      'url',
      'https://example.org/long?a=1&b=2',
      'https://example.org/long?a=1&b=2',
      'example.org/lo…'
    ],
    ['url', 'words', 'https://example.org/', undefined]
  ])
})

test('HTML that is nested or cut costs linear time', () => {
  for (const html of ['<'.repeat(200_000), '<a href="'.repeat(50_000), '<p '.repeat(100_000)]) {
    assert.ok(leastMs(() => htmlText(html), 5_000) < 5_000, html.slice(0, 9))
  }
})
