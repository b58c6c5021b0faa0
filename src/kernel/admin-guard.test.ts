import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSender, type SenderRules, sentPath } from './admin-guard.ts'
import { actionWithKey } from './form-token.ts'

const RULES = {
  isKnownHost: (host: string) => host === 'here:1',
  originMessage: 'Only pages of here',
  formKey: 'key of the process'
}

function codeOf(
  method: string,
  headers: Record<string, string>,
  url = '/reset',
  rules: Partial<SenderRules> = {}
): string | undefined {
  try {
    checkSender({ method, url, headers: { host: 'here:1', ...headers } }, { ...RULES, ...rules })
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('unknown host names are rejected for every method', () => {
  assert.equal(codeOf('GET', { host: 'there:1' }), 'FOREIGN_HOST')
  assert.equal(codeOf('POST', { host: 'there:1' }), 'FOREIGN_HOST')
  assert.equal(codeOf('GET', {}), undefined)
})

test('a state change is rejected if a page of another origin sends it', () => {
  const origin = 'http://there:1'
  assert.equal(codeOf('POST', { origin }), 'FOREIGN_ORIGIN')
  assert.equal(codeOf('DELETE', { 'sec-fetch-site': 'cross-site' }), 'FOREIGN_ORIGIN')
  assert.equal(codeOf('POST', { 'sec-fetch-site': 'same-site' }), 'FOREIGN_ORIGIN')
  assert.equal(codeOf('POST', { origin: 'http://here:1' }), undefined)
  assert.equal(codeOf('POST', {}), undefined)
  assert.equal(codeOf('GET', { origin }), undefined)
  assert.equal(codeOf('HEAD', { 'sec-fetch-site': 'cross-site' }), undefined)
})

test('the error has the message of the caller', () => {
  const headers = { host: 'here:1', origin: 'null' }
  assert.throws(() => checkSender({ method: 'PUT', url: '/', headers }, RULES), {
    statusCode: 403,
    message: 'Only pages of here'
  })
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

test('a POST that a form of any page could send needs more', () => {
  const plain = [
    FORM,
    { 'content-type': 'TEXT/PLAIN ; charset=utf-8' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'user-agent': 'Mozilla/5.0 (X11; rv:60.0) Firefox/60.0', 'accept-language': 'en' }
  ]
  for (const headers of plain) {
    assert.equal(codeOf('POST', headers), 'PLAIN_FORM', JSON.stringify(headers))
    assert.equal(codeOf('POST', { ...headers, authorization: 'Bearer x' }), undefined)
    assert.equal(codeOf('POST', { ...headers, origin: 'http://here:1' }), undefined)
    assert.equal(codeOf('POST', { ...headers, 'sec-fetch-site': 'same-origin' }), undefined)
    assert.equal(codeOf('POST', headers, actionWithKey(RULES.formKey, '/reset')), undefined)
    assert.equal(codeOf('POST', headers, actionWithKey('another', '/reset')), 'PLAIN_FORM')
    assert.equal(codeOf('POST', headers, '/reset?form='), 'PLAIN_FORM')
    const url = actionWithKey(RULES.formKey, '/reset')
    assert.equal(codeOf('POST', headers, url.replace('reset', 'clear')), 'PLAIN_FORM')
    assert.equal(codeOf('POST', headers, url, { formKey: undefined }), 'PLAIN_FORM')
  }
  assert.equal(codeOf('POST', { 'user-agent': 'curl/8.14.1' }), undefined)
  assert.equal(codeOf('POST', { 'user-agent': 'Mozilla/5.0 of a test runner' }), undefined)
  assert.equal(codeOf('POST', { 'content-type': 'application/json' }), undefined)
  assert.equal(codeOf('DELETE', FORM), undefined)
})

test("Node's fetch may send text", () => {
  const node = { 'content-type': 'text/plain;charset=UTF-8', 'sec-fetch-mode': 'cors' }
  assert.equal(codeOf('POST', node), undefined)
  assert.equal(codeOf('POST', { ...node, 'sec-fetch-site': 'none' }), 'PLAIN_FORM')
})

test('the form token does not help a page of another origin', () => {
  const url = actionWithKey(RULES.formKey, '/reset')
  assert.equal(codeOf('POST', { ...FORM, origin: 'http://there:1' }, url), 'FOREIGN_ORIGIN')
})

test('nonet does not call itself, except where it may', () => {
  for (const via of ['1.1 nonet', '1.1 a, 1.1 nonet', '1.1 nonet, 1.0 b']) {
    for (const method of ['GET', 'POST']) {
      assert.equal(codeOf(method, { via }), 'OWN_CALL')
      assert.equal(codeOf(method, { via, authorization: 'Bearer secret' }), 'OWN_CALL')
      assert.equal(codeOf(method, { via }, '/catch', { acceptsOwnCalls: true }), undefined)
    }
  }
  assert.equal(codeOf('GET', { via: '1.1 nonetwork' }), undefined)
})

test('the path is compared as it was sent', () => {
  const request = { url: '/closed/../open?x' } as Parameters<typeof sentPath>[0]
  assert.equal(sentPath(request), '/closed/../open')
})
