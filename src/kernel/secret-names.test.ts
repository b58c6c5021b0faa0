import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSecretName } from './secret-names.ts'

test('names of credentials are secret in any spelling', () => {
  for (const name of ['password', 'newPassword', 'access_token', 'CLIENT_SECRET', 'Set-Cookie']) {
    assert.ok(isSecretName(name), name)
  }
  for (const name of ['', 'name', 'email', 'pass']) assert.ok(!isSecretName(name), name)
})
