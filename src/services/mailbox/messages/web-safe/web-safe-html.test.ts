import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastMs } from '../../../../../test/support/least-ms.ts'
import { embedImages } from './embed-images.ts'
import { webSafeHtml } from './web-safe-html.ts'
import { webSafeText } from './web-safe-text.ts'

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
const images = new Map([['logo@example', PIXEL]])
const shown = (html: string) => webSafeHtml(html, { images }).html
const FOLD = '<details class="ee-collapsed-thread"><summary></summary>'

const CASES: Readonly<Record<string, readonly [html: string, shown: string]>> = {
  'scripts, style sheets, forms and frames go': [
    '<style>p{position:fixed}</style><script>x()</script><form action=//x><input name=a>b</form><iframe src=//x></iframe><object data=x></object><base href=//x><meta http-equiv=refresh content="0;url=//x">c',
    'bc'
  ],
  'handlers go': ['<img src=x onerror=alert(1)><p onclick="x()">a', '<img><p>a</p>'],
  'links open in new tabs, scripts are no links': [
    '<a href="https://example.org/?a=1&amp;b">a</a><a href="javascript:x()">b</a><a href="vbscript:x">c</a>',
    '<a href="https://example.org/?a=1&amp;b" target="_blank" rel="noopener noreferrer">a</a><a>b</a><a>c</a>'
  ],
  'images of the message are embedded, those of other hosts stay': [
    '<img src="cid:logo@example" alt="Logo"><img src="CID:logo%40example"><img src="//cdn.example/a.png"><img src="https://x/b.png">',
    `<img src="${PIXEL}" alt="Logo"><img src="${PIXEL}"><img src="https://cdn.example/a.png" referrerpolicy="no-referrer"><img src="https://x/b.png" referrerpolicy="no-referrer">`
  ],
  'an element cannot leave its container': [
    '<div style="position:fixed;top:0;left:0;z-index:9;width:100%;margin:-10px;color:red">a</div>',
    '<div style="width:100%;color:red">a</div>'
  ],
  'strings and parentheses hide no declaration': [
    `<p style="font-family:'a;b';background:url(${PIXEL}) no-repeat;color:red">a</p><p style="font-family:'a&#10;;position:fixed">b</p>`,
    `<p style="font-family:'a;b';background:url(${PIXEL}) no-repeat;color:red">a</p><p>b</p>`
  ],
  'values of the page are not used': [
    '<p style="color:var(--brand);--x:1;width:calc(1px + 2px);background:url(javascript:x)">a</p>',
    '<p style="width:calc(1px + 2px);background:none">a</p>'
  ],
  'classes go, ids get a prefix, and links to them': [
    '<p class="modal fixed" id="login">a <a href="#login">b</a></p>',
    '<p id="user-content-login">a <a href="#user-content-login">b</a></p>'
  ],
  'the body becomes an element': [
    '<html><head><title>t</title></head><body bgcolor=red>a</body></html>',
    '<div style="background-color:red">a</div>'
  ],
  'tags without an end get one': ['<div><b>a<i>b', '<div><b>a<i>b</i></b></div>'],
  'ends of what is not open go': ['a</div></td></body></html></p>b', 'ab'],
  'ends in a cell end nothing outside': [
    '<div><table><tr><td>a</div>b</td></tr></table></div>',
    '<div><table><tr><td>ab</td></tr></table></div>'
  ],
  'ends that are implied are written': [
    '<p>a<p>b<ul><li>c<li>d</ul><table><tr><td>e<td>f<tr><td>g</table>',
    '<p>a</p><p>b</p><ul><li>c</li><li>d</li></ul><table><tr><td>e</td><td>f</td></tr><tr><td>g</td></tr></table>'
  ],
  'lists and tables within others do not end them': [
    '<ul><li>a<ul><li>b</ul><li>c</ul><table><tr><td><table><tr><td>d</table><td>e</table>',
    '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><table><tr><td><table><tr><td>d</td></tr></table></td><td>e</td></tr></table>'
  ],
  'the quote of Gmail is folded': [
    '<div>Yes</div><div class="gmail_quote"><div>On Monday she wrote:</div><blockquote>x</blockquote></div><br>',
    `<div>Yes</div>${FOLD}<div><div>On Monday she wrote:</div><blockquote>x</blockquote></div></details><br>`
  ],
  'so is that of Apple Mail, once': [
    'Yes<blockquote type="cite">a<blockquote type="cite">b</blockquote></blockquote>',
    `Yes${FOLD}<blockquote>a<blockquote>b</blockquote></blockquote></details>`
  ],
  'and that of Outlook, to the end of its container': [
    '<body><div>Yes<div id="appendonsend"></div><hr><div id="divRplyFwdMsg">From: a</div><div>b</div></div>&nbsp;</body>',
    `<div><div>Yes${FOLD}<div id="user-content-appendonsend"></div><hr><div id="user-content-divRplyFwdMsg">From: a</div><div>b</div></details></div>&nbsp;</div>`
  ],
  'and that of Outlook on desktops, which has a border': [
    `<div class=WordSection1><p>Yes</p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p>From: a</p></div></div><p>b</p></div>`,
    `<div><p>Yes</p>${FOLD}<div><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p>From: a</p></div></div><p>b</p></details></div>`
  ],
  'replies between quoted lines are not folded': [
    'a<blockquote type=cite>b</blockquote>c<blockquote type=cite>d</blockquote>e',
    'a<blockquote>b</blockquote>c<blockquote>d</blockquote>e'
  ],
  'only the last of several quotes is': [
    'a<blockquote type=cite>b</blockquote>c<blockquote type=cite>d</blockquote>',
    `a<blockquote>b</blockquote>c${FOLD}<blockquote>d</blockquote></details>`
  ],
  'a quote alone is not folded': [' <div class="gmail_quote">a</div>', ' <div>a</div>'],
  'a forwarded message is not folded': [
    'FYI<div class="gmail_quote"><div>---------- Forwarded message ---------</div>a</div>',
    'FYI<div><div>---------- Forwarded message ---------</div>a</div>'
  ]
}

for (const [title, [html, expected]] of Object.entries(CASES)) {
  test(title, () => assert.equal(shown(html), expected))
}

test('images of other hosts are blocked on request, and counted', () => {
  const source =
    '<img src="https://x/a.png" srcset="https://x/b.png 2x" alt="A"><td background=//x/c><p style="background:url(https://x/d)">e</p>'
  const blocked = webSafeHtml(source, { images, remoteImages: 'block' })
  assert.equal(
    blocked.html,
    '<img data-remote-src="https://x/a.png" alt="A"><td><p style="background:none">e</p></td>'
  )
  assert.equal(blocked.remoteImages, 3)
  assert.match(webSafeHtml(source, { images }).html, /url\(https:\/\/x\/d\)/)
})

test('references to images stay if there are no images to embed', () => {
  assert.equal(webSafeHtml('<img src="cid:a@b">').html, '<img src="cid:a@b">')
})

test('markup is cut at a million characters, not within a tag', () => {
  const { html, isCut } = webSafeHtml(`${'x'.repeat(999_990)}<img src="https://example.org/a.png">`)
  assert.equal(isCut, true)
  assert.equal(html, 'x'.repeat(999_990))
  assert.equal(webSafeHtml('x').isCut, false)
})

test('one image in many elements does not fill the memory', () => {
  const large = new Map([['a', `data:image/png;base64,${'A'.repeat(5_000_000)}`]])
  const source = '<img src="cid:a">'.repeat(50_000)
  assert.ok(webSafeHtml(source, { images: large }).html.length < 20_000_000)
  assert.ok(embedImages(source, large).length < 20_000_000)
})

test('images are embedded in markup that stays as it is', () => {
  assert.equal(
    embedImages('<script>x</script><img src="cid:logo@example"><img src=cid:none>', images),
    `<script>x</script><img src="${PIXEL}"><img src=cid:none>`
  )
})

test('a plain text becomes markup with links', () => {
  assert.equal(
    webSafeText('a <b> & "c"\r\nsee (https://example.org/?a=1&b=2).').html,
    '<div style="white-space:pre-wrap">a &lt;b&gt; &amp; &quot;c&quot;\nsee (<a href="https://example.org/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">https://example.org/?a=1&amp;b=2</a>).</div>'
  )
})

test('quoted lines at the end of a plain text are folded', () => {
  const open = '<div style="white-space:pre-wrap">'
  assert.equal(
    webSafeText('a\n> b\n\n> c\n').html,
    `${open}a${FOLD}&gt; b\n\n&gt; c\n</details></div>`
  )
  assert.equal(webSafeText('> b\nc').html, `${open}&gt; b\nc</div>`)
  assert.equal(webSafeText('> b').html, `${open}&gt; b</div>`)
  assert.equal(
    webSafeText('a\n-----Original Message-----\nFrom: b').html,
    `${open}a${FOLD}-----Original Message-----\nFrom: b</details></div>`
  )
})

test('hostile markup costs linear time and does not nest deeply', () => {
  const parts = [
    ...['<div>', '<b><p>', '</b>', '<table><tr><td>', '<blockquote type=cite>', '<p style="a:(">'],
    ...['<blockquote type=cite></blockquote>', '<div id=divRplyFwdMsg>', '<td><li><dd>'],
    ...[`<div style="border-top:solid #E1E1E1 1.0pt">`, '<title></title>', '<a href="#', '<body>'],
    ...['&nbsp;', 'https://', 'https://a)))', '\n>', '\n \n']
  ]
  for (const part of parts) {
    for (const source of [part.repeat(10_000), `a${part.repeat(10_000)}b`]) {
      let html = ''
      const make = () => {
        html = webSafeHtml(source, { images }).html
        webSafeText(source)
      }
      assert.ok(leastMs(make, 1_000) < 1_000, part)
      assert.ok(depthOf(html) <= 201, part)
    }
  }
})

test('a URL of punctuation costs linear time', () => {
  let html = ''
  const make = () => {
    html = webSafeText(`https://a${')'.repeat(300_000)}b ${'https://a)'.repeat(2)}`).html
  }
  assert.ok(leastMs(make, 3_000) < 3_000)
  assert.ok(html.endsWith('>https://a)https://a</a>)</div>'))
})

function depthOf(html: string): number {
  let depth = 0
  let most = 0
  for (const [, slash] of html.matchAll(/<(\/?)(?!br|hr|img|col\b|wbr)[a-z]/g)) {
    depth += slash === '/' ? -1 : 1
    most = Math.max(most, depth)
  }
  assert.equal(depth, 0)
  return most
}
