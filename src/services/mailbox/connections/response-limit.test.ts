import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResponseLimit } from './response-limit.ts'

const LINE = '* LIST () "/" a'
const MEGABYTE = 1024 * 1024

function counted() {
  const { sent, received } = createResponseLimit()
  const receive = (lines: number, line = LINE) => {
    let isAllowed = true
    for (let index = 0; index < lines; index++) {
      isAllowed = received({ line, lineBytes: line.length, literalBytes: 0 })
    }
    return isAllowed
  }
  return { sent, received, receive }
}

test('the number of responses depends on the command', () => {
  const { sent, receive } = counted()
  sent('5 UID SEARCH ALL')
  assert.ok(receive(1000))
  assert.ok(!receive(1))
  sent('6 LIST "" "*"')
  assert.ok(receive(20_000))
  assert.ok(!receive(1))
})

test('the rest of a command does not begin anew', () => {
  const { sent, receive } = counted()
  sent('5 SEARCH ALL')
  receive(999)
  sent('AGFAYi50ZXN0')
  assert.ok(receive(1))
  assert.ok(!receive(1))
})

test('after the end of a command few responses may follow', () => {
  const { sent, receive } = counted()
  sent('7 UID STORE 1:* +FLAGS (\\Seen)')
  assert.ok(receive(50_000))
  assert.ok(receive(1, '7 OK done'))
  assert.ok(receive(10_000))
  assert.ok(!receive(1))
})

test('the bytes of all responses to a command are limited; lines count more', () => {
  const { sent, received } = counted()
  const literal = { line: '* 1 FETCH', lineBytes: 10, literalBytes: 60 * MEGABYTE }
  const line = { line: '* 1 FETCH', lineBytes: 10 * MEGABYTE, literalBytes: 0 }
  sent('1 FETCH 1 (BODY[])')
  assert.ok(received(literal))
  assert.ok(received(literal))
  assert.ok(!received(literal))
  sent('2 FETCH 2 (BODYSTRUCTURE)')
  assert.ok(received(line))
  assert.ok(!received(line))
})

test('responses that imapflow does not collect may be many more', () => {
  const { sent, received, receive } = counted()
  const taken = { line: '* 1 FETCH (', lineBytes: 60, literalBytes: 0, isTaken: true }
  sent('5 UID FETCH 1:* (UID FLAGS)')
  for (let index = 0; index < 1_000_000; index++) assert.ok(received(taken))
  assert.ok(receive(1), 'others have a limit of their own')
  assert.ok(!received({ ...taken, lineBytes: 128 * MEGABYTE }))
})
