import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { scratchFolder } from '../../test/support/scratch-folder.ts'
import type { MultipartLimits } from './multipart.ts'
import { removeStaleUploads, type Upload, withUpload } from './upload.ts'

const errors = {
  invalidType: () => new Error('invalid type'),
  invalid: () => new Error('invalid'),
  tooLarge: () => new Error('too large'),
  tooManyParts: () => new Error('too many parts'),
  aborted: () => new Error('aborted')
}

type Use = (upload: Upload, folder: string) => Promise<unknown>

/** Limits, callback and folder of the next requests. */
let limits: MultipartLimits = {}
let use: Use = async ({ fields, files }) => ({ fields, files })
let folder = ''
let outcome = Promise.withResolvers<unknown>()

const server = createServer(async (request, response) => {
  const options = { folder, limits, errors, sync: true }
  const result = await withUpload(request, options, (upload) => use(upload, folder)).catch(
    (error: Error) => error
  )
  outcome.resolve(result)
  response.setHeader('connection', 'close')
  response.statusCode = result instanceof Error ? 400 : 200
  response.end()
})

function part(headers: string, content: string | Buffer): Buffer {
  const head = `--b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')])
}
const field = (name: string, value: string) => part(`name="${name}"`, value)
const file = (name: string, content: string | Buffer, type = 'image/png') =>
  part(`name="${name}"; filename="${name}.png"\r\nContent-Type: ${type}`, content)
const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from('--b--\r\n')])

const TYPE = 'multipart/form-data; boundary=b'

function open(headers: readonly string[]): Socket {
  outcome = Promise.withResolvers<unknown>()
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`${['POST / HTTP/1.1', 'Host: a', ...headers].join('\r\n')}\r\n\r\n`)
  return socket
}

async function send(body: Buffer, type = TYPE): Promise<unknown> {
  const socket = open([`Content-Type: ${type}`, `Content-Length: ${body.length}`])
  socket.write(body)
  const result = await outcome.promise
  socket.destroy()
  return result
}

/** Returns the result of `use`; throws its error. */
async function upload(body: Buffer): Promise<Upload> {
  const result = await send(body)
  if (result instanceof Error) throw result
  return result as Upload
}

function reset(own: MultipartLimits = {}, ownUse: Use = async (all) => all): void {
  folder = join(scratchFolder(), 'uploads')
  limits = own
  use = ownUse
}

function leftovers(): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

describe('uploads to the disk', () => {
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  after(() => server.close())

  test('fields before, between and after two files', async () => {
    const large = Buffer.alloc(3_000_000, 'large ')
    const seen: [number, Buffer][] = []
    reset({}, async (all) => {
      for (const { path } of all.files) seen.push([statSync(path).mode & 0o777, readFileSync(path)])
      return all
    })
    const body = form(
      field('before', 'é 1'),
      file('large', large),
      field('between', '2'),
      file('small', 'x', 'text/csv'),
      field('after', '3')
    )
    const { fields, files } = await upload(body)
    assert.deepEqual(
      fields.map(({ name, value }) => [name, value]),
      [
        ['before', 'é 1'],
        ['between', '2'],
        ['after', '3']
      ]
    )
    const sha256 = createHash('sha256').update(large).digest('hex')
    assert.partialDeepStrictEqual(files, [
      { name: 'large', filename: 'large.png', contentType: 'image/png', size: 3_000_000, sha256 },
      { name: 'small', filename: 'small.png', contentType: 'text/csv', size: 1 }
    ])
    assert.deepEqual(seen, [
      [0o600, large],
      [0o600, Buffer.from('x')]
    ])
    assert.deepEqual(leftovers(), [])
  })

  test('a file that was moved stays; the others are removed', async () => {
    reset({}, async ({ files }, own) => {
      renameSync(files[1]?.path ?? '', join(own, 'kept'))
      return files
    })
    await upload(form(file('a', 'first'), file('b', 'second')))
    assert.deepEqual(leftovers(), ['kept'])
    assert.equal(readFileSync(join(folder, 'kept'), 'utf8'), 'second')
  })

  test('files are removed when they cannot be used', async () => {
    reset({}, async () => {
      throw new Error('not wanted')
    })
    await assert.rejects(upload(form(file('a', 'x'))), { message: 'not wanted' })
    assert.deepEqual(leftovers(), [])
  })

  test('a client that disconnects in the middle of a file', async () => {
    reset()
    const socket = open([`Content-Type: ${TYPE}`, 'Content-Length: 100000'])
    socket.write(file('a', 'x'))
    socket.write(file('b', 'y'.repeat(50_000)).subarray(0, 40_000))
    await waitFor(() => leftovers().length === 2)
    socket.destroy()
    assert.deepEqual(await outcome.promise, errors.aborted())
    assert.deepEqual(leftovers(), [])
  })

  for (const [what, own, body, message] of [
    ['a file too large', { fileBytes: 9 }, form(file('a', '0123456789')), 'too large'],
    [
      'files too large together',
      { fileBytes: 9, allFileBytes: 15 },
      form(file('a', '01234567'), file('b', '01234567')),
      'too large'
    ],
    ['too many files', { files: 1 }, form(file('a', '1'), file('b', '2')), 'too many parts'],
    ['too many fields', { fields: 1 }, form(field('a', '1'), field('b', '2')), 'too many parts'],
    [
      'too many parts behind a file',
      { parts: 3 },
      form(file('a', '1'), field('b', '2'), field('c', '3')),
      'too many parts'
    ],
    [
      'a field too large behind a file',
      { fieldBytes: 4 },
      form(file('a', '1'), field('b', '01234')),
      'too large'
    ],
    ['a body too large', { bodyBytes: 100 }, form(file('a', 'x'.repeat(100))), 'too large'],
    [
      'headers of a part too large',
      {},
      form(file('a', '1'), part(`name="${'n'.repeat(17_000)}"`, '')),
      'invalid'
    ],
    ['a form without its end', {}, file('a', 'x'), 'invalid'],
    ['no form at all', {}, Buffer.from('hello'), 'invalid']
  ] as const) {
    test(`${what} leaves nothing behind`, async () => {
      reset(own)
      await assert.rejects(upload(body), { message })
      assert.deepEqual(leftovers(), [])
    })
  }

  test('uploads that reach a limit exactly are accepted', async () => {
    const body = form(field('f', '0123'), file('a', '01234'), file('b', '56789'))
    reset({
      ...{ files: 2, fields: 1, parts: 4, fieldBytes: 4 },
      ...{ fileBytes: 5, allFileBytes: 10, bodyBytes: body.length }
    })
    assert.equal((await upload(body)).files.length, 2)
  })

  test('the limit of a chunked body is checked while it arrives', async () => {
    reset({ bodyBytes: 1000 })
    const socket = open([`Content-Type: ${TYPE}`, 'Transfer-Encoding: chunked'])
    const content = file('a', 'x'.repeat(2000))
    socket.write(`${content.length.toString(16)}\r\n`)
    socket.write(content)
    assert.deepEqual(await outcome.promise, errors.tooLarge())
    assert.deepEqual(leftovers(), [])
    socket.destroy()
  })

  test('a client that stops sending gets the error of a limit at once', async () => {
    reset({ files: 1 })
    const socket = open([`Content-Type: ${TYPE}`, 'Content-Length: 100000'])
    socket.write(Buffer.concat([file('a', '1'), file('b', '2')]))
    assert.deepEqual(await outcome.promise, errors.tooManyParts())
    const [head] = await once(socket, 'data')
    assert.match(String(head), /^HTTP\/1\.1 400 /)
    assert.deepEqual(leftovers(), [])
    socket.destroy()
  })

  test('another content type, and one without a boundary', async () => {
    reset()
    assert.deepEqual(await send(Buffer.from('{}'), 'application/json'), errors.invalidType())
    assert.deepEqual(await send(form(), 'multipart/form-data; x=y'), errors.invalidType())
  })

  test('an error of the disk is passed on', async () => {
    reset()
    writeFileSync(folder, 'no folder')
    await assert.rejects(upload(form(file('a', 'x'))), { code: 'EEXIST' })
  })

  test('files of a killed process are removed at the next start', async () => {
    reset()
    mkdirSync(folder)
    writeFileSync(join(folder, 'old.part'), '')
    writeFileSync(join(folder, 'kept.png'), '')
    await removeStaleUploads(folder)
    assert.deepEqual(leftovers(), ['kept.png'])
    await removeStaleUploads(join(folder, 'missing'))
  })
})

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
