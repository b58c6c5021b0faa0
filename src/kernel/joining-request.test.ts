import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { openRequest } from '../../test/support/open-request.ts'
import { JoiningRequest } from './joining-request.ts'

const JOINING = { IncomingMessage: JoiningRequest }
const CHUNKS = 50_000
const oneByteChunks = (count: number) => '1\r\nx\r\n'.repeat(count)

test('one-byte chunks reach listeners in few pieces', async () => {
  using open = await openRequest('', 'chunked', JOINING)
  const sizes: number[] = []
  open.request.on('data', ({ length }: Buffer) => sizes.push(length))
  open.socket.write(`${oneByteChunks(CHUNKS)}0\r\n\r\n`)
  await once(open.request, 'end')
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    CHUNKS
  )
  assert.ok(sizes.length < 1000, `${sizes.length} pieces`)
})

test('a short chunk is passed on without a further one', async () => {
  using open = await openRequest('', 'chunked', JOINING)
  let size = 0
  open.request.on('data', ({ length }: Buffer) => {
    size += length
    if (size < 200) open.socket.write('1\r\nx\r\n')
    else open.socket.write('0\r\n\r\n')
  })
  open.socket.write('1\r\nx\r\n')
  await once(open.request, 'end')
  assert.equal(size, 200)
})

test('a body that is not read waits with its sender', async () => {
  using open = await openRequest('', 'chunked', JOINING)
  // More than the buffers of both sockets hold, in chunks that are joined.
  const count = 12_000
  open.socket.write(`${`400\r\n${'x'.repeat(1024)}\r\n`.repeat(count)}0\r\n\r\n`)
  await once(open.request, 'readable')
  assert.ok(open.socket.writableLength > 0)
  let size = 0
  for await (const chunk of open.request) size += chunk.length
  assert.equal(size, count * 1024)
})
