import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastMs } from '../../../../../test/support/least-ms.ts'
import { imageIdsOf } from './message-images.ts'
import { safeHtml } from './safe-html.ts'

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
const imageOf = (id: string) => (id === 'logo@example' ? PIXEL : undefined)
const shown = (html: string) => safeHtml(html, imageOf).html

const CASES: Readonly<Record<string, readonly [html: string, shown: string]>> = {
  'ordinary markup stays': [
    '<p class="a" style="color: red">x &amp; &eacute; <b>y</b><br></p>',
    '<p class="a" style="color: red">x &amp; &eacute; <b>y</b><br></p>'
  ],
  'scripts, titles and frames go with their content': [
    '<title>t</title><script>alert(1)</script><iframe src="//x">i</iframe>a',
    'a'
  ],
  'unknown tags go, their text stays': [
    '<form action="https://x"><button>Send</button></form><svg onload=alert(1)><a>z</a>',
    'Send<a>z</a>'
  ],
  'handlers and unknown attributes go': [
    '<p onclick="alert(1)" OnMouseOver=alert(1) data-x=1 ping=//x>a</p>',
    '<p>a</p>'
  ],
  'web and mail links open in a new tab': [
    '<a href="https://example.org/?a=1&amp;b=2">x</a>',
    '<a href="https://example.org/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">x</a>'
  ],
  'links within the message stay': ['<a href="#top">x</a>', '<a href="#top">x</a>'],
  'other links lose their target': [
    '<a href="javascript:alert(1)">a</a><a href="&#106;avascript:alert(1)">b</a><a href="/x">c</a><a href=" data:text/html,x">d</a>',
    '<a>a</a><a>b</a><a>c</a><a>d</a>'
  ],
  'images of the message are shown': [
    `<img src="cid:logo@example" alt="Logo"><img src="${PIXEL}">`,
    `<img src="${PIXEL}" alt="Logo"><img src="${PIXEL}">`
  ],
  'images of other hosts and other data are not': [
    '<img src="https://x/1.png" srcset="//x/2.png 2x" alt="One"><img src="cid:none"><img src="data:text/html,x">',
    '<img alt="One"><img><img>'
  ],
  'quotes and angle brackets in values are escaped': [
    `<p title='"><script>alert(1)</script>'>x</p>`,
    '<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">x</p>'
  ],
  'what is no tag is text': ['1 < 2 <b', '1 &lt; 2 &lt;b'],
  'comments go, also those for one mail program': ['a<!--[if mso]><b>x</b><![endif]-->c', 'ac'],
  'the colours of the body are kept': [
    '<html><body bgcolor="#eeeeee" style="color:red" onload="x()">a</body></html>',
    '<div style="background-color:#eeeeee;color:red">a'
  ],
  'style sheets stay without what they load': [
    '<style>@import "https://x";a{background:url(https://x)}b{color:red}</style>',
    '<style>a{background:none}b{color:red}</style>'
  ],
  'references cannot hide a function of a style': [
    '<p style="background:u&#114;l(https://x);color:red">a</p>',
    '<p style="background:none;color:red">a</p>'
  ],
  'nor can escapes': [
    '<p style="background:u\\72l(https://x)">a</p><style>@\\69mport "https://x"</style>',
    '<p>a</p><style></style>'
  ],
  'nor can comments': [
    '<style>a{background:url(/*)*/https://x)}</style>',
    '<style>a{background:none}</style>'
  ],
  'a style sheet cannot end early': [
    '<style>a{content:"</sty"}</style>',
    '<style>a{content:"\\3c /sty"}</style>'
  ]
}

for (const [title, [html, expected]] of Object.entries(CASES)) {
  test(title, () => assert.equal(shown(html), expected))
}

test('counts the images that it removes', () => {
  const { remoteImages } = safeHtml(
    `<img src="https://x/1" srcset="https://x/2 2x"><td background='//x/3'><p style="background:url(http://x/4)">
<video poster="https://x/5"></video><style>a{background:url('https://x/6')}</style><img src="cid:x"><a href="https://x/">`,
    imageOf
  )
  assert.equal(remoteImages, 5)
})

test('finds the ids of the images of a message', () => {
  const html = `<img src="cid:a@b"><img src='CID:c'><img src=cid:d><p style="background:url(cid:e)"> cid:f`
  assert.deepEqual(imageIdsOf(html, 10), ['a@b', 'c', 'd', 'e'])
  assert.deepEqual(imageIdsOf(html, 2), ['a@b', 'c'])
})

test('hostile markup costs linear time', () => {
  const parts = [
    '<style>',
    '<p style="url(',
    '/*',
    '@import ',
    '<img src="',
    'url( ',
    '\\72 ',
    'cid:',
    '"cid:x '
  ]
  for (const part of parts) {
    for (const html of [part.repeat(33_000), `<style>${part.repeat(33_000)}`]) {
      const read = () => [shown(html), imageIdsOf(html, 50)]
      assert.ok(leastMs(read, 1_000) < 1_000, part)
    }
  }
})
