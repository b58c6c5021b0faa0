import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecret, digestOf } from './formats.ts'
import type { TokenFormat } from './rules.ts'
import { findDigest, formatOf, scopesProblem } from './token-format.ts'

const ONE = { format: 'nonet' } as const
const TWO = { format: 'hex', formats: { published: 'publishable' } } as const

test('the format of a token is that of its scope, or the default', () => {
  const cases: [typeof ONE | typeof TWO, string[], TokenFormat][] = [
    [ONE, ['read'], 'nonet'],
    [ONE, ['published'], 'nonet'],
    [TWO, [], 'hex'],
    [TWO, ['read', 'write'], 'hex'],
    [TWO, ['toString'], 'hex'],
    [TWO, ['published'], 'publishable'],
    [TWO, ['published', 'published'], 'publishable']
  ]
  for (const [rules, scopes, format] of cases) assert.equal(formatOf(rules, scopes), format)
})

test('a scope with a format of its own cannot be combined', () => {
  const message = 'A token with the scope published can have no other scope'
  for (const scopes of [
    ['published', 'read'],
    ['read', 'published']
  ]) {
    assert.equal(scopesProblem(TWO, scopes), message)
    assert.throws(() => formatOf(TWO, scopes), { message, statusCode: 400 })
    assert.equal(scopesProblem(ONE, scopes), undefined)
  }
})

test('a secret of any format of the service has a hash, others have none', () => {
  const hex = createSecret('hex')
  const publishable = createSecret('publishable')
  assert.deepEqual(findDigest(TWO, hex), digestOf('hex', hex))
  assert.deepEqual(findDigest(TWO, publishable), digestOf('publishable', publishable))
  const others = [createSecret('nonet'), hex.slice(1), `${hex}0`, 'A'.repeat(64), '', `pk_${hex}`]
  for (const text of [...others, publishable.replace('pk_', 'PK_'), publishable.slice(3)]) {
    assert.equal(findDigest(TWO, text), undefined, text)
  }
  assert.equal(findDigest(ONE, hex), undefined)
})
