import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryOf } from './entry.ts'

const MAILBOX = { number: 1, path: 'INBOX', specialUse: undefined }

test('what is empty or false is left out, but for the list of flags', () => {
  const message = { seq: 1, uid: 2, size: 3, labels: new Set<string>(), envelope: { subject: '' } }
  assert.deepEqual(entryOf({ ...message, flags: new Set(['\\Seen', '\\Recent']) }, MAILBOX), {
    id: 'AAAAAQAAAAI',
    uid: 2,
    path: 'INBOX',
    size: 3,
    flags: ['\\Seen']
  })
  const { labels, unseen } = entryOf({ ...message, labels: new Set(['Work']) }, MAILBOX)
  assert.deepEqual([labels, unseen], [['Work'], true])
})

test('labels of Gmail tell where a message of "All Mail" is shown', () => {
  const all = { ...MAILBOX, specialUse: '\\All' }
  const useOf = (labels: readonly string[], mailbox = all) =>
    entryOf({ seq: 1, uid: 2, labels: new Set(labels) }, mailbox).messageSpecialUse
  assert.equal(useOf(['\\Important', '\\Inbox', '\\Sent']), '\\Inbox')
  assert.equal(useOf(['\\Sent']), '\\Sent')
  assert.equal(useOf(['\\Draft']), '\\Drafts')
  assert.equal(useOf(['Work']), '\\All')
  assert.equal(useOf(['\\Inbox'], { ...MAILBOX, specialUse: '\\Trash' }), '\\Trash')
})
