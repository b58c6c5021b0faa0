import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNewUserName } from './new-user-name.ts'

test('a new user name has 1 to 15 letters, digits and underscores', () => {
  for (const name of ['a', 'Ada_99', '_', '0', 'abcdefghijklmno']) assert.ok(isNewUserName(name))
  for (const name of ['', 'abcdefghijklmnop', 'a-b', 'a.b', 'a b', 'é', 'ada\n', '@ada']) {
    assert.ok(!isNewUserName(name), name)
  }
})

test('paths of the service and of X are no user names, whatever their case', () => {
  for (const name of ['i', 'I', 'search', 'Search', 'api', 'media', 'status', 'who_to_follow']) {
    assert.ok(!isNewUserName(name), name)
  }
  assert.ok(!isNewUserName('_redirects'))
})
