import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNotices } from './notices.ts'

test('lines about the selected mailbox are notices only while nothing is requested', () => {
  const notices = createNotices()
  notices.onLine('* 5 EXISTS')
  assert.equal(notices.isEmpty(), true)
  notices.rest(true)
  for (const line of ['* OK Still here', '* CAPABILITY IMAP4rev1', '4 OK IDLE', '+ idling']) {
    notices.onLine(line)
  }
  assert.equal(notices.isEmpty(), true)
  for (const line of ['* 5 EXISTS', '* 1 expunge', '* VANISHED 1:4294967295', '* 2 FETCH (']) {
    notices.onLine(line)
    assert.equal(notices.take().isSelectedChanged, true, line)
  }
  assert.equal(notices.isEmpty(), true)
})

test('what is told again is told once; too many mailboxes are all of them', () => {
  const notices = createNotices()
  for (const path of ['INBOX', 'Sent', 'INBOX']) notices.onMailbox(path)
  notices.onList({ from: 'Old', to: 'New' })
  const told = notices.take()
  assert.deepEqual([...told.paths], ['INBOX', 'Sent'])
  assert.deepEqual([...told.renames], [['Old', 'New']])
  assert.equal(told.isListChanged, true)
  for (let number = 0; number < 100_000; number++) notices.onMailbox(`${number}`)
  const many = notices.take()
  assert.equal(many.isListChanged, true)
  assert.ok(many.paths.size <= 1000)
})

test('a wait ends with a notice, at once if there is one, and when the connection is closed', async () => {
  const notices = createNotices()
  const waiting = notices.wait(60_000)
  notices.onMailbox('INBOX')
  await waiting
  await notices.wait(60_000)
  notices.take()
  await notices.wait(1)
  const closed = notices.wait(60_000)
  notices.onClose()
  await closed
  await notices.wait(60_000)
})
