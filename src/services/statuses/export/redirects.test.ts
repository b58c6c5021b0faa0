import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redirectLines } from './redirects.ts'

test('rules without parameters come first, and a current name is of its account', () => {
  const main = { userName: 'ada', formerNames: ['bob', 'countess'] }
  const others = [{ userName: 'Bob', formerNames: ['countess'] }]
  const rules = { main, others, prefix: '/p', status: '307' }
  const lines = [...redirectLines(rules, [{ userName: 'Bob', id: '7' }])].map((line) => line.trim())
  const firstDynamic = lines.findIndex((line) => line.includes(':'))
  assert.ok(lines.slice(0, firstDynamic).includes('/p/Bob/status/7 /p/Bob/status/7 200'))
  assert.deepEqual(
    lines.filter((line) => /^\/p\/(?:bob|countess) /.test(line)),
    ['/p/countess /p/ada 307', '/p/bob /p/Bob 307']
  )
  assert.ok(lines.every((line) => /^\/p\/\S+ \/p\/\S+ (?:307|200)$/.test(line)))
  assert.equal(lines.at(-2), '/p/:user/status/:id /p/ada/status/:id 307')
})
