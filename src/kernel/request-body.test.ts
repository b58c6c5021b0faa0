import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRequest } from '../../test/support/open-request.ts'
import { readRequestBody, requestChunks } from './request-body.ts'

const ERRORS = {
  tooLarge: () => new Error('too large'),
  aborted: () => new Error('aborted'),
  timedOut: () => new Error('timed out')
}

test('a body is read whole, however it arrives', async () => {
  using open = await openRequest('01234')
  const body = readRequestBody(open.request, 10, ERRORS)
  open.socket.write('56789')
  assert.equal(String(await body), '0123456789')
})

test('a chunked body over the limit is read to its end and rejected', async () => {
  using open = await openRequest('a\r\n0123456789\r\n0\r\n\r\n', 'chunked')
  await assert.rejects(readRequestBody(open.request, 9, ERRORS), ERRORS.tooLarge())
  assert.ok(open.request.complete)
})

test('a body announced over the limit is rejected unread', async () => {
  using open = await openRequest('')
  await assert.rejects(readRequestBody(open.request, 9, ERRORS), ERRORS.tooLarge())
  assert.equal(open.request.readableFlowing, null)
})

test('a chunked body far over the limit is rejected before its end', async () => {
  using open = await openRequest(`64\r\n${'0123456789'.repeat(10)}\r\n`, 'chunked')
  const body = readRequestBody(open.request, 9, ERRORS, { drainBytes: 50 })
  await assert.rejects(body, ERRORS.tooLarge())
  assert.ok(!open.request.complete)
})

test('without an error for it, a longer body is returned longer than the limit', async () => {
  using open = await openRequest('0123456789')
  const body = await readRequestBody(open.request, 4, { aborted: ERRORS.aborted })
  assert.ok(body.length > 4)
  assert.ok('0123456789'.startsWith(String(body)))
})

test('a closed connection ends the wait at once', async () => {
  using open = await openRequest('01234')
  const body = readRequestBody(open.request, 100, ERRORS)
  open.socket.destroy()
  await assert.rejects(body, ERRORS.aborted())
})

test('a body that does not arrive is rejected at the timeout', async () => {
  using open = await openRequest('01234')
  const body = readRequestBody(open.request, 100, ERRORS, { timeoutMs: 20 })
  await assert.rejects(body, ERRORS.timedOut())
})

test('reading chunks can stop early, and the connection stays open', async () => {
  using open = await openRequest('01234')
  for await (const chunk of requestChunks(open.request, ERRORS.aborted)) {
    assert.equal(String(chunk), '01234')
    break
  }
  assert.ok(!open.request.destroyed)
  assert.ok(!open.socket.destroyed)
})

test('chunks of an aborted body end in an error with its cause', async () => {
  using open = await openRequest('01234')
  const causes: unknown[] = []
  const chunks = requestChunks(open.request, (cause) => {
    causes.push(cause)
    return ERRORS.aborted()
  })
  await chunks.next()
  open.socket.destroy()
  await assert.rejects(chunks.next(), ERRORS.aborted())
  assert.equal(causes.length, 1)
})
