import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastMs } from '../../../../test/support/least-ms.ts'
import { textOfHtml } from './text-of-html.ts'

test('blocks, lists, links and images become lines of text', () => {
  const html = `<html><head><title>No</title><style>p{}</style></head><body>
    <h1>Hello &amp; welcome</h1><p>One<br>two <b>bold</b>  words</p>
    <ul><li>first</li><li>second</li></ul><script>alert(1)</script>
    <p>See <a href="https://example.test/a?b=1&amp;c=2">here</a> or
    <a href="https://example.test">https://example.test</a><img alt="Logo" src="x"></p>
    <table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table><pre>  kept
    as is</pre></body></html>`
  assert.equal(
    textOfHtml(html),
    [
      'Hello & welcome',
      '',
      'One',
      'two bold words',
      '',
      '* first',
      '* second',
      '',
      'See here [https://example.test/a?b=1&c=2] or https://example.test[Logo]',
      '',
      'a b',
      'c',
      '',
      '  kept',
      '    as is'
    ].join('\n')
  )
})

test('hostile markup takes linear time', () => {
  const convert = () => {
    textOfHtml(`<pre>${' '.repeat(400_000)}x</pre>`)
    textOfHtml('<a href="https://x.test">'.repeat(15_000))
    textOfHtml('<a href="https://x.test">y</a>'.repeat(15_000))
  }
  assert.ok(leastMs(convert, 7_000) < 7_000)
})
