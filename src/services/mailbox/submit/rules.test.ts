import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastMs } from '../../../../test/support/least-ms.ts'
import { decodeBase64 } from './decode-base64.ts'
import { joinMessage, splitMessage, withMailLines, withoutBcc } from './header-block.ts'
import { referencesOf } from './message-ids.ts'
import { withPreviewText } from './preview-text.ts'
import { createQueueId } from './queue-id.ts'
import { replyRecipients, subjectOf } from './reply-fields.ts'
import { isPermanent, retryDelay } from './retry-rules.ts'
import { wantsCopy } from './sent-copy-rules.ts'

test('queue ids sort by the time of sending', () => {
  const times = [Date.UTC(2026, 0), Date.UTC(2026, 0) + 1, Date.UTC(2030, 0)]
  const ids = times.map((time) => createQueueId(time))
  assert.deepEqual(ids.toSorted(), ids)
  assert.match(ids.join(' '), /^[0-9a-f]{19} [0-9a-f]{19} [0-9a-f]{19}$/)
})

test('pauses between attempts are 5, 10, 20 s …, a fifth more or less', () => {
  assert.deepEqual(
    [1, 2, 3, 9].map((attempts) => retryDelay(attempts, () => 0.5)),
    [5_000, 10_000, 20_000, 1_280_000]
  )
  assert.deepEqual([retryDelay(1, () => 0), retryDelay(1, () => 1)], [4_000, 6_000])
})

test('which errors are permanent', () => {
  const error = { message: '' }
  for (const code of [
    'EAUTH',
    'ENOAUTH',
    'EOAUTH2',
    'ETLS',
    'EENVELOPE',
    'EMESSAGE',
    'EPROTOCOL'
  ]) {
    assert.equal(isPermanent({ ...error, code }), true)
    assert.equal(isPermanent({ ...error, code, responseCode: 451 }), false)
  }
  for (const code of ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', undefined]) {
    assert.equal(isPermanent({ ...error, code }), false)
  }
  const replies = [421, 450, 503, 500, 535, 550].map((responseCode) => {
    return isPermanent({ ...error, responseCode })
  })
  assert.deepEqual(replies, [false, false, false, true, true, true])
})

test('Bcc is removed with its folded lines, and the rest stays as it is', () => {
  const message = 'A: 1\r\nBcc: x@y,\r\n z@y\r\nBCC : q\r\nB: 2\r\n\r\nBcc: body\r\n'
  assert.equal(withoutBcc(Buffer.from(message)).toString(), 'A: 1\r\nB: 2\r\n\r\nBcc: body\r\n')
  const whole = Buffer.from('A: 1\r\n b\r\n\r\nbody')
  assert.deepEqual(joinMessage(splitMessage(whole)), whole)
  assert.equal(
    withMailLines(Buffer.from('a\rb\nc\r\nd\r\r\n')).toString(),
    'a\r\nb\r\nc\r\nd\r\n\r\n'
  )
})

test('subjects have one prefix', () => {
  assert.equal(subjectOf('Hi', 'reply'), 'Re: Hi')
  assert.equal(subjectOf('RE: Hi', 'reply-all'), 'RE: Hi')
  assert.equal(subjectOf('Re: Hi', 'forward'), 'Fwd: Re: Hi')
  assert.equal(subjectOf('FW: Hi', 'forward'), 'FW: Hi')
})

test('a reply to a message to oneself has a recipient', () => {
  const own = { name: '', address: 'me@x.test' }
  const message = { from: [own], replyTo: [], to: [own], cc: [own] }
  assert.deepEqual(replyRecipients(message, 'reply-all', ['ME@x.test']), { to: [own], cc: [] })
})

test('references end with the original and are bounded', () => {
  const many = Array.from({ length: 300 }, (_, number) => `<${number}@x>`)
  const references = referencesOf([...many, '<own@x>'], ['<2@x>'], '<own@x>')
  assert.deepEqual([references.length, references[0], references.at(-1)], [100, '<0@x>', '<own@x>'])
})

test('the message decides about its copy, then the account, then the provider', () => {
  const account = (host: string, copy?: boolean | null) => ({
    settings: {
      smtp: { host, port: 465, secure: true, auth: false as const },
      ...(copy !== undefined && { copy })
    }
  })
  const message = (copy?: boolean | null) => ({ options: copy === undefined ? {} : { copy } })
  assert.equal(wantsCopy(account('mail.example'), message()), true)
  assert.equal(wantsCopy(account('smtp.gmail.com'), message()), false)
  assert.equal(wantsCopy(account('smtp.office365.com'), message(null)), false)
  assert.equal(wantsCopy(account('smtp.gmail.com', true), message()), true)
  assert.equal(wantsCopy(account('mail.example', false), message()), false)
  assert.equal(wantsCopy(account('mail.example', false), message(true)), true)
})

test('base64 is decoded with and without padding and line ends; all else is rejected', () => {
  for (const text of ['aGVsbG8=', 'aGVsbG8', 'aGVs\r\nbG8=\n']) {
    assert.equal(decodeBase64(text)?.toString(), 'hello', text)
  }
  assert.equal(decodeBase64('')?.length, 0)
  for (const text of ['a', 'aGVsb', 'aGVsbG8===', 'aG=VsbG8', 'aGVs!']) {
    assert.equal(decodeBase64(text), undefined, text)
  }
})

test('hostile texts cost linear time', () => {
  const bodies = '<body '.repeat(200_000)
  const read = () => {
    assert.equal(decodeBase64(`${'='.repeat(1_000_000)}A`), undefined)
    assert.ok(withPreviewText(bodies, 'Preview').endsWith(bodies))
  }
  assert.ok(leastMs(read, 3_000) < 3_000)
})
