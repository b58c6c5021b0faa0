import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachmentDisposition } from './content-disposition.ts'

test('a name cannot end the header or its quotes', () => {
  const cases = [
    ['a.png', `filename="a.png"; filename*=UTF-8''a.png`],
    [
      'a"\r\nset-cookie: b',
      `filename="a___set-cookie_ b"; filename*=UTF-8''a%22%0D%0Aset-cookie%3A%20b`
    ],
    ["o'b(1)*.txt", `filename="o_b(1)_.txt"; filename*=UTF-8''o%27b%281%29%2A.txt`],
    ['é\ud83d', `filename="__"; filename*=UTF-8''%C3%A9%EF%BF%BD`]
  ] as const
  for (const [name, header] of cases) {
    assert.equal(attachmentDisposition(name), `attachment; ${header}`)
  }
})
