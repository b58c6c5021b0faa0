import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TextMatcher } from './text-matcher.ts'

function isFound(wanted: string, pieces: readonly string[]): boolean {
  const matcher = new TextMatcher(wanted)
  return pieces.some((piece) => matcher.write(piece)) || matcher.end()
}

test('a text is found without regard to case, across pieces and lines', () => {
  assert.ok(isFound('GRÜSSE', ['viele gr', 'üsse']))
  assert.ok(isFound('é', ['caf', 'e', '\u0301\n']))
  assert.ok(isFound('a\r\nb', ['xa\r', '\nbx']))
  assert.ok(isFound('needle', [`${'x'.repeat(70_000)}nee`, 'dle']))
  assert.ok(isFound('n', ['', 'n']))
  assert.ok(!isFound('needle', ['need', 'els\n', 'le']))
})

test('a text in one piece is found wherever it is divided', () => {
  const text = 'Straße\r\nin Zürich, ﬁne'
  for (let cut = 0; cut <= text.length; cut++) {
    const pieces = [text.slice(0, cut), text.slice(cut)]
    assert.ok(isFound('STRAße\r\nIN zürich, fine', pieces), String(cut))
  }
})
