import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import { createRandom } from '../../../../../test/support/random.ts'
import { createUnstuffing } from './unstuffing.ts'

const ROUNDS = 3_000

/** Content and rest, with the bytes divided like this; the rest is undefined without an end. */
function unstuff(chunks: readonly Buffer[]): [content: string, rest: string | undefined] {
  const next = createUnstuffing()
  let content = ''
  for (const [index, chunk] of chunks.entries()) {
    const step = next(chunk)
    content += step.content.toString('latin1')
    if (step.rest !== undefined) {
      return [content, Buffer.concat([step.rest, ...chunks.slice(index + 1)]).toString('latin1')]
    }
  }
  return [content, undefined]
}

function check(text: string, content: string, rest: string | undefined) {
  assert.deepEqual(unstuff([Buffer.from(text)]), [content, rest])
  const bytes = [...text].map((character) => Buffer.from(character))
  const [, restOfBytes] = unstuff(bytes)
  assert.equal(restOfBytes, rest)
  if (rest !== undefined) assert.equal(unstuff(bytes)[0], content)
}

test('the end is a dot alone on a line', () => {
  check('a\r\n.\r\nQUIT\r\n', 'a\r\n', 'QUIT\r\n')
  check('.\r\n', '', '')
  check('\r\n.\r\n', '\r\n', '')
  check('a\r\n.b\r\n.\r\n', 'a\r\n.b\r\n', '')
})

test('of two dots at the start of a line one is removed', () => {
  check('..\r\n.\r\n', '.\r\n', '')
  check('...a\r\n....\r\n.\r\n', '..a\r\n...\r\n', '')
  check('a..b\r\n.\r\n', 'a..b\r\n', '')
})

test('a dot between other line ends is no end', () => {
  check('a\n.\nb\r\n.\r\n', 'a\n.\nb\r\n', '')
  check('a\n.\r\nb\r\n.\r\n', 'a\n.\r\nb\r\n', '')
  check('a\r\n.\nb\r\n.\r\n', 'a\r\n.\nb\r\n', '')
  check('a\r.\rb\r\n.\r\n', 'a\r.\rb\r\n', '')
})

/** What `smtp-server` itself reads from the same chunk. */
async function readBySmtpServer(text: string): Promise<[string, string]> {
  const parser = new SMTPStream()
  const commands: string[] = []
  const content: Buffer[] = []
  const ended = Promise.withResolvers<void>()
  parser.oncommand = (command, callback) => {
    commands.push(command.toString('latin1'))
    callback?.()
  }
  const stream = parser.startDataMode()
  stream.on('data', (chunk) => content.push(chunk))
  stream.on('end', () => {
    parser.continue()
    ended.resolve()
  })
  parser.write(Buffer.from(text, 'latin1'))
  await ended.promise
  return [Buffer.concat(content).toString('latin1'), commands.join('\n')]
}

test('the result is that of smtp-server, however the bytes are divided', async () => {
  const random = createRandom(41)
  const parts = ['.', '..', '\r\n', '\n', '\r', 'a', '\r\n.', '\n..'] as [string, ...string[]]
  const starts = ['a', '.', '..', '\r\n'] as [string, ...string[]]
  for (let round = 0; round < ROUNDS; round++) {
    const middle = Array.from({ length: random.below(12) }, () => random.pick(parts)).join('')
    const text = `${random.pick(starts)}${middle}b\r\n.\r\n`
    const [content, rest] = unstuff([Buffer.from(text)])
    const chunks: Buffer[] = []
    for (let at = 0; at < text.length; ) {
      const size = 1 + random.below(6)
      chunks.push(Buffer.from(text.slice(at, at + size)))
      at += size
    }
    assert.deepEqual(unstuff(chunks), [content, rest], JSON.stringify(text))
    const [expected] = await readBySmtpServer(text)
    assert.equal(content, expected, JSON.stringify(text))
  }
})
