import assert from 'node:assert/strict'
import { createDecipheriv } from 'node:crypto'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import { createCheck, verifyCheck } from './check.ts'
import { SecretAltered, SecretKeyUnknown, SecretMalformed, SecretUnreadable } from './errors.ts'
import { createKey, formatKeys, KeyMalformed, parseKeys } from './keys.ts'
import { openValue, sealValue } from './seal.ts'
import { createSecrets } from './secrets.ts'

const BYTES = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex')
const KEY = createKey(BYTES)
const OTHER = createKey(Buffer.alloc(32, 7))
const CONTEXT = { service: 'cards', purpose: 'signing key' }
const nonce = (sealed: string) =>
  Buffer.from(sealed.split('.')[2] ?? '', 'base64url').subarray(0, 12)

describe('sealed values', () => {
  test('open again, whatever bytes they have', () => {
    for (const value of [Buffer.alloc(0), Buffer.from([0, 255, 10]), Buffer.alloc(100_000, 'x')]) {
      assert.deepEqual(openValue([KEY], CONTEXT, sealValue(KEY, CONTEXT, value)), value)
    }
    const { seal, open } = createSecrets('cards', [KEY, OTHER])
    assert.equal(open('a', seal('a', 'Grüße')).toString(), 'Grüße')
  })

  test('are AES-256-GCM with service and purpose as additional data', () => {
    const sealed = sealValue(KEY, CONTEXT, 'hello')
    assert.match(sealed, /^s1\.[\da-f]{8}\.[\w-]{44}$/)
    const bytes = Buffer.from(sealed.slice(12), 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', BYTES, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from('["s1","cards","signing key"]'))
    decipher.setAuthTag(bytes.subarray(-16))
    const opened = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
    assert.equal(opened.toString(), 'hello')
  })

  test('of earlier versions open', () => {
    const sealed = 's1.79dbb391.sBS1dQoQ5bpKBQ8oiUkP0EMmYFNbn0sTxxHG3-vq0Cb4'
    assert.equal(openValue([KEY], CONTEXT, sealed).toString(), 'hello')
  })

  test('have a new nonce each', () => {
    const nonces = Array.from({ length: 100 }, () =>
      nonce(sealValue(KEY, CONTEXT, 'x')).toString('hex')
    )
    assert.equal(new Set(nonces).size, 100)
  })

  test('do not open for another purpose or service', () => {
    const sealed = sealValue(KEY, CONTEXT, 'x')
    for (const other of [
      { ...CONTEXT, purpose: 'other' },
      { ...CONTEXT, service: 'boxes' },
      { service: 'cards","signing key', purpose: '' }
    ]) {
      assert.throws(() => openValue([KEY], other, sealed), SecretAltered)
    }
  })

  test('do not open with another key under the same id', () => {
    assert.throws(
      () => openValue([{ ...OTHER, id: KEY.id }], CONTEXT, sealValue(KEY, CONTEXT, 'x')),
      SecretAltered
    )
  })

  test('tell the id of a key that is not there', () => {
    const sealed = sealValue(OTHER, CONTEXT, 'x')
    assert.throws(
      () => openValue([KEY], CONTEXT, sealed),
      (error) => error instanceof SecretKeyUnknown && error.keyId === OTHER.id
    )
    assert.equal(openValue([KEY, OTHER], CONTEXT, sealed).toString(), 'x')
  })

  test('with one changed character never open', () => {
    const sealed = sealValue(KEY, CONTEXT, 'hello!')
    for (let at = 0; at < sealed.length; at++) {
      for (const replacement of ['A', 'B', '_', '0', 'f', '.', '']) {
        const changed = sealed.slice(0, at) + replacement + sealed.slice(at + 1)
        if (changed === sealed) continue
        assert.throws(() => openValue([KEY], CONTEXT, changed), SecretUnreadable, changed)
      }
    }
    const bytes = Buffer.from(sealed.slice(12), 'base64url')
    for (let at = 0; at < bytes.length * 8; at++) {
      const flipped = Buffer.from(bytes)
      flipped[at >> 3] = (flipped[at >> 3] ?? 0) ^ (1 << (at & 7))
      const changed = sealed.slice(0, 12) + flipped.toString('base64url')
      assert.throws(() => openValue([KEY], CONTEXT, changed), SecretAltered)
    }
  })

  test('of another format are malformed', () => {
    for (const text of [
      '',
      'hello',
      's1.',
      `s1.${KEY.id}.`,
      `s1.${KEY.id}.AAAA`,
      `s2.${KEY.id}.AAAA`
    ]) {
      assert.throws(() => openValue([KEY], CONTEXT, text), SecretMalformed)
    }
    const { length } = sealValue(KEY, CONTEXT, '')
    assert.throws(
      () => openValue([KEY], CONTEXT, sealValue(KEY, CONTEXT, '').slice(0, length - 1)),
      SecretMalformed
    )
  })

  test('and keys do not appear in what is printed', () => {
    const printed = inspect(KEY, { depth: 9 }) + JSON.stringify(KEY)
    assert.ok(!printed.includes(BYTES.toString('hex')) && !printed.includes('00 01 02'))
    const error = catchError(() => openValue([KEY], CONTEXT, `s1.${OTHER.id}.${'Q'.repeat(44)}`))
    assert.ok(!error.message.includes('QQQ'))
  })
})

function catchError(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  return assert.fail('nothing was thrown')
}

describe('keys', () => {
  test('are lines of hexadecimal digits or base64, the first one first', () => {
    const text = `# a comment\n\n  ${BYTES.toString('hex').toUpperCase()} # newest\r\n${Buffer.alloc(32, 7).toString('base64')}\n`
    assert.deepEqual(
      parseKeys(text).map(({ id }) => id),
      [KEY.id, OTHER.id]
    )
    const spellings = [
      BYTES.toString('base64'),
      BYTES.toString('base64url'),
      `\uFEFF${BYTES.toString('hex')}`
    ]
    for (const one of spellings)
      assert.deepEqual(
        parseKeys(one).map(({ id }) => id),
        [KEY.id],
        one
      )
    assert.equal(parseKeys(`${BYTES.toString('hex')},${BYTES.toString('base64')}`).length, 1)
    assert.deepEqual(
      parseKeys(formatKeys([OTHER, KEY])).map(({ id }) => id),
      [OTHER.id, KEY.id]
    )
  })

  test('of a wrong length or alphabet are rejected without being shown', () => {
    const hex = BYTES.toString('hex')
    for (const text of [
      '',
      '# nothing',
      'secret',
      hex.slice(1),
      `${hex}0`,
      `${hex}\npassword`,
      `${BYTES.toString('base64').slice(0, -2)}!=`
    ]) {
      const { message } = catchError(() => parseKeys(text)) as KeyMalformed
      assert.match(message, /^(line \d|it contains no key)/)
      assert.ok(!/secret|password/.test(message) && !message.includes(hex.slice(2)))
    }
    const many = Array.from({ length: 33 }, () => formatKeys([createKey()])).join('')
    assert.throws(() => parseKeys(many), KeyMalformed)
  })

  test('have an id that does not change', () => assert.equal(KEY.id, '79dbb391'))
})

test('a check value tells whether the key is there', () => {
  const check = createCheck('cards', [KEY])
  assert.equal(verifyCheck('cards', [OTHER, KEY], check), 'ok')
  assert.equal(verifyCheck('cards', [OTHER], check), 'missing')
  assert.equal(verifyCheck('boxes', [KEY], check), 'damaged')
  assert.equal(verifyCheck('cards', [{ ...OTHER, id: KEY.id }], check), 'damaged')
})
