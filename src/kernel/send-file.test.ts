import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { sendPlain } from '../../test/support/plain-http.ts'
import { scratchFolder } from '../../test/support/scratch-folder.ts'
import { FilesUnavailable } from './files/errors.ts'
import { createFiles, type Files, type StoredFile } from './files/files.ts'
import { openFileFolder } from './files/folder.ts'
import { sendStoredFile } from './send-file.ts'

const files = createFiles(openFileFolder(scratchFolder(), { durable: false }))
const content = Buffer.from('0123456789')

async function* once(bytes: Buffer) {
  yield bytes
}

describe('a stored file', () => {
  const stored = new Map<string, StoredFile>()
  const server = createServer(async (request, response) => {
    const file = stored.get(request.url ?? '') ?? { hash: 'f'.repeat(64), size: 10 }
    const sent = { ...file, mediaType: 'text/plain', headers: { 'x-own': '1' } }
    const open: Files['open'] = async (hash, range) => {
      if (request.url === '/unavailable') throw new FilesUnavailable()
      return files.open(hash, range)
    }
    const isSent = await sendStoredFile({ open }, request, response, sent, (error) => ({
      ...{ status: error.statusCode ?? 500, body: 'später', type: 'text/plain' },
      headers: { 'x-error': '1' }
    }))
    if (!isSent) response.writeHead(404).end('none')
  })
  const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    sendPlain(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      method,
      headers
    })
  before(async () => {
    stored.set('/digits', await files.put(once(content)))
    stored.set('/empty', await files.put(once(Buffer.alloc(0))))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  after(() => void server.close())

  test('has its hash as entity tag, and the headers of the caller in every response', async () => {
    const etag = `"${stored.get('/digits')?.hash}"`
    const cases: [Record<string, string>, number, string, string | undefined][] = [
      [{}, 200, '0123456789', undefined],
      [{ 'if-none-match': `W/"x", ${etag}` }, 304, '', undefined],
      [{ 'if-none-match': '"x"' }, 200, '0123456789', undefined],
      [{ range: 'bytes=2-3' }, 206, '23', 'bytes 2-3/10'],
      [{ range: 'bytes=10-' }, 416, '', 'bytes */10'],
      [{ range: 'bytes=2-3', 'if-range': etag }, 206, '23', 'bytes 2-3/10'],
      [{ range: 'bytes=2-3', 'if-range': '"x"' }, 200, '0123456789', undefined],
      [{ range: 'bytes=2-3', 'if-none-match': etag }, 304, '', undefined]
    ]
    for (const [headers, status, body, range] of cases) {
      const response = await send('/digits', headers)
      const facts = [response.status, response.body.toString(), response.headers['content-range']]
      assert.deepEqual(facts, [status, body, range], JSON.stringify(headers))
      assert.deepEqual([response.headers.etag, response.headers['x-own']], [etag, '1'])
      assert.equal(response.headers['accept-ranges'], 'bytes')
    }
    const { status, headers, body } = await send('/digits', { range: 'bytes=2-3' }, 'HEAD')
    assert.deepEqual([status, headers['content-length'], body.length], [206, '2', 0])
    assert.equal(headers['content-type'], 'text/plain')
  })

  test('is an error of the service if the storage is unavailable', async () => {
    const { status, headers, body } = await send('/unavailable')
    assert.deepEqual([status, String(body), headers['content-length']], [503, 'später', '7'])
    assert.deepEqual([headers['x-error'], headers['x-own']], ['1', undefined])
  })

  test('may be empty', async () => {
    const { status, headers, body } = await send('/empty')
    assert.deepEqual([status, headers['content-length'], body.length], [200, '0', 0])
    assert.equal((await send('/empty', { range: 'bytes=0-' })).status, 416)
  })

  test('leaves the response to the caller if it is missing', async () => {
    const { status, headers, body } = await send('/missing')
    assert.deepEqual([status, headers.etag, body.toString()], [404, undefined, 'none'])
  })
})
