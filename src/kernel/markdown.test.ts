import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_MARKDOWN_LENGTH, outlineOf, renderArticle, renderMarkdown } from './markdown.ts'

function render(text: string, relativeLinks = false): string {
  return renderMarkdown(text, { idPrefix: 'p-', relativeLinks }).markup.trim()
}

test('raw HTML is text', () => {
  assert.equal(
    render('<script>alert(1)</script> a <b onclick="x">b</b>'),
    '<p>&lt;script&gt;alert(1)&lt;/script&gt; a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>'
  )
  assert.doesNotMatch(render('<div style="color:red">\n\n<!-- a -->\n\n<?php ?>'), /<(div|!|\?)/)
})

test('links lead to the web, to an email address, a phone number or this origin', () => {
  for (const target of [
    'http://a.example/',
    'HTTPS://a.example/',
    'mailto:a@b.example',
    'tel:+1',
    '/a?b#c'
  ]) {
    assert.match(render(`[a](${target})`), /<a href="/, target)
    assert.match(render(`![a](${target})`), /<img src="/, target)
  }
  assert.equal(render('[a](#b)'), '<p><a href="#p-b">a</a></p>')
  assert.equal(render('[a](/b)'), '<p><a href="/b">a</a></p>')
  assert.equal(
    render('[a](https://b.example)'),
    '<p><a href="https://b.example" rel="nofollow noopener">a</a></p>'
  )
})

test('all other targets stay text, in links, images, references and autolinks', () => {
  const targets = [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'jav&#x61;script:alert(1)',
    'javascript&colon;alert(1)',
    'vbscript:a',
    'data:text/html,a',
    'data:image/png;base64,AAAA',
    'data:image/svg+xml,a',
    'file:///etc/passwd',
    'blob:a',
    '//a.example/b',
    '/\\a.example/b',
    '\\\\a.example'
  ]
  for (const target of targets) {
    const sent = target.startsWith('/\\') || target.startsWith('\\') ? `<${target}>` : target
    for (const text of [`[a](${sent})`, `![a](${sent})`, `[a]\n\n[a]: ${sent}`, `<${target}>`]) {
      assertSameOrigin(render(text), text)
      assertSameOrigin(render(text, true), text)
    }
  }
  assert.doesNotMatch(render('[a](b.md) [a](../b) [a](?c) [a]()'), /<a/)
  assert.equal(render('[a](../b.md#c)', true), '<p><a href="../b.md#c">a</a></p>')
})

/** What a browser makes of the links and images, on a page at an address of its own. */
function assertSameOrigin(markup: string, text: string): void {
  for (const [, target = ''] of markup.matchAll(/ (?:href|src)="([^"]*)"/g)) {
    const url = new URL(target.replaceAll('&amp;', '&'), 'http://page.example/a/')
    assert.equal(url.origin, 'http://page.example', `${text} → ${target}`)
  }
}

test('links can be replaced, or be shown as the path of a file', () => {
  const options = {
    idPrefix: 'p-',
    relativeLinks: true,
    resolveLink: (target: string) => (target.endsWith('.md') ? `/${target}` : { path: target })
  }
  assert.equal(
    renderMarkdown('[a *b*](c.md) [d](e.ts) ![f](g.png)', options).markup,
    '<p><a href="/c.md">a <em>b</em></a> d (<code>e.ts</code>) f</p>\n'
  )
})

test('headings have the ids of GitHub, with a prefix and a link', () => {
  const text = '# The `up` command!\n\n## Größe & more\n\n## A\n\n## A\n\n### A-1\n'
  assert.deepEqual(
    outlineOf(text).headings.map(({ level, id, line }) => [level, id, line]),
    [
      [1, 'the-up-command', 0],
      [2, 'größe--more', 2],
      [2, 'a', 4],
      [2, 'a-1', 6],
      [3, 'a-1-1', 8]
    ]
  )
  const markup = render(text)
  assert.match(markup, /^<h1 id="p-the-up-command">The <code>up<\/code> command!<\/h1>/)
  assert.match(
    markup,
    /<h2 id="p-a-1">A<a class="anchor" href="#p-a-1" aria-label="Link to A">#<\/a><\/h2>/
  )
  const second = renderMarkdown('## A', { idPrefix: 'p-', usedIds: ['a', 'a-1'] })
  assert.match(second.markup, /^<h2 id="p-a-2">/)
  const { firstParagraph } = outlineOf('# A\n\n- b\n\nThe `first`\nparagraph.\n\nc')
  assert.equal(firstParagraph, 'The first paragraph.')
})

test('tables scroll in a box, and alignment is a class', () => {
  const markup = render('## Sizes\n\n|a|b|c|\n|:-|:-:|-:|\n|a longer text that may wrap|x|1|')
  assert.match(
    markup,
    /<div class="wide" tabindex="0" role="group" aria-label="Table: Sizes"><table>/
  )
  assert.match(markup, /<td>a longer text that may wrap<\/td>/)
  assert.match(markup, /<td class="center fit">x<\/td>\n<td class="right fit">1<\/td>/)
  assert.doesNotMatch(markup, /style/)
})

test('code has the colours of its language and can be changed', () => {
  assert.match(render('```json\n{"a": 1}\n```'), /<span class="hl-name">&quot;a&quot;<\/span>/)
  assert.match(render('```console\nnpx a --flag\n```'), /<span class="hl-name">--flag<\/span>/)
  assert.match(render('```ts\nconst a = 1\n```'), /<span class="hl-name">const<\/span>/)
  assert.match(render('```constructor\n<b>\n```'), /<pre tabindex="0">&lt;b&gt;<\/pre>/)
  assert.match(render(`\`${'a '.repeat(20)}b\` \`--c\``), /<code class="long">.*<code>--c</)
  const changeCode = (text: string, language: string) => `${language}:${text}`
  const { markup } = renderMarkdown('`a`\n\n```sh x\nb\n```', { idPrefix: '', changeCode })
  assert.match(markup, /<code>:a<\/code>.*>sh:b</s)
})

test('the button of a shell session copies its commands only', () => {
  const session = '```console\n$ npx a \\\n  --flag\nstarted\n$ npx b\n```'
  assert.ok(render(session).includes(' data-copy="npx a \\\n  --flag\nnpx b"'))
  assert.ok(!render('```sh\necho $a\n```').includes('data-copy'))
})

const HOSTILE: Readonly<Record<string, string>> = {
  brackets: '[',
  'image brackets': '![',
  'closed brackets': '[a](',
  'nested labels': '[[a]',
  'open references': '[a][b',
  'lines of brackets': '[\n',
  emphasis: '*a_ ',
  'mixed emphasis': '**a *b ',
  'closing emphasis': 'a**b c* ',
  strikethrough: '~~a ',
  quotes: '>',
  'quoted lists': '> - ',
  lists: '- ',
  backticks: '`a',
  entities: '&#x61;',
  backslashes: '\\',
  angles: '<',
  autolinks: '<http:',
  headings: '# a\n',
  'table cells': 'a|',
  'table rows': '|a|b|\n|-|-|\n|a\n',
  'long line': 'a',
  'long line of spaces': ' ',
  definitions: '[a]: b\n',
  'rejected links': '[a](javascript:b) ',
  'lone surrogates': '\ud800'
}

/** A quarter of the longest text: these take 10 to 100 ms each, in quadratic time many seconds. */
const HOSTILE_LENGTH = MAX_MARKDOWN_LENGTH / 4
const MAX_CPU_MS = 5000
const ATTEMPTS = 3

test('hostile texts take linear time and space', () => {
  const repeat = (part: string) => part.repeat(HOSTILE_LENGTH / part.length)
  const half = HOSTILE_LENGTH / 2
  const texts = [
    ...Object.entries(HOSTILE).map(([name, part]) => [name, repeat(part)] as const),
    ['nested quotes', `${'> '.repeat(200)}a\n${'a\n'.repeat(half - 300)}`] as const,
    ['one long definition', `[a]: /${'b'.repeat(half)}\n\n${'[a] '.repeat(half / 5)}`] as const,
    ['one long title', `[a]: /b "${'c'.repeat(half)}"\n\n${'![a] '.repeat(half / 6)}`] as const,
    ['one long heading', `# ${'a'.repeat(half)}\n${'\na|b\n-|-\n'.repeat(half / 10)}`] as const
  ]
  for (const [name, text] of texts) {
    let length = 0
    let leastMs = Number.POSITIVE_INFINITY
    // A shared machine may stop the process meanwhile.
    for (let attempt = 0; attempt < ATTEMPTS && leastMs >= MAX_CPU_MS; attempt++) {
      const before = process.cpuUsage()
      length = render(text, true).length
      const { user, system } = process.cpuUsage(before)
      leastMs = Math.min(leastMs, (user + system) / 1000)
    }
    assert.ok(leastMs < MAX_CPU_MS, `${name}: ${leastMs} ms`)
    assert.ok(length < 20 * HOSTILE_LENGTH, `${name}: ${length} characters`)
  }
})

test('a text that is too long is shown as it is', () => {
  const markup = render(`# a\n${'<b>'.repeat(MAX_MARKDOWN_LENGTH / 3)}`)
  assert.match(markup, /^<div class="block"><pre tabindex="0"># a\n&lt;b&gt;/)
  assert.deepEqual(outlineOf(`# a\n${'b'.repeat(MAX_MARKDOWN_LENGTH)}`).headings, [])
})

test('plain markup has no classes, roles and links of our pages', () => {
  const text = [
    '## Title',
    `\`${'c'.repeat(40)}\``,
    '```js\na<b\n```',
    '| a | b |\n| - | -: |\n| 1 | 2 |'
  ].join('\n\n')
  const { markup, firstParagraph } = renderArticle(text, { idPrefix: 'p-', plain: true })
  assert.match(markup, /^<h2 id="p-title">Title<\/h2>\n/)
  assert.match(markup, /<pre><code class="language-js">a&lt;b\n<\/code><\/pre>/)
  assert.match(markup, /<table>\n<thead>/)
  assert.doesNotMatch(markup, /tabindex|role=|class="(?!language-)|anchor/)
  assert.equal(firstParagraph, 'c'.repeat(40))
  assert.equal(markup, renderMarkdown(text, { idPrefix: 'p-', plain: true }).markup)
})

test('plain markup of a text that is too long is the text', () => {
  const text = '<'.repeat(MAX_MARKDOWN_LENGTH + 1)
  const { markup } = renderArticle(text, { idPrefix: 'p-', plain: true })
  assert.equal(markup, `<pre>${'&lt;'.repeat(text.length)}</pre>`)
})
