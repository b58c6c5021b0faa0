import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminCookie, formTokenOf, hasAdminCookie } from './admin.ts'

const TOKEN = 'a-token-of-the-operator'
const COOKIE = adminCookie(TOKEN).split(';', 1)[0] ?? ''

test('the cookie contains a digest and not the token', () => {
  assert.match(COOKIE, /^nonet_admin=[\w-]{43}$/)
  assert.ok(hasAdminCookie(COOKIE, TOKEN))
  assert.ok(!hasAdminCookie(COOKIE, 'another-token'))
  assert.ok(!hasAdminCookie(`nonet_admin=${TOKEN}`, TOKEN))
  assert.ok(!hasAdminCookie(`nonet_admin=${formTokenOf(TOKEN)}`, TOKEN))
})

test('any cookie of the name may be the right one', () => {
  for (const cookie of [
    `nonet_admin=; ${COOKIE}`,
    `nonet_admin=x;${COOKIE}`,
    `${COOKIE}; nonet_admin=x`,
    `a=b; nonet_admin; nonet_admin=${'y'.repeat(43)};  ${COOKIE} ; c`
  ]) {
    assert.ok(hasAdminCookie(cookie, TOKEN), cookie)
  }
  for (const cookie of [
    undefined,
    '',
    'nonet_admin',
    'nonet_admin=',
    `x${COOKIE}`,
    `a=${COOKIE}`
  ]) {
    assert.ok(!hasAdminCookie(cookie, TOKEN), cookie)
  }
})
