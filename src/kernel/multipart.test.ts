import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { isMultipart, type MultipartHandlers, readMultipart } from './multipart.ts'

const errors = {
  invalidType: () => new Error('invalid type'),
  invalid: () => new Error('invalid'),
  tooLarge: () => new Error('too large'),
  tooManyParts: () => new Error('too many parts')
}
const options = { contentType: 'multipart/form-data; boundary=b', limits: {}, errors }

function part(headers: string, content: string): string {
  return `--b\r\nContent-Disposition: form-data${headers}\r\n\r\n${content}\r\n`
}

const FORM = Buffer.from(
  [
    part('; name="a"', '1'),
    part('; name="é"; filename="dir/é.txt"', 'file'),
    part('', 'no name'),
    part('; name="b"\r\nContent-Type: application/json', '{}'),
    '--b--\r\n'
  ].join('')
)

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Parts in the order they were read. */
function collector() {
  const seen: unknown[] = []
  const handlers: MultipartHandlers = {
    field: (field, value) => seen.push({ ...field, value }),
    async file(file, content) {
      seen.push({ ...file, value: await text(content) })
    }
  }
  return { seen, handlers }
}

const named = (name: string) => (part: unknown) => (part as { name?: string }).name === name

test('the same parts are read from one buffer and from chunks of any size', async () => {
  const whole = collector()
  await readMultipart(FORM, { ...options, nameCharset: 'utf8' }, whole.handlers)
  assert.deepEqual(whole.seen.find(named('é')), {
    ...{ name: 'é', filename: 'é.txt' },
    ...{ contentType: 'text/plain', value: 'file' }
  })
  assert.partialDeepStrictEqual(whole.seen.find(named('b')), {
    contentType: 'application/json',
    value: '{}'
  })
  assert.equal(whole.seen.length, 4)
  for (const size of [1, 7, 64]) {
    const { seen, handlers } = collector()
    await readMultipart(pieces(FORM, size), { ...options, nameCharset: 'utf8' }, handlers)
    assert.deepEqual(new Set(seen), new Set(whole.seen), String(size))
  }
})

test('names are ISO 8859-1 by default', async () => {
  const { seen, handlers } = collector()
  await readMultipart(FORM, options, handlers)
  assert.ok(seen.some(named('Ã©')))
})

test('content that a handler leaves unread is discarded', async () => {
  const { seen, handlers } = collector()
  const large = Buffer.concat([
    Buffer.from(part('; name="f"; filename="f"', 'x'.repeat(500_000))),
    FORM
  ])
  const file: MultipartHandlers['file'] = async (_, content) => {
    for await (const chunk of content) {
      assert.ok(chunk.length > 0)
      break
    }
  }
  await readMultipart(pieces(large, 30_000), options, { ...handlers, file })
  assert.equal(seen.length, 3)
})

test('an error of a handler or of the source rejects the call', async () => {
  const own = new Error('own')
  const fails = () => {
    throw own
  }
  const { handlers } = collector()
  for (const source of [FORM, pieces(FORM, 10)]) {
    await assert.rejects(readMultipart(source, options, { ...handlers, field: fails }), own)
  }
  for (const source of [FORM, pieces(FORM, 10)]) {
    const file = async () => fails()
    await assert.rejects(readMultipart(source, options, { ...handlers, file }), own)
  }
  async function* broken() {
    yield FORM.subarray(0, 100)
    throw own
  }
  await assert.rejects(readMultipart(broken(), options, handlers), own)
})

test('a body cut off anywhere is invalid', async () => {
  for (let end = 0; end < FORM.length - 2; end += 5) {
    const { handlers } = collector()
    await assert.rejects(readMultipart(FORM.subarray(0, end), options, handlers), errors.invalid())
    const cut = pieces(FORM.subarray(0, end), 20)
    await assert.rejects(readMultipart(cut, options, handlers), errors.invalid())
  }
})

test('a content type is multipart only with parameters', async () => {
  assert.ok(isMultipart('Multipart/Form-Data ; boundary=x'))
  assert.ok(!isMultipart('multipart/form-data'))
  assert.ok(!isMultipart(undefined))
  const type = 'multipart/form-data; boundary="b""'
  const { handlers } = collector()
  const reading = readMultipart(FORM, { ...options, contentType: type }, handlers)
  await assert.rejects(reading, errors.invalidType())
})

test('a form with a malformed header is invalid, also if a file follows', async () => {
  for (const file of ['; name="f"; filename="f"', '; name="f"']) {
    const form = part('\u0001; name="a"', '1') + part(file, 'content')
    for (const end of ['', '--b--\r\n']) {
      const { seen, handlers } = collector()
      const reading = readMultipart(Buffer.from(form + end), options, handlers)
      await assert.rejects(reading, /^Error: invalid$/)
      assert.deepEqual(seen, [])
    }
  }
})
